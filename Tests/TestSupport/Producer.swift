import RxViewModel

/// A source that is not a subject. The test drives its newest subscription, and reads in the log when each subscription opens and closes.
final class Producer: Sendable {
  let log = Locked<[String]>([])
  private let newest = Locked<AnyObserver<Int>?>(nil)
  private let whileSubscribing: @Sendable (AnyObserver<Int>) -> Void

  /// - Parameter whileSubscribing: called for each subscription, before `subscribe` returns.
  init(_ whileSubscribing: @escaping @Sendable (AnyObserver<Int>) -> Void = { _ in }) {
    self.whileSubscribing = whileSubscribing
  }

  var observer: AnyObserver<Int> { newest.value! }

  var stream: Observable<Int> {
    .create { [self] observer in
      log.append("open")
      newest.mutate { $0 = observer }
      whileSubscribing(observer)
      return Disposables.create { self.log.append("close") }
    }
  }
}
