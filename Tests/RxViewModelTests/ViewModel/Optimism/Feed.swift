import RxViewModel

@testable import TestSupport

/// A list of rows, and a log, to which each mapper may append what it likes.
struct Feed: Sendable, Equatable {
  struct Row: Sendable, Equatable, Identifiable {
    let id: Int
    var text: [Int] = []
  }

  var rows: [Row] = []
  var log: [Int] = []

  func has(_ row: Int) -> Bool { rows.contains { $0.id == row } }

  mutating func insert(_ row: Int) { if !has(row) { rows.append(Row(id: row)) } }
  mutating func remove(_ row: Int) { rows.removeAll { $0.id == row } }
  mutating func append(_ value: Int, to row: Int) {
    if let index = rows.firstIndex(where: { $0.id == row }) { rows[index].text.append(value) }
  }
}

/// What an action does. The test sends the mappers of its effect.
struct FeedPlan: Sendable {
  typealias Change = @Sendable (inout Feed) -> Void
  typealias RowChange = @Sendable (inout Feed.Row) -> Void

  /// The row that the action belongs to. Nil for the feed's own.
  var row: Int?
  var change: Change?
  var rowChange: RowChange?
  var isSnapshot = false
  var isSilent = false
  /// What the effect sends before it waits for the test.
  var first: Change?
  var mode = ExecutionMode.parallel
  /// The mapper for its error.
  var recovery: Change?

  var errorMapper: StateMapper<Feed>? {
    guard let recovery else { return nil }
    return { feed in
      var feed = feed
      recovery(&feed)
      return feed
    }
  }

  var update: OptimisticUpdate<Feed>? {
    guard let change else { return isSnapshot ? .snapshot : nil }
    return isSnapshot ? .snapshot(changing: change) : .change(change)
  }
}

/// The row of a feed, whose actions are numbers of plans.
struct FeedRow: Feature {
  let plans: @Sendable (Int) -> FeedPlan
  let effect: @Sendable (Int) -> Observable<FeedPlan.RowChange>

  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Feed.Row>> {
    effect(action).mutate { $1(&$0) }
  }

  func executionMode(for action: Int) -> ExecutionMode { plans(action).mode }

  func optimisticUpdate(for action: Int) -> OptimisticUpdate<Feed.Row>? {
    plans(action).rowChange.map { plans(action).isSnapshot ? .snapshot(changing: $0) : .change($0) }
  }
}
