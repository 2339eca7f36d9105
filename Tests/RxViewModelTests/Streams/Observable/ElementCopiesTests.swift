#if os(Linux)
  import Foundation
  import RxViewModel
  import Testing
  @testable import TestSupport

  // contract 1.9: an element passes a subject as it is, and is not copied for each subscriber
  @Suite(.ownThread) struct ElementCopiesTests {
    @Test func aSubjectRetainsNothingOfAnElementForASubscriber() async {
      let result = await #expect(processExitsWith: .success) {
        let (few, many) = (retainsPerElement(subscribers: 1), retainsPerElement(subscribers: 11))
        // Those of ten subscribers. A copy of the element retains 32 objects.
        precondition((many - few) / 10 < 32, "\(few) retains with one subscriber, \(many) with eleven")
      }
      #expect(result != nil)
    }

    @Test func aViewModelRetainsNothingOfAStateForASubscriber() async {
      let result = await #expect(processExitsWith: .success) {
        func retains(subscribers: Int) -> Int {
          let (viewModel, bag) = (WideScreen(scheduler: ImmediateScheduler()), DisposeBag())
          for _ in 0..<subscribers { viewModel.stateObservable.subscribe(onNext: { _ in }).disposed(by: bag) }
          viewModel.execute(())
          return countRetains { viewModel.execute(()) }
        }
        let (few, many) = (retains(subscribers: 1), retains(subscribers: 11))
        precondition((many - few) / 10 < 32, "\(few) retains with one subscriber, \(many) with eleven")
      }
      #expect(result != nil)
    }
  }

  private func retainsPerElement(subscribers: Int) -> Int {
    let (subject, bag, element) = (PublishSubject<Wide>(), DisposeBag(), Wide())
    for _ in 0..<subscribers { subject.subscribe(onNext: { _ in }).disposed(by: bag) }
    subject.onNext(element)
    return countRetains { subject.onNext(element) }
  }

  private final class Part: Sendable {}

  private struct Eight: Sendable {
    let a = Part(), b = Part(), c = Part(), d = Part(), e = Part(), f = Part(), g = Part(), h = Part()
  }

  /// Thirty-two objects.
  private struct Wide: Sendable {
    let a = Eight(), b = Eight(), c = Eight(), d = Eight()
  }

  // Sendable: it stores nothing.
  private final class WideScreen: RxViewModel<Void, Wide>, @unchecked Sendable {
    override func createInitialState() -> Wide { Wide() }
    override func createObservable(_ action: Void) -> Effect { .mutate { _ in } }
  }

  /// The number of times that `work` retains an object. In a process of its own only: it counts the retains of all threads.
  ///
  /// The Swift runtime calls the function in a variable of its own for each retain, if another variable says so.
  private func countRetains(in work: () -> Void) -> Int {
    let hook = dlsym(nil, "_swift_retain")!.assumingMemoryBound(to: Retain.self)
    let isHooked = dlsym(nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")!
      .assumingMemoryBound(to: Bool.self)
    (retain, retains) = (hook.pointee, 0)
    hook.pointee = { object in
      retains += 1
      return retain!(object)
    }
    isHooked.pointee = true
    work()
    isHooked.pointee = false
    hook.pointee = retain!
    return retains
  }

  private typealias Retain = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  nonisolated(unsafe) private var retain: Retain?
  nonisolated(unsafe) private var retains = 0
#endif
