import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import RxViewModelInspector
@testable import TestSupport

private struct ListState: Sendable, Equatable {
  var text = ""
  var results: [String] = []
}

private enum ListAction: Sendable, Equatable {
  case search(String)
  case reload
  case save(String)
}

private struct SaveError: Error {}

/// A list that answers after 300 ms, and doesn't save.
private func makeList(_ scheduler: TestScheduler, sources: [Observable<StateMapper<ListState>>] = [])
  -> ClosureViewModel<ListAction, ListState>
{
  ClosureViewModel(ListState(), scheduler: scheduler) { overrides in
    overrides.sources = { _ in sources }
    overrides.mode = { _, action in
      switch action {
      case .search: .switchLatest("search", after: .milliseconds(100))
      case .reload: .dropWhileBusy
      case .save: .keepLatest
      }
    }
    overrides.effect = { _, action in
      let wait = Observable<Int>.timer(.milliseconds(300), scheduler: scheduler)
      return switch action {
      case .search(let text):
        wait.mutate { state, _ in (state.text, state.results) = (text, ["\(text)1", "\(text)2"]) }
      case .reload: wait.mutate { state, _ in state.results = ["x"] }
      case .save: wait.map { _ -> StateMapper<ListState> in throw SaveError() }
      }
    }
  }
}

struct InspectorTests {
  private let scheduler = TestScheduler()
  private let folder: InspectedFolder

  init() { folder = InspectedFolder(scheduler) }

