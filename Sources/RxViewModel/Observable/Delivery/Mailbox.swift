/// The inputs of one handler: one thread at a time handles them, in the order of acceptance.
///
///              accept: true                    next: nil
///     idle ───────────────────▶ busy ─────────────────────────▶ idle
///                              │    ▲
///                              └────┘  accept: false, the input waits; next: the input that has waited longest
///
/// It is a value under the lock of its host: an operator's ``Serial``, a subject, a subscriber's replay, a lifecycle. Both functions are
/// called under that lock, and the input is handled with no lock held. A mailbox may be made busy; then its maker is its first handler.
///
/// **Why one at a time.** Only `accept` makes an idle mailbox busy, and it tells exactly that caller to handle its input. Only that caller
/// then calls `next`, each time that it has handled an input, until `next` returns nil and the mailbox is idle. So between two callers
/// that handle there is an idle moment under the lock (contract 1.2), and the caller takes every input that arrives meanwhile, also from
/// inside the handler: nothing is lost, no thread waits for another, and nothing recurses (contract 1.3, 1.6, 1.10).
///
/// **In which order.** An idle mailbox is empty, so an accepted input follows all that were accepted before.
@usableFromInline
struct Mailbox<Input> {
  @usableFromInline var waiting = Queue<Input>()
  /// Whether a caller handles inputs.
  @usableFromInline var isBusy: Bool
  /// Whether it accepts and returns nothing any more. Its host empties it when it closes it, and releases the inputs without the lock.
  @usableFromInline let isClosed: Bool

  @inlinable
  init(isBusy: Bool = false, isClosed: Bool = false) { (self.isBusy, self.isClosed) = (isBusy, isClosed) }

  /// Accepts an input. Returns whether the caller handles it now, and then those that ``next()`` returns. Otherwise the input waits, or the
  /// mailbox is closed.
  ///
  /// - Parameter input: Made only if it waits, so that an input that is handled immediately is never copied.
  @inline(__always)
  @inlinable
  mutating func accept(_ input: @autoclosure () -> Input) -> Bool {
    if isClosed { return false }
    if isBusy {
      waiting.append(input())
      return false
    }
    isBusy = true
    return true
  }

  /// The next input for the caller that has handled one. Nil if none waits: then that caller is done.
  @inline(__always)
  @inlinable
  mutating func next() -> Input? {
    // Asked first, because an empty `popFirst()` costs more.
    if !waiting.isEmpty { return waiting.popFirst() }
    isBusy = false
    return nil
  }
}
