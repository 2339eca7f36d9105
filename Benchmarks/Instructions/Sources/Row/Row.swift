import Dispatch

/// An operation to measure.
public struct Row: Sendable {
  let name: String
  let run: @Sendable (Int) -> Void

  /// Makes a row whose `run` does the operation a given number of times.
  public init(name: String, run: @escaping @Sendable (Int) -> Void) {
    (self.name, self.run) = (name, run)
  }
}

public final class Sum: @unchecked Sendable {  // Sendable: one thread uses it at a time.
  public var value = 0

  public init() {}
}

/// With the arguments ROW COUNT, does a row's operation that often and prints the nanoseconds of one. Without, prints the rows' names.
public func measure(_ rows: [Row]) {
  let arguments = CommandLine.arguments
  if arguments.count == 3, let row = rows.first(where: { $0.name == arguments[1] }), let count = Int(arguments[2]) {
    let start = DispatchTime.now().uptimeNanoseconds
    row.run(count)
    print(Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count))
  } else {
    for row in rows { print(row.name) }
  }
}
