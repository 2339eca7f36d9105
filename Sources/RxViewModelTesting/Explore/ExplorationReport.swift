/// The report of ``explore(limit:seed:failures:overlapping:replaying:trace:picture:issues:file:line:_:allowing:)``.
public struct ExplorationReport: Sendable, CustomStringConvertible {
  /// The number of runs.
  public let runs: Int
  /// Whether every order has run: each in which at most as many requests fail as `failures:` says.
  public let isExhaustive: Bool
  /// What the runs have covered, such as "all orders with at most 3 deviations and 1 failure, 8,214 of them, and 1,786 others". A deviation
  /// is a choice other than the first option.
  public let description: String

  /// - Parameters:
  ///   - covered: The number of deviations below which every order has run, and how many these are.
  ///   - failures: The most requests that fail in a run. Nil if none may fail.
  init(_ queue: ScriptQueue, failures: Int?) {
    (runs, isExhaustive) = (queue.runs, queue.isExhaustive)
    let (deviations, covered) = isExhaustive ? (nil, runs) : queue.covered
    let limits = [(deviations, "deviation"), (failures, "failure")].compactMap { count, name in
      count.map { "\($0) \(name)\($0 == 1 ? "" : "s")" }
    }
    let clause = limits.isEmpty ? "" : " with at most \(limits.joined(separator: " and "))"
    let others = runs == covered ? "" : ", and \(Self.text(of: runs - covered)) others"
    description = "all orders\(clause), \(Self.text(of: covered)) of them\(others)"
  }

  /// The report of one order.
  init(of order: Order) { (runs, isExhaustive, description) = (1, false, "the order \(order)") }

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
