import RxViewModel
import RxViewModelTesting

@testable import TestSupport

/// A marble diagram in the documentation comment of an operator, in the notation of ``MarbleRow``.
struct MarbleDiagram {
  let outputs: [String: [MarbleRow]]
  let inputs: [String: [MarbleRow]]

  /// - Parameter lines: The rows.
  init(_ lines: [String], of function: String) throws {
    let parts = try lines.map { line -> (label: Substring, column: Int, drawing: Substring) in
      let gap = line.firstRange(of: "  ")
      guard let gap, let column = line[gap.upperBound...].firstIndex(where: { $0 != " " }) else {
        throw MarbleRow.Unreadable(reason: "“\(line)” is not a label, two spaces and a drawing")
      }
      return (line[..<gap.lowerBound], line.distance(from: line.startIndex, to: column), line[column...])
    }
    let left = parts.map(\.column).min() ?? 0
    let rows = try parts.map {
      try MarbleRow(label: String($0.label), start: $0.column - left, drawing: String($0.drawing))
    }
    let isOutput = { (row: MarbleRow) in row.label.prefix { $0 != "(" && $0 != " " } == function }
    outputs = Dictionary(grouping: rows.filter(isOutput), by: \.label)
    inputs = Dictionary(grouping: rows.filter { !isOutput($0) }, by: \.label)
    if outputs.isEmpty { throw MarbleRow.Unreadable(reason: "no row begins with \(function)") }
  }

  /// Runs an operator with the drawn inputs. Returns the differences from the drawing.
  func faults(of drawn: DrawnOperator) -> [String] {
    let (scheduler, rows) = (TestScheduler(), outputs[drawn.label] ?? [])
    let inputs = DrawnInputs(rows: inputs, scheduler: scheduler)
    let stream = drawn.make(inputs)
    let observers = rows.map { row in
      let observer = TestObserver<String>(scheduler: scheduler)
      if row.start == 0 {
        _ = stream.subscribe(observer)
      } else {
        _ = scheduler.schedule(after: .milliseconds(row.start)) { _ = stream.subscribe(observer) }
      }
      return observer
    }
    scheduler.advance(by: .milliseconds(1_000))
    var faults = inputs.faults
    for (row, observer) in zip(rows, observers) {
      let end = Duration.milliseconds(row.start + row.length)
      let seen = observer.events.filter { row.hasEnd || $0.time < end }.map(MarbleRow.text)
      if seen != row.seen { faults.append("\(drawn.label): drawn as \(row.seen), but the subscriber sees \(seen)") }
    }
    return faults
  }
}

/// The drawn inputs, to which an operator subscribes: `$0.source`, `$0.other`.
@dynamicMemberLookup
final class DrawnInputs: Sendable {
  let scheduler: TestScheduler
  private let rows: [String: [MarbleRow]]
  private let state = Locked((subscriptions: [String: Int](), faults: [String]()))

  init(rows: [String: [MarbleRow]], scheduler: TestScheduler) {
    (self.rows, self.scheduler) = (rows, scheduler)
  }

  /// A scheduler that runs all work two units of time late.
  var busy: any Scheduler { BusyScheduler(scheduler: scheduler) }

  /// The inner stream for an element: the row `inner 1`.
  func inner(_ element: String) -> Observable<String> {
    self["inner \(element)"]
  }

  subscript(dynamicMember label: String) -> Observable<String> {
    self[label]
  }

  subscript(_ label: String) -> Observable<String> {
    .create { [self] observer in
      let number = state.mutate { state in
        state.subscriptions[label, default: 0] += 1
        return state.subscriptions[label]!
      }
      guard let rows = rows[label], number <= rows.count else {
        fault("subscription \(number) to \(label) is not drawn")
        return Disposables.create()
      }
      let row = rows[number - 1]
      if scheduler.now != .milliseconds(row.start) {
        fault("the diagram shows a subscription to \(label) in column \(row.start), but it comes at \(scheduler.now)")
      }
      return scheduler.coldObservable(row.events).subscribe(observer)
    }
  }

  /// The differences from the drawing, including drawn inputs to which the operator has not subscribed.
  var faults: [String] {
    let unused = rows.flatMap { label, rows in
      (state.value.subscriptions[label, default: 0]..<max(rows.count, state.value.subscriptions[label, default: 0]))
        .map { "no subscription to row \($0 + 1) of \(label)" }
    }
    return state.value.faults + unused
  }

  private func fault(_ text: String) {
    state.mutate { $0.faults.append(text) }
  }
}

private struct BusyScheduler: Scheduler {
  let scheduler: TestScheduler

  func schedule(_ work: @escaping @Sendable () -> Void) {
    _ = schedule(after: .zero, work)
  }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    scheduler.schedule(after: delay + .milliseconds(2), work)
  }
}
