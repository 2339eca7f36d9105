/// Which changes, ends, routes and other events a ``TestStore`` requires the test to assert.
public struct Exhaustivity: Sendable, Equatable {
  /// An event that a test has to assert additionally.
  public struct Included: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The begin and the end of loading, with ``TestStore/expect(isLoading:file:line:)``, in one order with ends and routes.
    public static let loading = Included(rawValue: 1)
    /// A fold that changes nothing, such as that of an action that completes without a mapper. Its step changes nothing: `{ _ in }`.
    public static let unchanged = Included(rawValue: 2)
  }

  /// Ends that a test may leave unasserted.
  public struct Ignored: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The end of an action that a later one of its lane has cancelled: each keystroke of a search but the last one, also with a quiet
    /// time.
    public static let superseded = Ignored(rawValue: 1)
    /// The end of an action that its mode or its batch has dropped. The end of one whose child is absent does not count.
    public static let dropped = Ignored(rawValue: 2)
  }

  enum Kind: Equatable {
    case on(including: Included, ignoring: Ignored)
    case off
  }

  let kind: Kind

  /// Every change has a step. The test asserts every end that is not a completion, every route, and every event of a recorded stream.
  public static let on = Exhaustivity(kind: .on(including: [], ignoring: []))

  /// The store applies each step to the state after the call, and the step must not change that state. Otherwise the store requires only
  /// that the test asserts each action whose child is absent.
  public static let off = Exhaustivity(kind: .off)

  /// Like ``on``, but the test also asserts what `included` describes, and need not assert the ends that `ignored` describes.
  ///
  ///     TestStore(viewModel, exhaustivity: .on(including: [.loading, .unchanged], ignoring: .superseded))
  public static func on(including included: Included = [], ignoring ignored: Ignored = []) -> Exhaustivity {
    Exhaustivity(kind: .on(including: included, ignoring: ignored))
  }

  var isOff: Bool { kind == .off }

  var included: Included { if case .on(let included, _) = kind { included } else { [] } }

  var ignored: Ignored { if case .on(_, let ignored) = kind { ignored } else { [] } }
}
