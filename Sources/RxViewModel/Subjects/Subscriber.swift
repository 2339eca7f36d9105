/// A subscriber of a subject.
@usableFromInline
struct Subscriber<Element: Sendable> {
  @usableFromInline let sink: Observable<Element>.Sink
  @usableFromInline let entry: SubjectEntry
  /// The entry without a retain, for reading.
  @usableFromInline let unretainedEntry: Unmanaged<SubjectEntry>

  @inlinable
  init(sink: @escaping Observable<Element>.Sink, entry: SubjectEntry) {
    self.sink = sink
    self.entry = entry
    unretainedEntry = .passUnretained(entry)
  }
}

/// A subscriber's place in a subject. Disposing it removes the subscriber.
///
/// It is not generic, and disposes through a function that captures nothing. The caller makes that function where the types are known, so
/// it is specialized. A generic method that is called through `any Disposable` would not be.
@usableFromInline
final class SubjectEntry: Disposable, @unchecked Sendable {  // Sendable: the host's lock guards the variables.
  @usableFromInline
  enum Status {
    case replaying, arriving, live, gone
  }

  /// The ``SubjectHost``. A subject empties it at its release, so that this entry keeps no object of the user's alive.
  @usableFromInline let host: AnyObject
  @usableFromInline let disposeAction: @Sendable (SubjectEntry) -> Void
  /// The number of the last event that is not for this subscriber.
  @exclusivity(unchecked) @usableFromInline var since: UInt64 = 0
  // Small, and side by side: they share a word.
  @exclusivity(unchecked) @usableFromInline var index: Int32 = 0
  @exclusivity(unchecked) @usableFromInline var status = Status.live
  /// Whether the delivering thread has disposed it. Only that thread sets and reads this.
  @exclusivity(unchecked) @usableFromInline var isCutOff = false

  @inlinable
  init(host: AnyObject, disposeAction: @escaping @Sendable (SubjectEntry) -> Void) {
    self.host = host
    self.disposeAction = disposeAction
  }

  @usableFromInline
  func dispose() {
    disposeAction(self)
  }
}
