/// Which changes, ends and routes a ``TestStore`` requires the test to name.
public struct Exhaustivity: Sendable, Equatable {
  /// Ends that a test may leave unnamed.
  public enum Ignored: Sendable {
    /// The end of an action that a later one of its lane has cancelled: each keystroke of a search but the last one, also with a quiet
    /// time.
    case superseded
  }

  enum Kind: Equatable {
    case on(ignoring: Ignored?)
    case off
  }

  let kind: Kind

  /// Every change has a step. The test names every end that is not a completion, and every route.
  public static let on = Exhaustivity(kind: .on(ignoring: nil))

  /// The store applies each step to the state after the call, and the step must not change that state. The store requires nothing else.
  public static let off = Exhaustivity(kind: .off)

  /// Like ``on``, but the test need not name the ends that `ignored` describes.
  public static func on(ignoring ignored: Ignored) -> Exhaustivity {
    Exhaustivity(kind: .on(ignoring: ignored))
  }

  var isOff: Bool { kind == .off }

  var ignoresSuperseded: Bool { kind == .on(ignoring: .superseded) }
}
