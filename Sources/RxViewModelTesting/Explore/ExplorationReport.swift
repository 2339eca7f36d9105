/// The report of ``explore(limit:seed:failures:overlapping:replaying:trace:picture:issues:file:line:_:allowing:)``.
public struct ExplorationReport: Sendable, CustomStringConvertible {
  /// The number of runs.
  public let runs: Int
  /// Whether every order has run: each in which at most as many requests fail as `failures:` says.
  public let isExhaustive: Bool
  /// Below how many deviations every order has run, unless all have, and how many these are.
  private let covered: (deviations: Int?, runs: Int)
  /// The most requests that fail in a run. Nil if none may fail.
  private let failures: Int?
  /// The order that has run alone.
  private let order: Order?

  init(_ queue: ScriptQueue, failures: Int?) {
    (runs, isExhaustive, order) = (queue.runs, queue.isExhaustive, nil)
    (covered, self.failures) = (isExhaustive ? (nil, runs) : queue.covered, failures)
  }

  init(of order: Order) { (runs, isExhaustive, covered, failures, self.order) = (1, false, (nil, 1), nil, order) }

  /// What the runs have covered, such as "all orders with at most 3 deviations and 1 failure, 8,214 of them, and 1,786 others". A deviation
  /// is a choice other than the first option.
  public var description: String {
    if let order { return "the order \(order)" }
    let limits = [(covered.deviations, "deviation"), (failures, "failure")].compactMap { count, name in
      count.map { "\($0) \(name)\($0 == 1 ? "" : "s")" }
    }
    let clause = limits.isEmpty ? "" : " with at most \(limits.joined(separator: " and "))"
    let others = runs == covered.runs ? "" : ", and \(Self.text(of: runs - covered.runs)) others"
    return "all orders\(clause), \(Self.text(of: covered.runs)) of them\(others)"
  }

  private static func text(of number: Int) -> String {
    let digits = Array("\(number)")
    return digits.indices.map { ($0 > 0 && (digits.count - $0) % 3 == 0 ? "," : "") + "\(digits[$0])" }.joined()
  }
}

/// The seed of the random runs of ``explore(limit:seed:failures:overlapping:replaying:trace:picture:issues:file:line:_:allowing:)``: a number, or
/// ``fresh``.
public struct ExplorationSeed: Sendable, ExpressibleByIntegerLiteral {
  let number: UInt64
  private let isFresh: Bool

  /// Another seed each time, for a job that runs every night. A failure names it.
  public static var fresh: ExplorationSeed { ExplorationSeed(number: .random(in: 0 ... .max), isFresh: true) }

  public init(integerLiteral number: UInt64) { self.init(number) }

  /// Makes the seed with this number.
  public init(_ number: UInt64) { self.init(number: number, isFresh: false) }

  private init(number: UInt64, isFresh: Bool) { (self.number, self.isFresh) = (number, isFresh) }

  /// What a failure says of it.
  var lines: [String] { isFresh ? ["seed: \(number)"] : [] }
}
