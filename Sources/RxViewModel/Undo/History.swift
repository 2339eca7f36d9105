/// A value with the steps that led to it: for a ⌘Z in a form or in a drawing.
///
///     struct Sketch: Sendable, Equatable { var drawing = History(Drawing()) }
///
///     state.drawing.value.circles.append(circle)   // a step
///     state.drawing.undo()
///
/// Each assignment to ``value`` is a step, unless it changes nothing. Swift values share the storage that they have in common, so a step
/// costs only what it has changed. The history belongs to the state: equal histories are equal states, and a `Codable` one is saved with
/// its steps.
public struct History<Value: Sendable>: Sendable {
  /// The number of steps that can be undone. Older steps are forgotten.
  let limit: Int
  private var current: Value
  /// The values that can be undone to, the oldest first.
  private var past: [Value] = []
  /// The values that can be redone to, the next one last.
  private var future: [Value] = []
  /// The value at the beginning of the group.
  private var groupStart: Value?
  private var isGroupChanged = false

  /// - Parameters:
  ///   - value: The value before the first step.
  ///   - limit: The number of steps that can be undone, at least 1.
  public init(_ value: Value, limit: Int = 100) {
    require(limit, atLeast: 1, "History: limit")
    (current, self.limit) = (value, limit)
  }

  /// The current value. Assigning to it records a step and clears the redo stack.
  ///
  /// If the type is `Equatable`, assigning an equal value is no step.
  public var value: Value {
    get { current }
    set {
      if Self.areEqual(newValue, current) { return }
      if let groupStart { isGroupChanged = !Self.areEqual(newValue, groupStart) } else { remember(current) }
      current = newValue
    }
  }

  /// Whether ``undo()`` does something.
  public var canUndo: Bool { isGroupChanged || !past.isEmpty }

  /// Whether ``redo()`` does something.
  public var canRedo: Bool { !isGroupChanged && !future.isEmpty }

  /// Goes back by one step. Does nothing if there is none. An open group is ended first, and is that step.
  public mutating func undo() {
    endGroup()
    guard let value = past.popLast() else { return }
    future.append(current)
    current = value
  }

  /// Takes the last undo back. Does nothing if there is none, or if the value has changed since.
  public mutating func redo() {
    endGroup()
    guard let value = future.popLast() else { return }
    past.append(current)
    current = value
  }

  /// Makes one step of all changes until ``endGroup()`` or ``cancelGroup()``: for a drag, or for a dialog that shows its changes
  /// immediately.
  ///
  /// If a group is open, it is ended first.
  public mutating func beginGroup() {
    endGroup()
    groupStart = current
  }

  /// Ends the group, which is one step if it has changed the value. Does nothing without a group.
  public mutating func endGroup() {
    if let start = groupStart, isGroupChanged { remember(start) }
    (groupStart, isGroupChanged) = (nil, false)
  }

  /// Ends the group, and goes back to the value at its beginning, as if nothing had changed. Does nothing without a group.
  public mutating func cancelGroup() {
    if let groupStart { current = groupStart }
    (groupStart, isGroupChanged) = (nil, false)
  }

  private mutating func remember(_ value: Value) {
    past.append(value)
    if past.count > limit { past.removeFirst() }
    future = []
  }

  /// False if the type has no `==`.
  private static func areEqual(_ left: Value, _ right: Value) -> Bool {
    (left as? any Equatable)?.isEqual(to: right) ?? false
  }
}

extension History: Equatable where Value: Equatable {}
extension History: Hashable where Value: Hashable {}
extension History: Encodable where Value: Encodable {}
extension History: Decodable where Value: Decodable {}
