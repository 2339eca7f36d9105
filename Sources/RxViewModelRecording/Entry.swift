import Foundation

/// One line of a recording.
package struct Entry: Sendable, Equatable {
  package enum Kind: String, Sendable {
    /// A view model has been made: its name, its type, and its initial state if that can be encoded.
    case model
    /// The view model has taken an action from elsewhere, or one of its own.
    case action, own
    /// A request has cancelled an action of the view model's own, before the view model has taken it.
    case gone
    /// The view model has taken an event that an effect has sent from elsewhere, or the end of a quiet time.
    case event, quiet
    /// The view model has taken an output, or an error that belongs to no action.
    case call, failure
    case resume, pause
    case cancel
    case answer, error, open
    case value
    /// An element of a stream, or one that it has sent at its subscription; its end.
    case element, opening, completed, failed
    case state
    /// The view model has ended.
    case end
    /// The earlier entries have been dropped.
    case middle
    /// The recorder has met no input of a view model's own.
    case marks
  }

  package let kind: Kind
  /// In milliseconds since the recorder was made.
  package let time: Int
  package let model: Int
  /// The values of the entry, as the comment of the kind says.
  package let fields: [JSON]
  package let text: String

  /// The number of the action. Nil if it is unknown, and for a kind without an action.
  package var action: Int? { fields.first?.integer }

  /// Whether the line only says when the view model has taken one of its own inputs, or that it has taken none.
  package var isMark: Bool {
    switch kind {
    case .own, .gone, .event, .quiet, .call, .failure, .marks: true
    default: false
    }
  }

  /// Whether the recording begins here with a state, and not with the view model.
  package var isRestart: Bool { kind == .model && fields.count > 3 }

  /// Whether the view model has taken an input here.
  package var isTaken: Bool { isMark && kind != .marks || [.action, .resume, .pause].contains(kind) }

  init?(_ line: String) {
    // The line is an array, in which the value stands.
    guard Coding.depth(of: line) <= Coding.deepest + 1,
      let parts = try? Coding.value([JSON].self, from: Data(line.utf8)), let name = parts.first?.string,
      let kind = Kind(rawValue: name)
    else { return nil }
    var numbers: ArraySlice<JSON> = parts.dropFirst()
    (self.kind, text) = (kind, line)
    time = kind == .model ? 0 : numbers.popFirst()?.integer ?? -1
    model = numbers.popFirst()?.integer ?? -1
    fields = Array(numbers)
    if time < 0 || model < 0 || fields.count < kind.fields { return nil }
  }

  /// The call of a service, the reading of a value or the subscription to a stream that the line belongs to.
  package var call: CallKey? {
    guard fields.count >= 3, let question = fields[1].string else { return nil }
    return CallKey(model: model, action: action, question: question, count: fields[2].integer ?? 0)
  }
}

extension Entry.Kind {
  /// The number of fields that the line has at least, behind the model.
  fileprivate var fields: Int {
    switch self {
    case .model, .own, .gone: 3
    case .action, .cancel: 2
    case .event, .quiet, .resume, .pause, .state: 1
    case .answer, .value, .element, .opening: 4
    case .error, .failed: 5
    case .open, .completed: 3
    case .call, .failure, .end, .middle, .marks: 0
    }
  }
}

/// Tells calls apart: by the view model, the action in whose effect they are made, the question, and the number of calls with this question
/// in that effect. A call whose action is unknown to one side is found by its question.
package struct CallKey: Hashable, Sendable {
  package let model: Int
  package let action: Int?
  package let question: String
  package var count: Int

  var first: CallKey { CallKey(model: model, action: action, question: question, count: 1) }

  /// The least number of an action that a test has executed and for which the recording has no number.
  static let fresh = 1_000_000_000

  package func means(_ other: CallKey) -> Bool {
    guard action != nil, action != 0, let number = other.action, number < Self.fresh else {
      return question == other.question
    }
    return self == other
  }
}
