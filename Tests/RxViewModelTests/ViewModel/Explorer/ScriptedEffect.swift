import RxViewModel

@testable import TestSupport

/// The effect of one action. It sends the events of its script, and records the calls of its mappers.
final class ScriptedEffect: Sendable {
  let script: EffectScript
  let action: Int
  private let change: ChildChange
  let subject = PublishSubject<StateMapper<Tags>>()
  /// The numbers of the mappers that have been called.
  let calls = Locked<[Int]>([])
  private let mappers = Locked(0)
  private let sent = Locked(0)
  private let reached: @Sendable (CallbackPoint, Int) -> Void

  /// - Parameter reached: Called inside the mappers, the subscription and the disposal of the effect.
  init(_ plan: Plan, action: Int, reached: @escaping @Sendable (CallbackPoint, Int) -> Void) {
    script = plan.script
    change = plan.change
    self.action = action
    self.reached = reached
  }

  func observable() -> Observable<StateMapper<Tags>> {
    if script.isJust { return .just(mapper()) }
    return .create { [self] observer in
      reached(.subscribe, action)
      for beat in script.atOnce { send(beat, to: observer) }
      let subscription = subject.subscribe(observer)
      return Disposables.create {
        subscription.dispose()
        self.reached(.dispose, self.action)
      }
    }
  }

  /// Sends the next event, if there is one and the effect has a subscriber.
  func sendNext() {
    let next = sent.mutate { sent -> EffectEvent? in
      guard sent < script.later.count, subject.hasObservers else { return nil }
      sent += 1
      return script.later[sent - 1]
    }
    if let next { send(next, to: subject) }
  }

  private func send(_ beat: EffectEvent, to observer: some ObserverType<StateMapper<Tags>>) {
    switch beat {
    case .mapper: observer.onNext(mapper())
    case .throwing: observer.onNext { [action] _ in throw Fault(action: action) }
    case .resigning: observer.onNext { _ in throw CancellationError() }
    case .completed: observer.onCompleted()
    case .error: observer.onError(Fault(action: action))
    case .cancellation: observer.onError(CancellationError())
    }
  }

  private func mapper() -> StateMapper<Tags> {
    mapper(adding: Self.tag(mappers.increment() - 1, of: action, change))
  }

  /// The mapper for the error of the action.
  func failureMapper() -> StateMapper<Tags> {
    mapper(adding: Self.tag(Self.failure, of: action, change))
  }

  /// The place of the mapper for the error of an action.
  static let failure = 9

  static func tag(_ number: Int, of action: Int, _ change: ChildChange = .none) -> Int {
    change.rawValue * 1_000 + action * 10 + number
  }

  private func mapper(adding tag: Int) -> StateMapper<Tags> {
    { [calls, reached, action] tags in
      calls.mutate { $0.append(tag) }
      reached(.mapper, action)
      return tags + [tag]
    }
  }
}
