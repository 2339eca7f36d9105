import Foundation

extension Recording {
  /// Draws the recording: one HTML file, which loads nothing from elsewhere.
  ///
  /// The page has a lane for each action, over the order of the entries. At each step, which the arrow keys choose, it shows the entries,
  /// what has changed, and the whole state, as far as the recording holds states. O(n) in the number of entries.
  public func timeline() -> String {
    picture().page
  }

  /// - Parameters:
  ///   - states: The states that a replay has shown, with the position of the entry that was played. Nil stands for the recorded ones.
  ///   - failing: The position of the entry at which a test fails.
  package func picture(
    states: [(entry: Int, model: Int, text: String)]? = nil, failing: Int? = nil, failure: String? = nil
  ) -> Picture {
    var picture = Picture("Recording of \(count) \(count == 1 ? "entry" : "entries")")
    picture.failure = failure
    var steps: [Int?] = []
    var texts: [String: String] = [:]
    for entry in entries {
      if entry.kind == .state {
        let digest = entry.field(0).string ?? ""
        if let text = entry.field(1).string { texts[digest] = text }
        if states == nil { picture.show(texts[digest] ?? "(not recorded)", of: entry.model) }
      } else if entry.kind != .marks {
        if entry.kind == .model { picture.name(entry.model, entry.modelName) }
        picture.add(
          entry.kind.rawValue, time: entry.kind == .model ? nil : entry.time,
          model: entry.kind == .middle ? nil : entry.model, actions: entry.lanes, origin: entry.origin,
          isInput: entry.isTaken && entry.kind != .gone || entry.kind == .model, label: entry.label, line: entry.text)
      }
      steps.append(picture.last)
    }
    for state in states ?? [] where steps.indices.contains(state.entry) {
      picture.show(state.text, of: state.model, at: steps[state.entry])
    }
    picture.failing = failing.flatMap { steps.indices.contains($0) ? steps[$0] : nil }
    return picture
  }
}

extension Picture {
  /// Writes the page to a file. Returns a line for a failure, which names the file.
  package func write(to path: String) -> String {
    do {
      try page.write(toFile: path, atomically: true, encoding: .utf8)
      return "picture: \(path)"
    } catch {
      return "The picture cannot be written to \(path)"
    }
  }
}

extension Entry {
  fileprivate func field(_ index: Int) -> JSON {
    index < fields.count ? fields[index] : .null
  }

  fileprivate var modelName: String {
    let (name, type) = (field(0).string ?? "", field(1).string ?? "")
    return name.isEmpty ? type : name
  }

  /// The numbers of the actions in whose lanes the entry stands.
  fileprivate var lanes: [Int] {
    switch kind {
    case .action, .own, .gone, .event, .quiet, .answer, .error, .open, .value, .element, .opening, .completed, .failed:
      action.map { [$0] } ?? []
    case .cancel: (field(0).array ?? []).compactMap(\.integer)
    default: []
    }
  }

  fileprivate var origin: (model: Int, action: Int?)? {
    guard kind == .own || kind == .gone, let origin = field(1).array, let model = origin.first?.integer else {
      return nil
    }
    return (model, origin.last?.integer)
  }

  fileprivate var label: String {
    switch kind {
    case .action: field(1).label
    case .own, .gone: field(2).label
    case .answer, .value, .element, .opening: "\(field(1).string ?? "") → \(field(3).label)"
    case .error, .failed: "\(field(1).string ?? "") → \(field(3).string ?? ""): \(field(4).label)"
    case .open, .completed: field(1).string ?? ""
    case .model: "\(modelName): \(field(1).string ?? "")"
    default: ""
    }
  }
}

extension JSON {
  /// The value as Swift would write it, as far as that can be told: `{"search":{"_0":"a"}}` is `search("a")`.
  fileprivate var label: String {
    switch self {
    case .null: return "nil"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .unsigned(let value): return "\(value)"
    case .number(let value): return "\(value)"
    case .decimal(let value): return "\(value)"
    case .text(let value): return "\"\(value)\""
    case .array(let values): return "[\(values.map(\.label).joined(separator: ", "))]"
    case .object(let values):
      if values.count == 1, let (name, payload) = values.first, case .object(let payload) = payload {
        return payload.isEmpty ? name : "\(name)(\(payload.labels))"
      }
      return "(\(values.labels))"
    }
  }
}

extension [String: JSON] {
  fileprivate var labels: String {
    sorted { $0.key < $1.key }
      .map { $0.key.hasPrefix("_") ? $0.value.label : "\($0.key): \($0.value.label)" }
      .joined(separator: ", ")
  }
}
