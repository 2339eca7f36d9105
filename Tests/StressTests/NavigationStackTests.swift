import RxViewModel
import Testing

@testable import TestSupport

// contract 1.6, 6.2: the stack does not grow. These tests occupy the main actor for seconds.
@MainActor
@Suite(.stress) struct NavigationStackTests {
  @Test func aHundredThousandWaitingRoutesAreDeliveredAtTheResume() {
    let (navigation, owner) = (Navigation<Int>(), Lifecycle())
    let (sum, depths) = (Locked(0), Locked<Set<Int>>([]))
    for number in 1...100_000 { navigation.navigator.navigate(number) }
    let subscription = navigation.observe(owner) { number in
      sum.mutate { $0 += number }
      depths.mutate { _ = $0.insert(stackAddress()) }
    }
    owner.resume()
    #expect(sum.value == 100_000 * 100_001 / 2 && depths.value.count == 1)
    subscription.dispose()
  }

  @Test func aChainOfAHundredThousandRoutesThatEachSendTheNext() {
    let (navigation, owner) = (Navigation<Int>(), Lifecycle())
    let (last, depths, navigator) = (Locked(0), Locked<Set<Int>>([]), navigation.navigator)
    owner.resume()
    let subscription = navigation.observe(owner) { number in
      last.mutate { $0 = number }
      depths.mutate { _ = $0.insert(stackAddress()) }
      if number < 100_000 { navigator.navigate(number + 1) }
    }
    navigator.navigate(1)
    #expect(last.value == 100_000 && depths.value.count == 1)
    subscription.dispose()
  }

  // contract 1.10, 6.2
  @Test func otherThreadsThatSendWithoutEndDoNotKeepTheMainActorBusy() async {
    let (navigation, owner) = (Navigation<Int>(), Lifecycle())
    let (count, sent, navigator) = (Locked(0), Locked(1), navigation.navigator)
    owner.resume()
    // Other threads send two routes for each delivered one. A delivery that included them would continue up to the limit.
    let subscription = navigation.observe(owner) { _ in
      let number = count.increment()
      if number % 64 != 1 || number > 5_000 { return }
      sent.mutate { $0 += 128 }
      onOtherThread { navigator.navigate([Int](repeating: 0, count: 128)) }
    }
    navigator.navigate(0)
    // Each call of another thread is delivered by a hop of its own.
    #expect(count.value == 1)
    await settle { count.value == sent.value }
    #expect(count.value == sent.value && sent.value > 5_000)
    subscription.dispose()
  }
}

/// The address of the caller's frame.
@inline(never)
private func stackAddress() -> Int {
  var local = 0
  return withUnsafePointer(to: &local) { Int(bitPattern: $0) }
}
