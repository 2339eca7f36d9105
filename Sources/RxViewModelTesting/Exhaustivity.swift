/// Says which changes, ends, routes and other events you have to assert with a ``TestStore``.
public struct Exhaustivity: Sendable, Equatable {
  /// Events that you have to assert as well.
  public struct Included: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The beginning and the end of loading, with ``TestStore/expect(isLoading:file:line:)``.
    public static let loading = Included(rawValue: 1)
    /// A fold that changes nothing, such as that of an action that completes without a mapper. Assert it with a closure that changes
    /// nothing: `{ _ in }`.
    public static let unchanged = Included(rawValue: 2)
  }

  /// Ends that you may leave unasserted.
  public struct Ignored: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// The end of an action that a later one of its lane has cancelled: each keystroke of a search but the last one, also with a debounce.
    public static let superseded = Ignored(rawValue: 1)
    /// The end of an action that its mode or its batch has dropped. You still have to assert the end of an action whose child is absent.
    public static let dropped = Ignored(rawValue: 2)
  }

  var included: Included = []
  var ignored: Ignored = []
  var isOff = false

  /// You assert every change, every end that is not a completion, every route, and every event of a recorded stream.
  public static let on = Exhaustivity()

  /// Only what you assert is compared. The closure of a change gets the current state, so every value that it sets has to be there already.
  /// You still have to assert each action whose child is absent.
  public static let off = Exhaustivity(isOff: true)

  /// Like ``on``, but you also assert what `included` describes, and you may leave out the ends that `ignored` describes.
  ///
  ///     withTestStore(viewModel, exhaustivity: .on(including: [.loading, .unchanged], ignoring: .superseded)) { … }
  public static func on(including included: Included = [], ignoring ignored: Ignored = []) -> Exhaustivity {
    Exhaustivity(included: included, ignored: ignored)
  }
}
