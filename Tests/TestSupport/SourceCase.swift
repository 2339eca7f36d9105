import RxViewModel

/// The kinds of sources that a test can send events to.
enum SourceCase: String, CaseIterable, Sendable {
  case publish, behavior, replay
  /// A producer that never releases an observer.
  case create

  func make() -> Source {
    switch self {
    case .publish: return Source(PublishSubject())
    case .behavior: return Source(BehaviorSubject(value: -5))
    case .replay: return Source(ReplaySubject(bufferSize: 2))
    case .create:
      let observers = Locked<[AnyObserver<Int>]>([])
      let stream = Observable<Int>.create { observer in
        observers.mutate { $0.append(observer) }
        return Disposables.create()
      }
      return Source(stream) { event in for observer in observers.value { observer.on(event) } }
    }
  }
}

struct Source: Sendable {
  let stream: Observable<Int>
  let send: @Sendable (Event<Int>) -> Void

  init(_ stream: Observable<Int>, _ send: @escaping @Sendable (Event<Int>) -> Void) {
    self.stream = stream
    self.send = send
  }

  init(_ subject: some ObservableType<Int> & ObserverType<Int>) {
    self.init(subject.asObservable()) { subject.on($0) }
  }

  func send(_ elements: Int...) {
    for element in elements { send(.next(element)) }
  }
}
