import Foundation
import RxViewModel
import Testing

@testable import TestSupport

#if canImport(Observation)
  import Observation
#endif

// contract 3.7
struct SliceOrderTests {
  @Test func aReadThatWasOvertakenDoesNotBringAnOlderChildBack() async {
    let pause = ReadPause()
    let screen = makeScreen(pause.read)
    let slice = screen.slice(\.child) { (action: Int?) in action }!
    await pause.run(
      { _ = slice.currentState }, overtakenBy: { screen.execute(2) }, { #expect(slice.currentState == 2) })
    screen.execute(nil)
    #expect(slice.currentState == 2)
  }

  @Test func aReadOfAPropertyThatWasOvertakenChangesNothingForSubscribers() async {
    let pause = ReadPause()
    let screen = makeScreen(pause.read)
    let property = screen.slice(\.child) { (action: Int?) in action }!.property({ $0 }, set: { $0 })
    let seen = property.test()
    await pause.run({ _ = property.value }, overtakenBy: { property.value = 2 }, { #expect(property.value == 2) })
    screen.execute(nil)
    #expect(seen.values == [1, 2])
    #expect(property.value == 2)
  }

  @Test func theChildThatPerformReturnsCountsAsRead() async throws {
    let screen = makeScreen()
    let slice = screen.slice(\.child) { (action: Int?) in action }!
    #expect(try await slice.perform(2) == 2)
    screen.execute(nil)
    #expect(slice.currentState == 2)
  }

  // On the main actor, a view that makes a slice is notified when the child comes or goes.
  @Test func makingASliceOffTheMainActorReadsNoLaterState() async {
    let reads = Locked(0)
    let screen = makeScreen { _ in reads.increment() }
    await onThread {
      let slice = screen.slice(\.child) { (action: Int?) in action }!
      let list = screen.slice(\.self) { (action: Int?) in action }
      let nested = list.slice(\.child) { (action: Int?) in action }!
      reads.mutate { $0 = 0 }
      screen.execute(2)
      #expect(reads.value == 0)
      withExtendedLifetime((slice, nested)) {}
    }
  }

  private func makeScreen(_ onRead: @escaping @Sendable (Int?) -> Void = { _ in }) -> ClosureViewModel<
    Int?, WatchedParent
  > {
    ClosureViewModel(WatchedParent(onRead: onRead, number: 1), scheduler: ImmediateScheduler()) { _, number in
      .mutate { $0.number = number }
    }
  }

  // MARK: A mirror that lags behind

  #if canImport(Observation)
    @MainActor @Test func aPartOfARemovedChildShowsNoOlderChildAfterANewerOne() async throws {
      let viewModel = ParentViewModel()
      viewModel.execute(.show(Form(name: "a")))
      let sheet = try #require(viewModel.slice(\.sheet, ParentAction.sheet))
      #expect(sheet.observed.name == "a")
      let (name, shown) = (Locked(ViewModelSlice<FormAction, String>?.none), Locked<[String]>([]))
      let bound = viewModel.stateObservable.bind { _ in
        if let name = name.value { shown.append(name.observed.state) }
      }
      onOtherThread {
        viewModel.execute(.show(Form(name: "b")))
        viewModel.execute(.show(nil))
      }
      name.mutate { $0 = sheet.slice(\.name) { (action: FormAction) in action } }
      await mainQueueHasRun()
      #expect(shown.value == ["b", "b"])
      bound.dispose()
    }

    @MainActor @Test(.stress, arguments: [true, false])
    func aViewHearsOfAChildThatComesWhileItLooks(hasMirror: Bool) async throws {
      // The mirror is made with a newer state than the one in which the child was absent.
      var missed = 0
      let (next, executed, isOver) = (Locked(ParentViewModel?.none), Signal(), Locked(false))
      defer { isOver.mutate { $0 = true } }
      Thread.detachNewThread {
        while !isOver.value {
          guard let viewModel = next.mutate({ $0.take() }) else { continue }
          viewModel.execute(.show(Form(name: "a")))
          executed.fire()
        }
      }
      for _ in 0..<500 {
        let (viewModel, isNotified) = (ParentViewModel(), Locked(false))
        if hasMirror { _ = viewModel.observed }
        next.mutate { $0 = viewModel }
        for _ in 0..<Int.random(in: 0..<40) { _ = isNotified.value }
        let isPresent = withObservationTracking {
          viewModel.slice(\.sheet, ParentAction.sheet) != nil
        } onChange: {
          isNotified.mutate { $0 = true }
        }
        try #require(executed.wait())
        await mainQueueHasRun()
        if !isPresent, !isNotified.value { missed += 1 }
      }
      #expect(missed == 0)
    }
  #endif
}

/// Lets one read of a child wait while the child is 1.
private final class ReadPause: Sendable {
  private let isNext = Locked(Bool?.none)
  private let (entered, goOn) = (Signal(), Signal())

  @Sendable func read(_ number: Int?) {
    guard number == 1, isNext.mutate({ $0.take() }) == true else { return }
    entered.fire()
    #expect(goOn.wait())
  }

  /// Runs `read` on a thread of its own, and the others while it waits.
  func run(_ read: @escaping @Sendable () -> Void, overtakenBy others: (@Sendable () -> Void)...) async {
    await onThread {
      let done = Signal()
      self.isNext.mutate { $0 = true }
      Thread {
        read()
        done.fire()
      }.start()
      #expect(self.entered.wait())
      for other in others { other() }
      self.goOn.fire()
      #expect(done.wait())
    }
  }
}

/// Has a child of which the test notices each read.
private struct WatchedParent: Sendable {
  let onRead: @Sendable (Int?) -> Void
  var number: Int?

  var child: Int? {
    get {
      onRead(number)
      return number
    }
    set { number = newValue }
  }
}
