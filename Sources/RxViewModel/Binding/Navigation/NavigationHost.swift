/// An observer of a ``Navigation``, with its owner.
@MainActor
final class NavigationHost<Route: Sendable> {
  let navigate: @MainActor @Sendable (Route) -> Void
  private weak var owner: Lifecycle?

  init(_ owner: Lifecycle, _ navigate: @escaping @MainActor @Sendable (Route) -> Void) {
    self.owner = owner
    self.navigate = navigate
  }

  var isResumed: Bool { owner?.state == .resumed }
}
