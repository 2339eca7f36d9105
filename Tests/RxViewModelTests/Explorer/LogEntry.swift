/// A state: the numbers of the mappers that made it, in order. Each mapper appends its number, which is ten times that of its action plus
/// its own. The mapper for the error of an action has the number nine.
typealias Tags = [Int]

/// An event of one of the streams.
enum LogEntry: Equatable {
  case loading(Bool)
  case state(Tags)
  case made(Int, Tags)
  case error(Int)
  case failedWith(Int)
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
