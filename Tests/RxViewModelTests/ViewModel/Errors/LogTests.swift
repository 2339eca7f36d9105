import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private enum LoggedAction: Sendable {
  case search(String)
  case rename(String)
  case refresh
  case tag(Set<String>)
  case hide
  case show
  case wait
}

private struct Owner: Sendable {
  var name = "a"
  var age = 1
}

private struct Secret: Sendable, CustomStringConvertible {
  var hidden = 0
  var shown = 0
  var description: String { "secret \(shown)" }
}

private struct LoggedState: Sendable {
  var query = ""
  var isBusy = false
  var owner = Owner()
  var message: String?
  var tags: Set<String> = []
  var counts: [String: Int] = [:]
  var handle: Handle?
  var secret = Secret()
}

private final class Handle: Sendable {}

private func loggedScreen(_ scheduler: any Scheduler) -> ClosureViewModel<LoggedAction, LoggedState> {
  ClosureViewModel(LoggedState(), scheduler: scheduler) { _, action in
    switch action {
    case .search("offline"): .error(Offline())
    case .search(let text):
      .mutate {
        $0.query = text
        $0.isBusy = true
      }
    case .rename(let name):
      .mutate {
        $0.owner.name = name
        $0.handle = Handle()
      }
    case .refresh: .empty()
    case .tag(let tags):
      .mutate { state in
        state.tags = tags
        state.counts = Dictionary(uniqueKeysWithValues: tags.map { ($0, $0.count) })
      }
    case .hide: .mutate { $0.secret.hidden += 1 }
    case .show: .mutate { $0.secret.shown += 1 }
    case .wait: .never()
    }
  } overrides: {
    $0.errorMapper = { _, error, _ in
      { state in
        var state = state
        state.message = "\(error)"
        return state
      }
    }
  }
}

// contract 2.7: the steps of each action, in their order, as text
struct LogTests {
  private let scheduler = TestScheduler()
  private let bag = DisposeBag()
  private let lines = Locked<[String]>([])

  private func logged(_ script: (ClosureViewModel<LoggedAction, LoggedState>) -> Void) -> [String] {
    let catalog = loggedScreen(scheduler)
    let log = catalog.log { [lines] line in lines.append(line) }
    script(catalog)
    scheduler.run()
    log.dispose()
    catalog.clear()
    scheduler.run()
    return lines.value
  }

  // A line shows the properties that a fold changes, a nested struct with its new value, and a struct with a description as that text. The
  // mode is in the first line of an action. The line for the mapper of an error comes before the one for the error.
  @Test func eachStepIsALine() {
    let lines = logged { catalog in
      catalog.execute(.search("a"), mode: .switchLatest)
      for action in [LoggedAction.search("offline"), .refresh, .rename("b"), .hide, .show] { catalog.execute(action) }
    }
    #expect(
      lines == [
        #"#1 search("a") switchLatest: started"#, #"#1 search("a"): query: "" → "a", isBusy: false → true"#,
        #"#2 search("offline") parallel: started"#, #"#2 search("offline"): message: nil → "Offline()""#,
        #"#2 search("offline"): failed: Offline()"#, "#3 refresh parallel: started", "#3 refresh: unchanged",
        #"#4 rename("b") parallel: started"#,
        #"#4 rename("b"): owner: Owner(name: "b", age: 1), handle: nil → Handle"#,
        "#5 hide parallel: started", "#5 hide: unchanged",
        "#6 show parallel: started", "#6 show: secret: secret 0 → secret 1",
      ])
  }

  @Test func actionsThatEndBeforeTheirTime() {
    let lines = logged { catalog in
      catalog.execute(.wait, mode: .dropWhileBusy)
      catalog.execute(.refresh, mode: .dropWhileBusy)
      catalog.execute(.wait, mode: .sequence)
      catalog.execute(.wait, mode: .sequence)
      scheduler.run()
      catalog.cancelActions { _ in true }
    }
    #expect(
      lines == [
        "#1 wait dropWhileBusy: started", "#2 refresh dropWhileBusy: dropped (busy with #1)",
        "#3 wait sequence: started", "#4 wait sequence: waiting (busy with #3)", "#1 wait: cancelled (by request)",
        "#3 wait: cancelled (by request)", "#4 wait: cancelled (by request)",
      ])
  }

  // Sets and dictionaries are sorted.
  @Test func theSameScriptWritesTheSameText() {
    let tags = (0..<10).map { "t\($0)" }
    let sorted = "[\(tags.map { "\"\($0)\"" }.joined(separator: ", "))]"
    let counts = "[\(tags.map { "\"\($0)\": 2" }.joined(separator: ", "))]"
    #expect(
      logged { $0.execute(.tag(Set(tags))) } == [
        "#1 tag(\(sorted)) parallel: started", "#1 tag(\(sorted)): tags: [] → \(sorted), counts: [:] → \(counts)",
      ])
  }

  // A line has no break. A state without properties is one value.
  @Test func aStateWithoutPropertiesAndAnErrorOfTwoLines() {
    let counter = ClosureViewModel<Int, Int>(0, scheduler: scheduler) { _, action in
      action < 0 ? .error(TestError("one\ntwo")) : .mutate { $0 += action }
    }
    counter.log { [lines] line in lines.append(line) }.disposed(by: bag)
    for action in [1, 0, -1] { counter.execute(action) }
    scheduler.run()
    #expect(
      lines.value == [
        "#1 1 parallel: started", "#1 1: 0 → 1", "#2 0 parallel: started", "#2 0: unchanged",
        "#3 -1 parallel: started", "#3 -1: failed: one two",
      ])
  }

  // The first line compares with the state before it, whenever the log begins.
  @Test func aLogThatBeginsInTheMiddle() {
    let (screen, gate) = (Screen(scheduler: scheduler), PublishSubject<String>())
    screen.execute(Step("a") { gate.mutate { $0.append($1) } })
    scheduler.run()
    gate.onNext("x")
    scheduler.run()
    let log = screen.log { [lines] line in lines.append(line) }
    gate.onNext("y")
    scheduler.run()
    log.dispose()
    gate.onNext("z")
    scheduler.run()
    #expect(lines.value == [#"#1 a: ["x"] → ["x", "y"]"#])
    screen.clear()
  }

  @Test func itKeepsNothingAlive() {
    var screen: Screen? = Screen(scheduler: scheduler)
    let (lifetimes, gone) = (Lifetimes(), { [weak screen] in screen == nil })
    let log = { (object: Lifetimes.Object) in screen!.log { _ in object.touch() } }(lifetimes.make())
    screen!.execute(Step("a"))
    scheduler.run()
    screen = nil
    scheduler.run()
    #expect(gone())
    #expect(lifetimes.alive == 0)
    log.dispose()
  }
}
