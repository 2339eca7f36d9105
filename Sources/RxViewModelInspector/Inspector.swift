import Dispatch
import RxViewModel
public import RxViewModelRecording

/// Shows in a browser what overlaps while your app runs: which actions wait and run, how each ends, and which other action dropped it or
/// took its place.
///
///     #if DEBUG
///       let inspector = Inspector()
///       inspector.watch(search, name: "search")
///     #endif
///
/// **Its page** is a folder of files, whose address it writes to standard error. Open it while the app runs; it follows by itself. There is
/// no server and no port. The folder is readable by you alone, its files too, and the next inspector with this folder removes what the last
/// one wrote. Without a recorder, what the page shows is not redacted, so don't link this library into a release build. See
/// <doc:SeeWhatOverlaps>.
///
/// **Cost.** A step of an action costs the view model an append to a list. Texts are made and written on a queue of the inspector's own, at
/// most five times a second, and only while something changes or is unfinished. It keeps the newest 2,000 steps, in at most 4 MB of files.
/// A recording takes 4 MB more at most, and is written when nothing has happened for a second, or else every five seconds.
/// Of a large state, at most five differences a second are shown in full, and of the others only the names of what has changed.
///
/// **Errors.** If a file can't be written, one line on standard error says so. The inspector is off from then on, and the app goes on.
///
/// **Lifetime.** You needn't keep it: what it watches keeps it. It keeps no view model alive, and no state of one that has gone.
public final class Inspector: Sendable {
  private let log: InspectorLog

  /// Makes the folder and its page, and writes the page's address to standard error.
  ///
  /// - Parameters:
  ///   - recorder: The recorder of the app, if it has one. Of the view models that it records, the page also shows what has answered, and
  ///     which action has executed which. What it redacts is redacted on the page. *Copy as test* makes a test with its recording.
  ///   - directory: The path of the folder, which is made if it doesn't exist. One that exists has to belong to you alone: no other user
  ///     may have rights to it. By default it is a folder in the temporary directory, named after the program. Give each of two inspectors
  ///     a folder of its own.
  public convenience init(_ recorder: Recorder? = nil, directory: String? = nil) {
    let queue = DispatchQueue(label: "RxViewModelInspector", qos: .utility)
    self.init(recorder, directory: directory, scheduler: queue, say: { writeToStandardError("Inspector: \($0)\n") })
  }

  /// - Parameter scheduler: Serial. It writes the files.
  package init(
    _ recorder: Recorder? = nil, directory: String?, scheduler: any Scheduler, say: @escaping @Sendable (String) -> Void
  ) {
    log = InspectorLog(directory ?? PrivateFolder.standardPath, recorder, scheduler, say)
  }

  /// The newest 2,000 actions, a line each, with its times, its end and its cause: for a terminal, or for a log.
  ///
  ///     60 ms: list #2 search("ab"): completed, waited 100 ms, ran 300 ms
  ///     180 ms: list #4 reload: dropped (busy with #3)
  ///
  /// Like the page, it is at most a fifth of a second behind. O(n) for n actions. You can read it from any thread.
  public var text: String { log.text }

  /// Shows the actions and the states of a view model from now on.
  ///
  /// You can call it from any thread. The page shows the view model until it is released or cleared, and its unfinished actions as
  /// cancelled then.
  ///
  /// - Parameters:
  ///   - viewModel: Any view model. It isn't kept alive.
  ///   - name: What the page calls it.
  public func watch<Action: Sendable, State: Sendable>(_ viewModel: RxViewModel<Action, State>, name: String) {
    let (log, name) = (log, log.recorder?.codes.text(name) ?? name)
    let model = log.add(name, "\(type(of: viewModel))", log.recorder?.number(of: viewModel))
    let states = viewModel.stateObservable.map { (state: State) -> InspectorEvent.Kind in .state(state) }
    let steps = viewModel.executionObservable.map { (step: Execution<Action, State>) -> InspectorEvent.Kind in
      .step(step.id, step.action, step.mode, step.phase.erased, step.cause)
    }
    _ = states.merge(with: steps).subscribe(onNext: { log.add($0, of: model) }, onCompleted: { log.end(model) })
  }
}

extension Execution.Phase {
  fileprivate var erased: InspectorEvent.Phase {
    switch self {
    case .waiting: .waiting
    case .started: .started
    case .emitted(let state): .emitted(state)
    case .completed(let state): .completed(state)
    case .failed(let error): .failed(error)
    case .cancelled: .cancelled
    case .dropped: .dropped
    }
  }
}