  @Test func aSearchThatIsTypedQuickly() throws {
    let list = makeList(scheduler)
    folder.inspector().watch(list, name: "list")
    scheduler.advance()
    for text in ["a", "ab"] {
      list.execute(.search(text))
      scheduler.advance(by: .milliseconds(50))
    }
    scheduler.run()
    #expect(
      try folder.lines == [
        #"0 #1 action search("a")"#, "0 #1 waits (debounced)",
        "50 #1 end cancelled (superseded 2)",
        #"50 #2 action search("ab")"#, "50 #2 waits (debounced)",
        "150 #2 start",
        #"450 #2 state - text: "" + text: "ab" + results[0]: "ab1" + results[1]: "ab2""#,
        "450 #2 end completed",
      ])
    let (head, entries) = try folder.session()
    #expect(entries[0].mode == "switchLatest(search, after: 0.1 seconds)" && entries[0].lane == "search")
    #expect(head.models.map(\.name) == ["list"] && head.models[0].type == "ClosureViewModel<ListAction, ListState>")
  }

  @Test func aDoubleTapAndAFailingSave() throws {
    let list = makeList(scheduler)
    folder.inspector().watch(list, name: "list")
    list.execute(.reload)
    list.execute(.reload)
    list.execute(.save("a"))
    list.execute(.save("b"))
    scheduler.run()
    #expect(
      try folder.lines == [
        "0 #1 action reload", "0 #1 start",
        "0 #2 action reload", "0 #2 end dropped (busy 1)",
        #"0 #3 action save("a")"#, "0 #3 start",
        #"0 #4 action save("b")"#, "0 #4 waits (busy 3)",
        #"300 #1 state + results[0]: "x""#, "300 #1 end completed",
        "300 #3 end failed SaveError()", "300 #4 start (waited 3)",
        "600 #4 end failed SaveError()",
      ])
  }

  /// `Examples/Scripts/inspector_test.py` opens it: what overlaps, and at the end what waits and what runs.
  @Test func aSessionForTheBrowser() throws {
    let folder = InspectedFolder(scheduler, ProcessInfo.processInfo.environment["RX_INSPECTOR_DIR"])
    let texts = PublishSubject<String>()
    let (list, other) = (makeList(scheduler, sources: [texts.mutate { $0.text = $1 }]), makeList(scheduler))
    let inspector = folder.inspector()
    inspector.watch(list, name: "list")
    inspector.watch(other, name: "</script><img src=x onerror=alert(1)>")
    for action in [.search("</script>"), .search("ab"), .reload, .reload, .save("a"), .save("b")] as [ListAction] {
      list.execute(action)
      scheduler.advance(by: .milliseconds(60))
    }
    other.execute(.search("<b>"))
    scheduler.advance(by: .seconds(2))
    texts.onNext("of a source")
    for action in [.reload, .save("c"), .save("d")] as [ListAction] { list.execute(action) }
    scheduler.advance(by: .milliseconds(140))
    texts.onNext("again")
    scheduler.advance(by: .milliseconds(60))
    #expect(
      inspector.text == """
        0 ms: list #1 search("</script>"): cancelled (superseded by #2), waited 60 ms
        60 ms: list #2 search("ab"): completed, waited 100 ms, ran 300 ms
        120 ms: list #3 reload: completed, ran 300 ms
        180 ms: list #4 reload: dropped (busy with #3)
        240 ms: list #5 save("a"): failed: SaveError(), ran 300 ms
        300 ms: list #6 save("b"): failed: SaveError(), waited 240 ms, ran 300 ms
        360 ms: </script><img src=x onerror=alert(1)> #1 search("<b>"): completed, waited 100 ms, ran 300 ms
        2360 ms: list #7 reload: started
        2360 ms: list #8 save("c"): started
        2360 ms: list #9 save("d"): waiting (busy with #8)

        """)
    #expect(try folder.lines.last == "2360 #9 waits (busy 8)" && folder.session().head.now == 2560)
  }

  /// Such as one that the view model executes while it is made.
  @Test func anActionThatHasStartedBefore() throws {
    let (list, inspector) = (makeList(scheduler), folder.inspector())
    list.execute(.reload)
    scheduler.advance(by: .milliseconds(100))
    inspector.watch(list, name: "list")
    scheduler.run()
    #expect(
      try folder.lines == [
        "300 #1 action reload", "300 #1 start", #"300 #1 state + results[0]: "x""#, "300 #1 end completed",
      ])
    #expect(inspector.text == "300 ms: list #1 reload: completed\n")
  }

  /// They come alone, and not with an action.
  @Test func statesOfSourcesAndOptimisticChanges() throws {
    let texts = PublishSubject<String>()
    let list = makeList(scheduler, sources: [texts.mutate { $0.text = $1 }])
    folder.inspector().watch(list, name: "list")
    scheduler.run()
    texts.onNext("a")
    scheduler.run()
    list.execute(.reload)
    texts.onNext("b")
    scheduler.run()
    #expect(
      try folder.lines == [
        "0 #0 source", #"0 #0 state - text: "" + text: "a""#,
        "400 #1 action reload", "400 #1 start", #"400 #0 state - text: "a" + text: "b""#,
        #"700 #1 state + results[0]: "x""#, "700 #1 end completed",
      ])
  }

  @Test func writesOnlyWhileSomethingHappens() throws {
    let list = makeList(scheduler)
    folder.inspector().watch(list, name: "list")
    scheduler.run()
    #expect(scheduler.pendingCount == 0 && scheduler.now == .zero)
    list.execute(.reload)
    scheduler.advance(by: .milliseconds(199))
    #expect(try folder.lines == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(try folder.lines.count == 2)
    scheduler.run()
    #expect(try folder.session().head.now == 400)
    #expect(scheduler.pendingCount == 0)
  }

  @Test func aBarGrowsWhileNothingHappens() throws {
    let model = ClosureViewModel<Int, Int>(0, scheduler: scheduler, effect: { _, _ in .never() })
    folder.inspector().watch(model, name: "model")
    model.execute(1)
    scheduler.advance(by: .seconds(60))
    // The first write is that of the action, 200 ms after that of the view model.
    #expect(try folder.session().head.now == 59_200)
    #expect(try folder.lines.count == 2)
    // Neither the inspector nor its clock goes on for it.
    model.clear()
    scheduler.run()
    #expect(try folder.lines.last == "60000 #1 end cancelled (gone)")
  }

  @Test func eachTextIsText() throws {
    let model = ClosureViewModel<String, String>("", scheduler: scheduler) { _, text in .mutate { $0 = text } }
    let folder = folder
    folder.inspector().watch(model, name: "</script>")
    let text = "</script><!--\"'\\\u{2028}\u{2029}\u{0}\n\u{202E}é🙂&"
    model.execute(text)
    scheduler.run()
    let script = try folder.text()
    #expect(
      script.unicodeScalars.allSatisfy { !["<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}", "\u{202E}"].contains($0) })
    let (head, entries) = try folder.session()
    #expect(head.models[0].name == "</script>")
    #expect(
      entries[0].value == String(reflecting: text) && entries[2].diff?.last == "+ state: \(String(reflecting: text))")
  }

  @Test func keepsNothingOfAViewModelThatHasGone() throws {
    final class Content: Sendable, Equatable {
      static func == (left: Content, right: Content) -> Bool { left === right }
    }
    weak var content: Content?
    weak var action: Content?
    weak var model: ClosureViewModel<Content, Content?>?
    let inspector = folder.inspector()
    do {
      let (newContent, newAction) = (Content(), Content())
      let newModel = ClosureViewModel<Content, Content?>(nil, scheduler: scheduler) { _, _ in .just { _ in newContent }
      }
      (content, action, model) = (newContent, newAction, newModel)
      inspector.watch(newModel, name: "model")
      newModel.execute(newAction)
      scheduler.advance()
      #expect(content != nil && action != nil && model != nil)
    }
    #expect(model == nil)
    scheduler.run()
    #expect(content == nil && action == nil)
    #expect(try folder.session().head.models.map(\.end) == [0])
  }
}
