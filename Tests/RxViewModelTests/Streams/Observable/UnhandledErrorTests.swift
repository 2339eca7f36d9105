import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 1, points that differ: an error that a subscriber does not handle is written to standard error by debug builds
#if os(macOS) || os(Linux)
  @Suite(.ownThread) struct UnhandledErrorTests {
    @Test func onlyAnErrorThatNoClosureHandlesIsHeard() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let failing = Observable<Int>.error(Unhandled())
        _ = failing.subscribe(onNext: { _ in })
        _ = failing.map { "\($0)" }.subscribe(onNext: { _ in }, onCompleted: {}, onDisposed: {})
        _ = failing.subscribe(with: Owner()) { _, _ in }
        await MainActor.run {
          _ = failing.bind { _ in }
          _ = failing.bind(with: Owner()) { _, _ in }
        }
        // Handled and silenced errors
        _ = failing.subscribe(onNext: { _ in }, onError: { _ in })
        _ = failing.subscribe { _ in }
        _ = failing.subscribe(PublishSubject<Int>())
        _ = failing.subscribe(with: Owner(), onNext: { _, _ in }, onError: { _, _ in })
        _ = failing.demoteErrors().subscribe(onNext: { _ in })
        Taps.$isQuiet.withValue(true) { _ = Observable<Int>.error(Unhandled()).subscribe(onNext: { _ in }) }
      }
      let ofABinding = "RxViewModel: a stream of Int failed, and its bind doesn't handle the error: Unhandled()"
      #expect(
        reports(result)
          == inDebugBuilds(
            "RxViewModel: a stream of Int failed, and its subscribe doesn't handle the error: Unhandled()",
            "RxViewModel: a stream of String failed, and its subscribe doesn't handle the error: Unhandled()",
            "RxViewModel: a stream of Int failed, and its subscribe(with:) doesn't handle the error: Unhandled()",
            ofABinding, ofABinding)
      )
    }
  }

  private struct Unhandled: Error {}
  private final class Owner: Sendable {}
#endif
