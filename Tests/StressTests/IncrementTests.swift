import Dispatch
import RxViewModel
import Testing

@testable import TestSupport

/// Adds one to its state, at once, with a subscription, or on another thread.
private final class Tally: RxViewModel<Int, Int>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Int { 0 }

  override func createObservable(_ action: Int) -> Effect {
    switch action % 8 {
    case 0: Observable.task { 1 }.mutate { $0 += $1 }
    case 1, 2: Observable.from([1]).mutate { $0 += $1 }
    default: .mutate { $0 += 1 }
    }
  }

  override func showSpinner(_ action: Int) -> Bool { action % 3 == 0 }
}

/// Records what a tally emits while several threads execute actions on it.
private final class Audit: Sendable {
  struct State {
    var emitted = 0
    var ends: [UInt64: Int] = [:]
    var turnedAway = 0
    var last = -1
    var jumps = 0
    var loading: [Bool] = []
  }

  let state = Locked(State())
  let finished = Signal()
  private let bag = DisposeBag()

  init(_ tally: Tally, total: Int) {
    tally.stateObservable.subscribe(onNext: { [state] number in
      state.mutate { state in
        if number != state.last + 1 { state.jumps += 1 }
        state.last = number
      }
    }).disposed(by: bag)
    tally.isLoadingObservable.subscribe(onNext: { [state] isLoading in
      state.mutate { $0.loading.append(isLoading) }
    }).disposed(by: bag)
    tally.executionObservable.subscribe(onNext: { [state, finished] execution in
      let ended = state.mutate { state -> Int in
        switch execution.phase {
        case .waiting, .started: return 0
        case .emitted:
          state.emitted += 1
          return 0
        case .dropped, .cancelled: state.turnedAway += 1
        case .completed, .failed: break
        }
        state.ends[execution.id, default: 0] += 1
        return state.ends.count
      }
      if ended == total { finished.fire() }
    }).disposed(by: bag)
  }
}

// contract 2.1, 2.2, 2.3 and the table of modes: eight threads with ten thousand increments each
@Suite(.stress, .serialized) struct IncrementTests {
  #if DEBUG
    private static let each = 1_000
  #else
    private static let each = 10_000
  #endif

  private static let modes: [ExecutionMode?] = [
    .parallel, .parallelOrdered, .parallelDeferred, .sequence, .switchLatest, .dropWhileBusy, nil,
  ]

  /// - Parameter mode: nil stands for all of them in turn.
  @Test(arguments: modes, [false, true])
  func totalsOfManyThreadsAreExact(mode: ExecutionMode?, isConcurrent: Bool) async {
    let total = 8 * Self.each
    let tally = Tally(scheduler: isConcurrent ? DispatchQueue(label: "concurrent", attributes: .concurrent) : nil)
    let audit = Audit(tally, total: total)
    await race(threads: 8) { thread in
      for number in 0..<Self.each {
        tally.execute(number, mode: mode ?? Self.modes[(number + thread) % 6]!)
      }
    }
    #expect(await onThread { audit.finished.wait() })
    // This action comes after everything else on the scheduler, so loading has become false.
    await #expect(throws: Never.self) { try await tally.perform(3) }
    let seen = audit.state.value
    #expect(seen.ends.count == total + 1)
    #expect(seen.ends.values.allSatisfy { $0 == 1 })
    #expect(seen.jumps == 0)
    #expect(seen.last == tally.currentState)
    #expect(seen.emitted == tally.currentState)
    #expect(seen.emitted + seen.turnedAway == total + 1)
    if let mode, mode != .switchLatest, mode != .dropWhileBusy { #expect(tally.currentState == total + 1) }
    #expect(zip(seen.loading, seen.loading.dropFirst()).allSatisfy { $0 != $1 })
  }
}
