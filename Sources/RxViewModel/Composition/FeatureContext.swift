/// What a feature's effect gets: the state, and a way to talk to the view model and to the parent.
///
/// The view model makes one for each action. While that action is unfinished, you can call ``execute(_:)`` and ``output(_:)`` from any
/// thread. They act when you call them: in `save.concat(context.output(.saved))` the output doesn't wait for the save. To act after an
/// effect, call them in its last mapper, or use ``ObservableType/then(_:on:)-(_,FeatureContext<F>)``.
///
/// If mappers of a `parallelOrdered` action wait for earlier actions, a call inside a mapper waits with it, and a call outside of one
/// doesn't. A context that you keep longer keeps no view model alive.
public struct FeatureContext<F: Feature>: Sendable {
  /// The state of the feature when the action started.
  public let state: F.State
  /// Nil before the action has started, and for an effect that no view model has asked for.
  @usableFromInline let port: (any ContextPort<F.Action>)?
  /// Takes the port, because a closure that captured it would cost an object for each action of a child.
  @usableFromInline let sendOutput: SendOutput
  @usableFromInline typealias SendOutput = @Sendable (any ContextPort<F.Action>, F.Output) -> Void

  @inlinable
  init(_ state: F.State, _ port: (any ContextPort<F.Action>)?, sendOutput: @escaping SendOutput) {
    (self.state, self.port, self.sendOutput) = (state, port, sendOutput)
  }

  /// The context of an action that hasn't started.
  @inlinable
  init(_ state: F.State) { (self.state, port, sendOutput) = (state, nil, { _, _ in }) }

  /// The scheduler of the view model, for operators with times. After the end of the view model it is an ``ImmediateScheduler``.
  public var scheduler: any Scheduler { port?.scheduler ?? ImmediateScheduler() }

  /// Executes another action of this instance of the feature.
  ///
  ///     case .retry: context.execute(.load)
  ///
  /// This acts when you call it, not when its result is subscribed. The view model takes the action after the mappers that the effect has
  /// sent before, unless these wait in the mode `parallelOrdered`. If this instance is removed before that, the action ends as cancelled,
  /// and reaches no other instance. Once the context's own action has been cancelled, this does nothing; once it has completed or failed,
  /// this calls ``RxViewModel/RxViewModel/diagnose(_:)`` on the calling thread.
  ///
  /// - Returns: A stream that completes immediately, so that the case of a `switch` can consist of this call.
  @discardableResult
  public func execute(_ action: F.Action) -> F.Effect {
    port?.send(action, .execute)
    return .empty()
  }

  /// Sends an output to the parent.
  ///
  /// The output belongs to this instance of the parent, so it arrives even if the child has been removed in the meantime. If the feature
  /// has no parent, ``FeatureViewModel/outputs`` emits it. Otherwise it behaves like ``execute(_:)``.
  @discardableResult
  public func output(_ output: F.Output) -> F.Effect {
    if let port { sendOutput(port, output) }
    return .empty()
  }

  /// Cancels every unfinished action of this instance of the feature that matches, among those accepted before the call. The context's own
  /// action may be one of them; actions of children are not.
  ///
  ///     case .start: ticks.mutate { state, _ in state.seconds += 1 }
  ///     case .stop: context.cancel { $0 == .start }
  ///
  /// Once this has returned, no mapper is folded of a matching action that has started or waits in a lane, as with
  /// ``RxViewModel/RxViewModel/cancelActions(where:)``. A matching action that waits for its turn, or is being asked for its mode, begins,
  /// and is cancelled before anything that was accepted after the call. Calls `matches` on the calling thread, and on the scheduler. Does
  /// nothing after the context's own action has ended.
  @discardableResult
  public func cancel(where matches: @escaping @Sendable (F.Action) -> Bool) -> F.Effect {
    port?.cancel { ($0 as? F.Action).map(matches) ?? false }
    return .empty()
  }

  /// Starts what is debounced in a lane of this instance of the feature, such as the saving of a draft.
  ///
  ///     case .endedEditing: context.flush("draft")
  ///
  /// If the parent shares the lane, it is the parent's, with all that is debounced there. The view model handles this in order with the
  /// actions, as ``RxViewModel/RxViewModel/flush(_:)``. Does nothing after the context's own action has ended.
  @discardableResult
  public func flush(_ lane: ExecutionMode.Lane) -> F.Effect {
    port?.flush(lane)
    return .empty()
  }
}

extension ObservableType {
  /// Executes another action of this instance of the feature, after the stream has completed and the effect's own action has ended.
  ///
  ///     case .save: save(context.state).then(.reload, on: context)
  ///
  /// The view model accepts the action after its streams have announced that end. Several such actions follow in the order in which their
  /// streams completed. Nothing follows an action that fails or is cancelled, or an instance that has been removed.
  public func then<F: Feature>(_ action: F.Action, on context: FeatureContext<F>) -> Observable<Element>
  where Element == StateMapper<F.State> {
    self.do(onCompleted: { context.port?.send(action, .follow) })
  }
}

// MARK: The way of a context to its view model

/// What an effect asks its view model to do with the action that it sends.
@usableFromInline
enum ContextRequest: Sendable {
  /// To execute it for the instance whose effect it is.
  case execute
  /// The same, after the action of the effect has completed.
  case follow
  /// To execute it for the parent of that instance.
  case output
  /// To emit an output of a feature without a parent. The action is the one whose effect has sent the output, and isn't executed.
  case emit(@Sendable () -> Void)
}

/// The way from a feature to its view model, for the effect of one action. Once that action has ended, the view model refuses what is sent.
@usableFromInline
protocol ContextPort<ContextAction>: AnyObject, Sendable {
  associatedtype ContextAction
  var scheduler: any Scheduler { get }
  func send(_ action: ContextAction, _ request: ContextRequest)
  /// Cancels the matching actions of the instance whose effect it is. `matches` gets the action of the innermost feature.
  func cancel(where matches: @escaping @Sendable (any Sendable) -> Bool)
  /// Starts what is debounced in a lane of the instance whose effect it is.
  func flush(_ lane: ExecutionMode.Lane)
}

/// The way from a feature to its parent: turns the feature's actions into the parent's. A context that is kept longer retains this, and not
/// the feature.
@usableFromInline
final class FeaturePort<F: Feature, ParentAction: Sendable>: ContextPort {
  @usableFromInline let parent: any ContextPort<ParentAction>
  @usableFromInline let embed: @Sendable (F.Action) -> ParentAction
  @usableFromInline let output: @Sendable (F.Output) -> ParentAction

  @inlinable
  init<State>(_ parent: any ContextPort<ParentAction>, to station: FeatureStation<F, ParentAction, State>) {
    (self.parent, embed, output) = (parent, station.embed, station.output)
  }

  @usableFromInline
  var scheduler: any Scheduler { parent.scheduler }

  @usableFromInline
  func send(_ action: F.Action, _ request: ContextRequest) { parent.send(embed(action), request) }

  @usableFromInline
  func cancel(where matches: @escaping @Sendable (any Sendable) -> Bool) { parent.cancel(where: matches) }

  @usableFromInline
  func flush(_ lane: ExecutionMode.Lane) { parent.flush(lane) }
}
