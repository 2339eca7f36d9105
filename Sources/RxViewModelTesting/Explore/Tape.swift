/// One choice of a run: the number of the chosen option, and how many there were.
struct Choice: Equatable, Sendable {
  var value: Int
  let options: Int

  /// Whether it differs from the simplest one.
  var isDeparture: Bool { value > 0 }
}

extension [Choice] {
  /// A sequence is smaller than another one if it is shorter, or has fewer departures, or comes first in the order of its numbers.
  func isSmaller(than other: [Choice]) -> Bool {
    if count != other.count { return count < other.count }
    let (departures, others) = (count(where: \.isDeparture), other.count(where: \.isDeparture))
    if departures != others { return departures < others }
    return lazy.map(\.value).lexicographicallyPrecedes(other.lazy.map(\.value))
  }
}

/// The choices of one run, in their order.
///
/// A run asks the tape at each choice. The tape follows its script as far as that goes, and then takes the first option each time. Once
/// the script does not fit the run, the tape has a fault, and it takes the first option from then on.
struct Tape: Sendable {
  /// The script that the tape follows.
  enum Script: Sendable {
    /// Choices that another run has made, perhaps with the last of them changed. The numbers of options have to be the same.
    case choices([Choice])
    /// Numbers that the user has given. Each has to be one of the options, and each has to be used.
    case numbers([Int])
    /// Numbers that are changed to fit: one that is too large counts as the last option, and a missing one as the first.
    case attempt([Int])
    /// A random option for one choice in so many, and the first option for the others.
    case sample(SplitMix64, oneIn: UInt64)
  }

  private(set) var script: Script
  private(set) var choices: [Choice] = []
  /// Why the script does not fit, as a sentence about the body of the test.
  private(set) var fault: String?

  init(_ script: Script) { self.script = script }

  /// The next choice among so many options, counted from zero.
  mutating func choose(among options: Int) -> Int {
    let value = fault == nil ? next(among: options) : 0
    choices.append(Choice(value: value, options: options))
    return value
  }

  /// Notes the end of the run. A run that has failed may have left numbers of the user's unused.
  mutating func end(hasFailed: Bool) {
    guard fault == nil else { return }
    let made = choices.count
    switch script {
    case .choices(let script) where script.count > made:
      let order = OrderText.text(of: script.map(\.value))
      fault =
        "The body is not deterministic: it made \(script.count) choices or more for \"\(order)\", and makes \(made) in another run"
    case .numbers(let script) where script.count > made && !hasFailed:
      fault = "The order has \(script.count) numbers, but the body makes \(made) choices"
    default: break
    }
  }

  private mutating func next(among options: Int) -> Int {
    let index = choices.count
    switch script {
    case .choices(let script):
      guard index < script.count else { return 0 }
      if script[index].options == options { return script[index].value }
      let order = OrderText.text(of: script.map(\.value))
      fault = """
        The body is not deterministic: choice \(index + 1) of "\(order)" had \(script[index].options) options, and has \(options) \
        in another run
        """
      return 0
    case .numbers(let script):
      guard index < script.count else { return 0 }
      if script[index] < options { return script[index] }
      fault = """
        The order does not fit the body: number \(index + 1) is \(script[index]), and the options are 0 to \(options - 1)
        """
      return 0
    case .attempt(let script): return index < script.count ? min(script[index], options - 1) : 0
    case .sample(var random, let rate):
      let value = random.next(below: rate) == 0 ? Int(random.next(below: UInt64(options))) : 0
      self.script = .sample(random, oneIn: rate)
      return value
    }
  }
}
