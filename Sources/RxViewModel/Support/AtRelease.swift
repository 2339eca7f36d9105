/// Does work when it is released, on the releasing thread.
@usableFromInline
final class AtRelease: Sendable {
  @usableFromInline let work: @Sendable () -> Void

  @usableFromInline
  init(_ work: @escaping @Sendable () -> Void) { self.work = work }

  deinit { work() }
}
