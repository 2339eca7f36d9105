import RxViewModel

/// The values with which the runs of an exploration have ended: the first one of each world.
final class Endings<Value: Equatable> {
  private typealias Ending = (value: Value, order: Order, isCompared: Bool)

  private var firsts: [Exploration.World: Ending] = [:]
  private let isAllowed: (Value) -> Bool

  init(allowing isAllowed: @escaping (Value) -> Bool) { self.isAllowed = isAllowed }

  func forget() { firsts = [:] }

  /// Throws if another order of the same world has ended with another value. The first value of these is kept.
  func check(_ value: Value, of run: Exploration) throws {
    let (order, world) = run.state.withLock { (Order($0), $0.world) }
    guard let first = firsts[world] else {
      firsts[world] = (value, order, false)
      return
    }
    if order.choices != first.order.choices { firsts[world]!.isCompared = true }
    if value == first.value || isAllowed(value) && isAllowed(first.value) { return }
    throw DifferentEndings((first.value, first.order), (value, order))
  }

  /// An order that was not the only one, and was compared with no other, after all have run. Nil if there is none. A request may fail, or
  /// get lost, in a single order.
  var uncompared: Order? {
    firsts.filter { $0.fates.isEmpty && !$1.isCompared && $1.order.isOneOfMany }.map(\.value.order).min {
      $0.choices.isSmaller(than: $1.choices)
    }
  }
}

/// Two orders of the same world have ended with different values.
struct DifferentEndings: Error, CustomStringConvertible {
  /// The order with which the failing one was compared.
  let other: Order
  let description: String

  init<Value>(_ first: (value: Value, order: Order), _ second: (value: Value, order: Order)) {
    other = first.order
    let isSmaller = second.order.choices.isSmaller(than: first.order.choices)
    let (old, new) = isSmaller ? (second, first) : (first, second)
    let properties = zip(Mirror(reflecting: old.value).children, Mirror(reflecting: new.value).children).filter {
      dumpLines(of: $0.value) != dumpLines(of: $1.value)
    }.compactMap(\.0.label)
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
