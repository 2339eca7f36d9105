// What optimistic updates cost, in microseconds: the table of the page OptimisticUpdates, and three longer scripts.
import Dispatch
import RxViewModel

struct Screen: Sendable, Equatable {
  struct Post: Sendable, Equatable, Identifiable {
    let id: Int
    var isLiked = false
  }

  var posts: [Post]
  var text = 0
}

enum ScreenAction: Sendable, Equatable {
  case like(Int)
  case type
  /// An action without an update, whose response comes later.
  case load
  case loadInSequence
  case refresh
  case row(Int)
}

struct PostRow: Feature {
  let responses: @Sendable (Int) -> Observable<Bool>

  func createObservable(_ id: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Screen.Post>> {
    responses(id).mutate { $0.isLiked = $1 }
  }

  func optimisticUpdate(for id: Int) -> OptimisticUpdate<Screen.Post>? { .change { $0.isLiked = true } }
}

// Sendable: it stores constants only.
final class ScreenModel: RxViewModel<ScreenAction, Screen>, @unchecked Sendable {
  let (like, load, refresh) = (PublishSubject<Bool>(), PublishSubject<Int>(), PublishSubject<[Screen.Post]>())
  let rows: [PublishSubject<Bool>]

  init(posts: Int) {
    rows = (0..<posts).map { _ in PublishSubject<Bool>() }
    let state = Screen(posts: (0..<posts).map { Screen.Post(id: $0) })
    super.init(initialState: state, scheduler: ImmediateScheduler())
  }

  override func createObservable(_ action: ScreenAction) -> Effect {
    switch action {
    case .like: like.ignoreElements()
    case .type: .mutate { $0.text += 1 }
    case .load: load.mutate { $0.text = $1 }
    case .loadInSequence: load.take(1).mutate { $0.text = $1 }
    case .refresh: refresh.mutate { $0.posts = $1 }
    case .row: .never()
    }
  }

  override func optimisticUpdate(for action: ScreenAction) -> OptimisticUpdate<Screen>? {
    switch action {
    case .like(let id): .change { $0.posts[id].isLiked = true }
    case .refresh: .snapshot
    default: nil
    }
  }

  override func executionMode(for action: ScreenAction) -> ExecutionMode {
    action == .loadInSequence ? .sequence : .parallel
  }

  override func child(for action: ScreenAction) -> ChildAction<ScreenAction, Screen>? {
    guard case .row(let id) = action else { return nil }
    return .init(PostRow { [rows] in rows[$0].asObservable() }, id, at: \.posts, id: id, as: { .row($0) })
  }

  override func diagnose(_ diagnostic: ViewModelDiagnostic<ScreenAction>) {}
}

func microseconds(_ body: () -> Void) -> Double {
  let start = DispatchTime.now().uptimeNanoseconds
  body()
  return Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000
}

/// The median of 51 measurements, each with a view model of its own.
func median(
  _ steps: Int, before: (ScreenModel) -> Void, after: (ScreenModel) -> Void, _ operation: (ScreenModel) -> Void
) -> Double {
  let times = (0..<51).map { _ in
    let model = ScreenModel(posts: 20)
    before(model)
    if steps > 0 {
      model.execute(.like(3))
      for _ in 1..<steps { model.execute(.type) }
    }
    after(model)
    return microseconds { operation(model) }
  }
  return times.sorted()[25]
}

func text(_ value: Double) -> String { value < 10 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))" }

func row(
  _ name: String, before: (ScreenModel) -> Void = { _ in }, after: (ScreenModel) -> Void = { _ in },
  operation: (ScreenModel) -> Void
) {
  let columns = [0, 10, 100, 1_000].map { text(median($0, before: before, after: after, operation)) }
  print("| \(name) | \(columns.joined(separator: " | ")) |")
}

let answer = (0..<20).map { Screen.Post(id: $0) }
print("| microseconds, with so many steps | 0 | 10 | 100 | 1,000 |")
print("|---|---|---|---|---|")
row("a mapper on top, such as typing") { $0.execute(.type) }
row("an action that shows a change") { $0.execute(.like(4)) }
row("a response below the change", before: { $0.execute(.load) }, operation: { $0.load.onNext(5) })
row("a snapshot begins") { $0.execute(.refresh) }
row("its response", after: { $0.execute(.refresh) }, operation: { $0.refresh.onNext(answer) })
row("the change is confirmed") { $0.like.onCompleted() }
row("the change is taken back") { $0.cancelActions { $0 == .like(3) } }
print("")
for isOptimistic in [false, true] {
  let model = ScreenModel(posts: 20)
  if isOptimistic { model.execute(.like(3)) }
  let time = microseconds { for _ in 0..<4_000 { model.execute(.type) } }
  print("4,000 typed, \(isOptimistic ? "over an unconfirmed change" : "nothing undecided"): \(text(time / 1_000)) ms")
}
for isOptimistic in [false, true] {
  let model = ScreenModel(posts: 20)
  if isOptimistic { model.execute(.like(3)) }
  for _ in 0..<4_000 { model.execute(.loadInSequence) }
  let time = microseconds { for number in 0..<4_000 { model.load.onNext(number) } }
  let place = isOptimistic ? "beside an unconfirmed change" : "nothing undecided"
  print("4,000 in sequence, \(place): \(text(time / 1_000)) ms")
}
let model = ScreenModel(posts: 200)
let time = microseconds {
  for id in 0..<200 { model.execute(.row(id)) }
  for id in 0..<200 { model.rows[id].onNext(false) }
}
print("200 rows, each with a change and then a response: \(text(time / 1_000)) ms")
