/// The effect or the turn in whose context code runs, if a recorder knows it. Tasks inherit it, and timers.
@usableFromInline
package protocol WorkOrigin: AnyObject, Sendable {
  var model: Int { get }
  /// 0 for a turn.
  var action: Int { get }
  /// A timer of the effect fires.
  func fire()
}

package enum Taps {
  @TaskLocal package static var origin: (any WorkOrigin)?
  /// The origin, unless it is a turn.
  static var effect: (any WorkOrigin)? { origin.flatMap { $0.action == 0 ? nil : $0 } }
  /// Whether diagnostics are not written: a test tries what it can leave out.
  @TaskLocal package static var isQuiet = false
}

/// The work, which runs in the context of the effect that schedules it.
@usableFromInline
func inOrigin(isTimer: Bool = false, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
  guard let effect = Taps.effect else { return work }
  return {
    if isTimer { effect.fire() }
    Taps.$origin.withValue(effect, operation: work)
  }
}

/// A timer of the current effect fires.
@usableFromInline
func fireTimer() { Taps.effect?.fire() }
