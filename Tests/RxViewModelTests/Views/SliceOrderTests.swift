import Foundation
import RxViewModel
import Testing

@testable import TestSupport

@Suite("Order of a slice's reads") struct SliceOrderTests {
  // contract 3.7
  @Test func aReadThatWasOvertakenDoesNotBringAnOlderChildBack() async {
    let (screen, pause) = makeScreen()
    let slice = screen.slice(\.child) { (action: Int?) in action }!
    await pause.run(
      { _ = slice.currentState }, overtakenBy: { screen.execute(2) }, { #expect(slice.currentState == 2) })
    screen.execute(nil)
    #expect(slice.currentState == 2)
  }

  // contract 3.7
  @Test func aReadOfAPropertyThatWasOvertakenChangesNothingForSubscribers() async {
    let (screen, pause) = makeScreen()
    let property = screen.slice(\.child) { (action: Int?) in action }!.property { $0 }
    let seen = property.test()
    await pause.run({ _ = property.value }, overtakenBy: { screen.execute(2) }, { #expect(property.value == 2) })
    screen.execute(nil)
    #expect(seen.values == [1, 2])
    #expect(property.value == 2)
  }

  // contract 3.7
  @Test func theSameHoldsOfAPropertyThatIsWritten() async {
    let (screen, pause) = makeScreen()
    let property = screen.slice(\.child) { (action: Int?) in action }!.property({ $0 }, set: { $0 })
    let seen = property.test()
    await pause.run({ _ = property.value }, overtakenBy: { property.value = 2 }, { #expect(property.value == 2) })
    screen.execute(nil)
    #expect(seen.values == [1, 2])
    #expect(property.value == 2)
  }

  // contract 3.7
  @Test func theChildThatPerformReturnsCountsAsRead() async throws {
    let (screen, _) = makeScreen()
    let slice = screen.slice(\.child) { (action: Int?) in action }!
    #expect(try await slice.perform(2) == 2)
    screen.execute(nil)
    #expect(slice.currentState == 2)
  }

  private func makeScreen() -> (screen: PausingScreen, pause: ReadPause) {
    let pause = ReadPause()
    return (PausingScreen(initialState: PausingParent(pause: pause, number: 1), scheduler: ImmediateScheduler()), pause)
  }
}

/// Lets one read of a child wait while the child is 1.
private final class ReadPause: Sendable {
  private let isNext = Locked(Bool?.none)
  private let (entered, goOn) = (Signal(), Signal())

  func read(_ number: Int?) {
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

private struct PausingParent: Sendable {
  let pause: ReadPause
  var number: Int?

  var child: Int? {
    get {
      pause.read(number)
      return number
    }
    set { number = newValue }
  }
}

// Sendable: it stores nothing.
private final class PausingScreen: RxViewModel<Int?, PausingParent>, @unchecked Sendable {
  override func createObservable(_ action: Int?) -> Effect {
    .mutate { $0.number = action }
  }
}
