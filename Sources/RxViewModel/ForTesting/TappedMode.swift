/// The mode with which an action has been executed, as a recording has it.
package struct TappedMode: Codable, Sendable {
  let kind: ExecutionMode.Kind
  let lane: String?

  package init(_ mode: ExecutionMode) { (kind, lane) = (mode.kind, mode.lane?.name) }

  var mode: ExecutionMode { ExecutionMode(kind, lane: lane.map { .init(stringLiteral: $0) }) }
}
