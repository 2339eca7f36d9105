import Foundation
import RxViewModel

/// One line of a recording: a JSON array of its kind, its time in milliseconds, its view model, and what the kind has.
package struct Entry: Sendable {
  package enum Kind: String, Sendable {
    /// A view model: its name, its type, and its state if that can be encoded.
    case model
    /// Where the recording begins: an unfinished action of a view model, the number of its events so far, its mode, its batch; the newest
    /// element of a stream that its effect follows; the number of entries before that.
    case again, latest, begin
    /// The view model has taken an action from elsewhere, one of its own, one that had been cancelled or whose batch had been stopped: its
    /// number, itself, the effect that has executed it, its mode, its batch.
    case action, own, gone
    /// It has taken an event of an effect from elsewhere, the end of a debounce, an output, an error that belongs to no action.
    case event, quiet, call, failure
    /// Events of an effect from elsewhere were no inputs: the driver has forwarded them from another thread, because it was in an operator of
    /// the effect; or it has handled them before a later event of its own.
    case forwarded
    case resume, pause
    /// A timer of an effect has fired.
    case timer
    /// Running actions are cancelled, after so many looks.
    case cancel
    /// A service has answered, has thrown; has not answered.
    case answer, error, open
    case value
    /// An element of a stream, one at its subscription; its end, its end at its subscription.
    case element, opening, completed, failed, closing
    /// The state at this place.
    case state
    /// The view model has ended.
    case end

    /// Whether a stream has ended.
    package var isEnd: Bool { self == .completed || self == .failed || self == .closing }

    /// The index of the value in the line; 0 without one.
    package var valueIndex: Int {
      switch self {
      case .model: 5
      case .again, .action, .own, .gone: 4
      case .latest, .answer, .value, .element, .opening: 6
      case .error, .failed, .closing: 7
      case .state: 3
      default: 0
      }
    }

    /// The least number of fields in the line.
    fileprivate var leastFields: Int {
      switch self {
      case .event, .forwarded, .quiet, .resume, .pause, .timer: 4
      case .cancel: 5
      case .open, .completed, .closing: 6
      case .begin, .call, .failure, .end: 3
      default: valueIndex + 1
      }
    }
  }

  /// Stands for the view model of a call that no effect makes.
  package static let noModel = -1

  package let kind: Kind
  package let time: Int
  package let model: Int
  /// The number of the action. Nil if it is unknown, or if the entry belongs to none.
  package let action: Int?
  package let text: String
  /// The elements of the line as JSON.
  private let fields: [String]
  /// The fields that have been decoded, which are values of `Sendable` types.
  private let decoded = Lock<[Int: Any]>([:])

  package init?(_ line: String) {
    guard let fields = Self.fields(of: line), fields.count > 2,
      let kind = Kind(rawValue: "\(fields[0].dropFirst().dropLast())"),
      fields.count >= kind.leastFields, let time = Int(fields[1]), time >= 0, let model = Int(fields[2]),
      (try? Coding.decoder.decode([Nothing?].self, from: Data(line.utf8))) != nil
    else { return nil }
    (self.kind, self.time, self.model, text, self.fields) = (kind, time, model, line, fields)
    action = fields.count > 3 && ![.model, .state, .begin, .resume, .pause].contains(kind) ? Int(fields[3]) : nil
  }

  /// Makes a line from its fields behind the model. Nil if these are no JSON.
  package init?(_ kind: Kind, _ model: Int, _ fields: [String]) {
    self.init("[\"\(kind.rawValue)\",0,\(model),\(fields.joined(separator: ","))]")
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

  /// The field as a value. Decoded once.
  package func value<Value: Decodable>(_ type: Value.Type, at index: Int? = nil) throws -> Value {
    let index = index ?? kind.valueIndex
    if let known = decoded.withLock({ $0[index] }), let value = known as? Value { return value }
    if json(index) == Codes.unrecorded { throw RecordedError(type: "Unrecorded", description: "\(type)") }
    let value = try Coding.decoder.decode(type, from: Data(json(index).utf8))
    let old = decoded.withLock { $0.updateValue(value, forKey: index) }
    return withExtendedLifetime(old) { value }
  }

  /// The effect that has executed an action: its view model and its action.
  package var cause: [Int]? {
    let cause = kind == .own || kind == .gone ? try? value([Int].self, at: 5) : nil
    return cause?.count == 2 ? cause : nil
  }

  /// Whether the view model has taken an input here.
  package var isTaken: Bool { [.action, .own, .gone, .event, .quiet, .call, .failure, .resume, .pause].contains(kind) }

  /// Whether the line only says when the view model has taken one of its own inputs, or handled events that were no inputs.
  package var isMark: Bool { [.own, .gone, .event, .forwarded, .quiet, .call, .failure].contains(kind) }

  /// Whether a service has answered or thrown here.
  package var isAnswer: Bool { kind == .answer || kind == .error }
  /// Whether a service has thrown, or a stream has failed.
  package var isError: Bool { kind == .error || kind == .failed || kind == .closing && fields.count > 6 }
  /// Whether a stream has completed.
  package var isCompletion: Bool { kind.isEnd && !isError }
  /// Whether a stream has sent an element, or has ended, at its subscription.
  package var isOpening: Bool { kind == .opening || kind == .closing }

  /// The call of a service, the reading of a value or the subscription to a stream that the line belongs to.
  package var call: CallKey? {
    guard kind.valueIndex > 5 || kind == .open || kind == .completed else { return nil }
    return string(4).map { CallKey(model: model, action: action, question: $0, count: number(5) ?? 0) }
  }
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

  /// The least number of an action that a test has executed and for which the recording has no number.
  package static let firstUnrecordedAction = 1_000_000_000

  private var hasEffect: Bool { action.map { $0 != 0 && $0 < Self.firstUnrecordedAction } ?? false }

  /// How well a call in a test fits one in the recording, from best to worst. If one side doesn't know the effect, the question decides.
  package enum Fit: Comparable {
    case same, sameQuestion
    /// Another call with this question in the same effect. If a recording begins later, the effect had made calls that the test doesn't make.
    case sameEffect
  }

  /// Nil if the calls differ.
  package func fit(_ other: CallKey) -> Fit? {
    if self == other { return .same }
    if question != other.question { return nil }
    if !hasEffect || !other.hasEffect { return .sameQuestion }
    return first == other.first ? .sameEffect : nil
  }
}
