import Foundation
import RxViewModel
import Testing

@testable import TestSupport

// contract 2.2, 2.3: a thread that calls `cancelActions` without end does not prevent actions from being folded
@Suite(.stress, .serialized) struct CancellationFloodRaceTests {
  /// A turn handles at most 1,024 requests, so the brake allows about ten turns for each fold. The flood keeps `backlog` requests waiting.
  private static let (folds, brake, backlog) = (20, 200_000, 8_192)

  enum Sender: CaseIterable {
    case actions, mappers
  }

  // The test executes each action, or sends each mapper, after the one before it has been folded.
  @Test(arguments: Sender.allCases)
  func theStateChangesDuringTheFlood(sender: Sender) async {
    let (screen, source, bag) = (Screen(), PublishSubject<Int>(), DisposeBag())
    let (handled, isOver, folded, flood) = (Locked(0), Locked(false), Signal(), Signal())
    screen.execute(Step("source", on: source))
    screen.execute(Step("first"))
    #expect(await eventually { !screen.currentState.isEmpty })
    screen.stateObservable.subscribe(onNext: { if $0.count > 1 { folded.fire() } }).disposed(by: bag)
    Thread {
      var requested = 0
      while !isOver.value, requested < Self.brake {
        if requested - handled.value >= Self.backlog {
          sched_yield()
          continue
        }
        requested += 1
        screen.cancelActions { action in
          if action.name == "source" { handled.mutate { $0 += 1 } }
          return false
        }
      }
      flood.fire()
    }.start()
    let requests = await onThread {
      var hasFolded = waitUntil { handled.value >= 1_000 }
      for _ in 0..<Self.folds where hasFolded {
        if sender == .actions { screen.execute(Step("a")) } else { source.onNext(1) }
        hasFolded = folded.wait()
      }
      #expect(hasFolded)
      let requests = handled.value
      isOver.mutate { $0 = true }
      #expect(flood.wait())
      return requests
    }
    #expect(requests < Self.brake - Self.backlog)
    bag.dispose()
  }
}
