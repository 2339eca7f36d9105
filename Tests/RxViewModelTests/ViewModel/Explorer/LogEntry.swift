/// A state: the numbers of the mappers that made it, in order. Each mapper appends its number, which is ten times that of its action plus
/// its own. The mapper for the error of an action has the number nine.
typealias Tags = [Int]

/// The effect of a mapper on the children, as the thousands of its number.
enum ChildChange: Int, CaseIterable {
  case none, removeOuter, replaceOuter, removeInner, replaceInner

  /// The action that has made the mapper with this number.
  static func action(of tag: Int) -> Int { tag % 1_000 / 10 }
}

/// The children that a state has: a child, and a child in that. Nil for an absent one, otherwise its identity. Both are there at first.
struct Family: Equatable {
  private(set) var outer: Int? = 0
  private(set) var inner: Int? = 0

  init(_ tags: Tags) {
    for tag in tags {
      switch ChildChange(rawValue: tag / 1_000)! {
      case .none: break
      case .removeOuter: (outer, inner) = (nil, nil)
      case .replaceOuter: (outer, inner) = (tag, tag)
      case .removeInner: inner = nil
      case .replaceInner: if outer != nil { inner = tag }
      }
    }
  }

  /// The value that tells the child of this level from others in its place. Nil for an absent one. Empty for the view model itself.
  func instance(_ level: Int) -> [Int]? {
    switch level {
    case 0: []
    case 1: outer.map { [$0] }
    default: outer.flatMap { outer in inner.map { [outer, $0] } }
    }
  }
}

/// An event of one of the streams.
enum LogEntry: Equatable {
  case loading(Bool)
  case state(Tags)
  case made(Int, Tags)
  case error(Int)
  case failedWith(Int)
  case waiting(Int)
  case started(Int)
  case emitted(Int, Tags)
  case completed(Int, Tags)
  case failed(Int)
  case cancelled(Int)
  case dropped(Int)
  /// The completion of one of the six streams.
  case end
}

extension LogEntry: CustomStringConvertible {
  var description: String {
    switch self {
    case .loading(let isLoading): "loading \(isLoading)"
    case .state(let tags): "state \(tags)"
    case .made(let action, let tags): "\(action) made \(tags)"
    case .error(let action): "error of \(action)"
    case .failedWith(let action): "\(action) failed with its error"
    case .waiting(let action): "\(action) waiting"
    case .started(let action): "\(action) started"
    case .emitted(let action, let tags): "\(action) emitted \(tags)"
    case .completed(let action, let tags): "\(action) completed \(tags)"
    case .failed(let action): "\(action) failed"
    case .cancelled(let action): "\(action) cancelled"
    case .dropped(let action): "\(action) dropped"
    case .end: "end"
    }
  }
}

/// An action's error.
struct Fault: Error {
  let action: Int
}
