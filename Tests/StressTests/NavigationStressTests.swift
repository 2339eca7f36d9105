import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// Two hosts that come and go, each with an owner of its own. A host ends by a dispose on the main actor or on another thread, by the end
/// of its owner, or by the release of its owner.
@MainActor
private final class ChangingHosts {
  private var owners: [Lifecycle?] = [nil, nil]
  private var subscriptions: [(any Disposable)?] = [nil, nil]
  private let observe: @MainActor (Lifecycle) -> any Disposable
  private var random: SplitMix64

  init(seed: UInt64, _ observe: @escaping @MainActor (Lifecycle) -> any Disposable) {
    self.observe = observe
    random = SplitMix64(seed: seed)
  }

  /// Takes a random step with one of the two hosts.
  func step() async {
    let index = Int.random(in: 0...1, using: &random)
    guard let owner = owners[index] else {
      let owner = Lifecycle()
      owners[index] = owner
      subscriptions[index] = observe(owner)
      return
    }
    switch Int.random(in: 0...9, using: &random) {
    case 0...3: owner.resume()
    case 4...5: owner.pause()
    case 6: owner.destroy()
    case 7: subscriptions[index]?.dispose()
    case 8:
      let subscription = subscriptions[index]
      Thread { subscription?.dispose() }.start()
      owners[index] = nil
    default:
      let released = Locked<Lifecycle?>(owner)
      owners[index] = nil
      Thread { released.mutate { $0 = nil } }.start()
    }
    if owner.state == .destroyed { owners[index] = nil }
    await Task.yield()
  }
}

// contract 3.2, 6, 6.1, 6.2, 6.3
@MainActor
@Suite(.serialized, .stress) struct NavigationStressTests {
  @MainActor
  private final class Seen {
    var values: [Int] = []

    func expectEachOnce(threads: Int, count: Int) {
      #expect(values.count == threads * count)
      var next = [Int](repeating: 0, count: threads)
      for value in values {
        let thread = value / 1_000_000
        if value % 1_000_000 != next[thread] {
          Issue.record("thread \(thread): received \(value % 1_000_000), expected \(next[thread])")
          return
        }
        next[thread] += 1
      }
    }
  }

  private nonisolated func run(
    threads: Int, _ isOver: Locked<Bool>, _ body: @escaping @Sendable (Int) -> Void
  ) async {
    await race(threads: threads, body)
    isOver.mutate { $0 = true }
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func noRouteIsLostOrDeliveredTwiceWhileTwoHostsComeAndGo(seed: UInt64) async {
    let (navigation, seen, isOver) = (Navigation<Int>(), Seen(), Locked(false))
    let navigator = navigation.navigator
    let hosts = ChangingHosts(seed: seed) { owner in navigation.observe(owner) { seen.values.append($0) } }
    async let flood: Void = run(threads: 8, isOver) { thread in
      for number in 0..<1_000 { navigator.navigate(thread * 1_000_000 + number) }
    }
    while !isOver.value { await hosts.step() }
    await flood
    for _ in 0..<200 { await hosts.step() }
    let last = Lifecycle()
    last.resume()
    let subscription = navigation.observe(last) { seen.values.append($0) }
    await settle { seen.values.count >= 8_000 }
    seen.expectEachOnce(threads: 8, count: 1_000)
    subscription.dispose()
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func everyRequestEndsOnceWhileTwoHostsComeAndGo(seed: UInt64) async {
    let navigation = Navigation<(Int, Reply<Int>)>()
    let (navigator, isOver, delivered) = (navigation.navigator, Locked(false), Locked<Set<Int>>([]))
    let answers = Locked<[Int: Int]>([:])
    let disposed = Locked<Set<Int>>([])
    let answer: @MainActor @Sendable ((Int, Reply<Int>)) -> Void = { route in
      let (number, reply) = route
      let isNew = delivered.mutate { $0.insert(number).inserted }
      #expect(isNew)
      if number % 2 == 0 { reply.send(number) }
    }
    let hosts = ChangingHosts(seed: seed) { owner in navigation.observe(owner, answer) }
    async let flood: Void = run(threads: 4, isOver) { thread in
      for index in 0..<1_000 {
        let number = thread * 1_000 + index
        let subscription = navigator.request { (number, $0) }.subscribe(onCompleted: {
          answers.mutate { $0[number, default: 0] += 1 }
        })
        if index % 3 == 0 {
          subscription.dispose()
          disposed.mutate { _ = $0.insert(number) }
        }
      }
    }
    while !isOver.value { await hosts.step() }
    await flood
    let last = Lifecycle()
    last.resume()
    let subscription = navigation.observe(last, answer)
    let kept = Set(0..<4_000).subtracting(disposed.value)
    await settle { kept.isSubset(of: answers.mutate { Set($0.keys) }) }
    #expect(kept.isSubset(of: delivered.value))
    #expect(answers.value.values.allSatisfy { $0 == 1 })
    #expect(kept.allSatisfy { answers.value[$0] == 1 })
    subscription.dispose()
  }

  @Test(arguments: 0..<5 as Range<UInt64>)
  func noEventIsLostOrRepeatedWhileObserversComeAndGo(seed: UInt64) async {
    let (subject, seen, isOver) = (PublishSubject<Int>(), Seen(), Locked(false))
    let events = subject.asLiveEvents()
    var random = SplitMix64(seed: seed)
    async let flood: Void = run(threads: 8, isOver) { thread in
      for number in 0..<1_000 { subject.onNext(thread * 1_000_000 + number) }
    }
    while !isOver.value {
      // There is one observer at a time, so that each event is delivered once.
      let owner = Lifecycle()
      let subscription = events.observe(owner) { seen.values.append($0) }
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        owner.resume()
        await Task.yield()
        owner.pause()
        await Task.yield()
      }
      if Bool.random(using: &random) { subscription.dispose() } else { owner.destroy() }
      await Task.yield()
    }
    await flood
    let subscription = events.observeForever { seen.values.append($0) }
    await settle { seen.values.count >= 8_000 }
    seen.expectEachOnce(threads: 8, count: 1_000)
    subscription.dispose()
  }
}
