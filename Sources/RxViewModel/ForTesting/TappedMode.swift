/// The mode with which an action has been executed, as a recording has it.
package struct TappedMode: Codable, Sendable {
  let kind: ExecutionMode.Kind
  let lane: String?

  package init(_ mode: ExecutionMode) { (kind, lane) = (mode.kind, mode.lane?.name) }

  var mode: ExecutionMode { ExecutionMode(kind, lane: lane.map { .init(stringLiteral: $0) }) }
}

extension ExecutionMode {
  /// The same mode with other names of its lane and its key.
  package func renamed(_ name: (String) -> String) -> ExecutionMode {
    let kind: Kind = if case .join(let key) = kind { .join(key: name(key)) } else { kind }
    return ExecutionMode(kind, lane: lane.map { Lane(stringLiteral: name($0.name)) })
  }
}
