import Foundation
import RxViewModel

/// One line of a recording: a JSON array of its kind, its time in milliseconds, its view model, the number of its action, its value, and
/// what else the kind has.
package struct Entry: Sendable {
  package enum Kind: String, Sendable {
    /// A view model, its state if that can be encoded, its name, its type, and how many others of these types were made in front of it.
    case model
    /// Where the recording begins: the number of entries before that.
    case begin
    /// The view model has taken an action from elsewhere, or one that an effect has executed; that effect, the mode, the batch.
    case action, own
    /// It has handled an event of an effect. A timer of an effect has fired.
    case event, timer
    /// Unfinished actions are cancelled; if the view model was at work, after so many states since its newest input.
    case cancel
    /// What is debounced in a lane starts: the name of the lane.
    case flush
    /// The number of the screen.
    case resume, pause
    /// A service has answered; has thrown, or a stream has failed; has not answered. The question, and the number of the call.
    case answer, error, open
    /// What a reading has returned, or a stream has sent at its subscription; a later element of a stream, and its end.
    case value, element, completed
    /// The state at this place.
    case state
    /// The view model has ended.
    case end

    /// Whether something from elsewhere reaches an effect.
    var reachesEffect: Bool { [.answer, .error, .element, .completed, .timer].contains(self) }

    /// Whether the line only says when the view model has handled what one of its effects has sent.
    var isMark: Bool { self == .own || self == .event }

    var isCall: Bool { [.answer, .error, .open, .value, .element, .completed].contains(self) }
  }

  /// Stands for the view model of a call that no effect makes.
  package static let noModel = -1

  package let kind: Kind
  package let time: Int
  package let model: Int
  /// The number of the action. Nil if it is unknown, or if the entry belongs to none.
  package let action: Int?
  /// The call of a service, the reading of a value or the subscription to a stream that the line belongs to.
  package private(set) var call: CallKey?
  package let text: String
  /// The elements of the line as JSON.
  private let fields: [String]

  package init?(_ line: String) {
    guard let fields = Self.fields(of: line), fields.count > 2,
      let kind = Kind(rawValue: "\(fields[0].dropFirst().dropLast())"),
      let time = Int(fields[1]), time >= 0, let model = Int32(fields[2]),
      (try? Coding.decoder.decode([Nothing?].self, from: Data(line.utf8))) != nil
    else { return nil }
    (self.kind, self.time, self.model, text, self.fields) = (kind, time, Int(model), line, fields)
    action = fields.count > 3 ? Int(fields[3]) : nil
    guard kind.isCall, let question = string(5) else { return }
    call = CallKey(model: self.model, action: action, question: question, count: number(6) ?? 0)
  }

  /// The elements of a JSON array. Nil if an element is nested more than 100 deep. Doesn't notice all texts that are no JSON.
  package static func fields(of line: String) -> [String]? {
    let scalars = line.unicodeScalars
    guard scalars.first == "[", scalars.last == "]" else { return nil }
    var (fields, depth, isString, isEscaped) = ([""], 0, false, false)
    for scalar in scalars.dropFirst().dropLast() {
      if depth == 0, !isString, scalar == "," {
        fields.append("")
        continue
      }
      fields[fields.count - 1].unicodeScalars.append(scalar)
      switch scalar {
      case _ where isEscaped: isEscaped = false
      case "\\": isEscaped = isString
      case "\"": isString.toggle()
      case _ where isString: break
      case "[", "{": depth += 1
      case "]", "}": depth -= 1
      default: break
      }
      if depth > 100 { return nil }
    }
    return fields.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// The field as JSON.
  package func json(_ index: Int) -> String { index < fields.count ? fields[index] : "null" }

  package func number(_ index: Int) -> Int? { Int(json(index)) }

  package func string(_ index: Int) -> String? { try? value(String.self, at: index) }

  /// The place of the value in each line.
  package static let valueIndex = 4

  /// Whether the line has no value.
  package var isEmpty: Bool { json(Self.valueIndex) == "null" }

  /// The field as a value.
  package func value<Value: Decodable>(_ type: Value.Type, at index: Int = valueIndex) throws -> Value {
    if json(index) == Codes.unrecorded { throw RecordedError(type: "Unrecorded", description: "\(type)") }
    return try Coding.decoder.decode(type, from: Data(json(index).utf8))
  }

  /// The name of a view model.
  package var name: String { kind == .model ? string(5) ?? "" : "" }

  /// The effect that has executed an action: its view model and its action.
  package var cause: [Int]? {
    let cause = kind == .own ? try? value([Int].self, at: 5) : nil
    return cause?.count == 2 ? cause : nil
  }

  /// Whether the line only says when the view model has handled what one of its effects has sent, or that it has handled nothing.
  package var isMark: Bool { kind.isMark || kind == .begin && number(Self.valueIndex) == 0 }

  /// Whether the view model has taken an input here.
  package var isTaken: Bool { [.action, .own, .event, .flush, .resume, .pause].contains(kind) }

  /// Whether a service has answered or thrown here, or a stream has failed.
  package var isAnswer: Bool { kind == .answer || kind == .error }
}

/// Tells calls apart: by the view model, the action in whose effect they are made, the question, and the number of calls with this question
/// in that effect.
package struct CallKey: Hashable, Sendable {
  package let model: Int
  package let action: Int?
  package let question: String
  package var count: Int

  package init(model: Int, action: Int?, question: String, count: Int = 1) {
    (self.model, self.action, self.question, self.count) = (model, action, question, count)
  }

  /// The key of the first call with this question in the effect.
  package var first: CallKey { CallKey(model: model, action: action, question: question) }

  /// How well a call in a test fits one in the recording, from best to worst.
  package enum Fit: Comparable {
    case same
    /// Another call with this question in the same effect, or in none: first come, first served.
    case sameEffect
    /// One side doesn't know the effect.
    case sameQuestion
  }

  /// Nil if the calls differ.
  package func fit(_ other: CallKey) -> Fit? {
    if self == other { return .same }
    if question != other.question { return nil }
    if model == other.model, action == other.action { return .sameEffect }
    return action == nil || other.action == nil ? .sameQuestion : nil
  }
}
