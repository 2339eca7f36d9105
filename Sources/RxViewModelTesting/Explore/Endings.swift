import RxViewModel

/// The values with which the runs of an exploration have ended: the first one for each series of results of `choose`.
final class Endings<Value: Equatable> {
  private var firsts: [[Int]: (value: Value, order: Order)] = [:]
  private let isAllowed: (Value) -> Bool

  init(allowing isAllowed: @escaping (Value) -> Bool) {
    self.isAllowed = isAllowed
  }

  /// Throws if another order with the same results of `choose` has ended with another value. The first value of these is kept.
  func check(_ value: Value, of run: Exploration) throws {
    let (order, results) = run.state.withLock { (Order(choices: $0.tape.choices, labels: $0.labels), $0.results) }
    let first = firsts[results] ?? (value, order)
    firsts[results] = first
    if value == first.value || isAllowed(value) && isAllowed(first.value) { return }
    throw DifferentEndings(first, (value, order))
  }
}

/// Two orders with the same results of `choose` have ended with different values.
struct DifferentEndings: Error, CustomStringConvertible {
  /// The order with which the failing one was compared.
  let other: Order
  let description: String

  init<Value>(_ first: (value: Value, order: Order), _ second: (value: Value, order: Order)) {
    other = first.order
    let isSmaller = second.order.choices.isSmaller(than: first.order.choices)
    let (old, new) = isSmaller ? (second, first) : (first, second)
    let properties = zip(Mirror(reflecting: old.value).children, Mirror(reflecting: new.value).children)
      .filter { dumpLines(of: $0.value) != dumpLines(of: $1.value) }.compactMap(\.0.label)
    let names = properties.isEmpty ? "" : ": \(properties.joined(separator: ", "))"
    description = """
      The outcome depends on the order of the responses\(names)
      - \(old.order)
      + \(new.order)
      \(differences(old.value, new.value).joined(separator: "\n"))
      If both are correct, say what all correct values have in common: explore { … } allowing: { value in … }
      """
  }
}
