/// Which changes, ends, routes and other events a ``TestStore`` requires the test to assert.
public struct Exhaustivity: Sendable, Equatable {
  /// An event that a test has to assert additionally.
  public struct Included: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The begin and the end of loading, with ``TestStore/expect(isLoading:file:line:)``.
    public static let loading = Included(rawValue: 1)
    /// A fold that changes nothing, such as that of an action that completes without a mapper. Its closure changes nothing: `{ _ in }`.
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

  var included: Included = []
  var ignored: Ignored = []
  var isOff = false

  /// The test asserts every change, every end that is not a completion, every route, and every event of a recorded stream.
  public static let on = Exhaustivity()

  /// The closure of a change gets the current state, and must not change it. The test has to assert only each action whose child is absent.
  public static let off = Exhaustivity(isOff: true)

  /// Like ``on``, but the test also asserts what `included` describes, and need not assert the ends that `ignored` describes.
  ///
  ///     withTestStore(viewModel, exhaustivity: .on(including: [.loading, .unchanged], ignoring: .superseded)) { … }
  public static func on(including included: Included = [], ignoring ignored: Ignored = []) -> Exhaustivity {
    Exhaustivity(included: included, ignored: ignored)
  }
}
