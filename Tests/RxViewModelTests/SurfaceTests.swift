import Dispatch
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

// Uses the public signatures with their types spelled out, so that a change that would break client code does not compile.

private struct Failure: Error {}

private final class Model: RxViewModel<Int, String>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> String { "" }
  override func createObservable(_ action: Int) -> Observable<StateMapper<String>> { .unchanged() }
  override func showSpinner(_ action: Int) -> Bool { super.showSpinner(action) }
  override func executionMode(for action: Int) -> ExecutionMode { super.executionMode(for: action) }
  override func handleError(_ error: any Error, action: Int?) -> Bool { super.handleError(error, action: action) }
  override func stateMapper(for error: any Error, action: Int) -> StateMapper<String>? {
    super.stateMapper(for: error, action: action)
  }
  override func diagnose(_ diagnostic: ViewModelDiagnostic<Int>) {
    switch diagnostic {
    case .unobservedError(let error, let action): _ = (error, action) as (any Error, Int?)
    case .executedAfterClear(let action): _ = action as Int
    case .absentChild(let action), .executedAfterEnd(let action), .misplacedChild(let action): _ = action as Int
    case .undecided(let action): _ = action
    case .droppedEvent(let event): _ = event as any Sendable
    }
  }
}

private struct Part: Feature {
  struct State: Sendable, Equatable, Identifiable {
    var id = 0
    var text = ""
  }

  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Effect {
    let text = "\(type(of: context.scheduler))"
    let effect: Effect = .mutate { $0.text = text }
    if action > 0 { return effect }
    let further: [Observable<StateMapper<State>>] = [context.execute(1), context.output("a")]
    context.execute(further.count)
    context.output(context.state.text)
    context.cancel { $0 > 1 }
    let (stop, now): (Effect, Duration) = (
      context.cancel(where: { (action: Int) -> Bool in action > 1 }), context.scheduler.now
    )
    if now > .zero { return stop }
    return effect.then(1, on: context)
  }
  func child(for action: Int) -> ChildAction<Int, State>? { nil }
  func executionMode(for action: Int) -> ExecutionMode { .sequence }
  func showSpinner(_ action: Int) -> Bool { true }
  func stateMapper(for error: any Error, action: Int) -> StateMapper<State>? { nil }
  func identity(of state: State) -> AnyHashable? { state.id }
  typealias Output = String
}

/// A feature with the protocol's defaults.
private struct PlainPart: Feature {
  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<String>> {
    .unchanged()
  }
}

private struct QuietPart: Feature {
  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Part.State>> {
    .empty()
  }
}

private struct Whole: Sendable, Equatable {
  enum Destination: Sendable, Equatable {
    case edit(Part.State)

    var edit: Part.State? {
      get { if case .edit(let part) = self { part } else { nil } }
      set { if let newValue { self = .edit(newValue) } }
    }
  }

  var always = Destination.edit(Part.State())
  var part = Part.State()
  var sheet: Part.State? = Part.State()
  var rows = [Part.State()]
}

private final class WholeModel: RxViewModel<Int, Whole>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> Whole { Whole() }
  override func createObservable(_ action: Int) -> Effect {
    let effect: Effect = .mutate { $0.part.text = "a" }
    return action > 0 ? effect : effect.then(1, on: self)
  }
  override func child(for action: Int) -> ChildAction<Int, Whole>? {
    let embed: @Sendable (Int) -> Int = { $0 }
    let output: @Sendable (String) -> Int = { $0.count }
    let (part, quiet) = (Part(), QuietPart())
    let children: [ChildAction<Int, Whole>] = [
      .init(part, action, at: \.part, as: embed, output: output),
      .init(part, action, at: \.sheet, as: embed, output: output),
      .init(part, action, at: \.rows, id: 0, as: embed, output: output),
      .init(part, action, at: \.always.edit, as: embed, output: output),
      .init(quiet, action, at: \.part, as: embed), .init(quiet, action, at: \.sheet, as: embed),
      .init(quiet, action, at: \.rows, id: 0, as: embed).updating { $0.sheet = nil }.sharing("a", "b"),
    ]
    return action < 0 ? children.first : nil
  }
}

struct SurfaceTests {
  @Test func sourcesAndObservers() {
    let create: (@escaping @Sendable (AnyObserver<Int>) -> any Disposable) -> Observable<Int> = Observable<Int>.create
    let sequence: AsyncStream<Int> = AsyncStream { $0.finish() }
    let sources: [Observable<Int>] = [
      create { _ in Disposables.create() }, .just(1), .of(1, 2), .from(1...3), .empty(), .never(), .error(Failure()),
      .deferred { .just(1) }, .task { 1 }, .task(priority: .high) { 1 }, .values(of: sequence), .merge([.just(1)]),
      .concat([.just(1)]), .combineLatest(Observable.just(1), Observable.just("a")) { $0 + $1.count },
      .combineLatest(Observable.just(1), Observable.just(2), PublishSubject<Int>()) { $0 + $1 + $2 },
      .zip(Observable.just(1), Observable.just("a")) { $0 + $1.count },
      .interval(.seconds(1), scheduler: TestScheduler()), .timer(.seconds(1), scheduler: TestScheduler()),
    ]
    let observers: [any ObserverType<Int>] = [
      PublishSubject<Int>(), BehaviorSubject(value: 1), ReplaySubject<Int>(bufferSize: 1), TestObserver<Int>(),
    ]
    for observer in observers {
      observer.on(.next(1))
      observer.onNext(1)
      observer.onError(Failure())
      observer.onCompleted()
    }
    let subjects: [RxSubject<Int>] = [PublishSubject<Int>(), BehaviorSubject(value: 1), ReplaySubject(bufferSize: 1)]
    let streams: [any ObservableType<Int>] = [subjects[0], Observable.just(1).asObservable()]
    #expect(sources.count + streams.count == 20)
    let subject = BehaviorSubject(value: 1)
    #expect(subject.value == 1 && !subject.hasObservers)
    let property = MutableProperty([1])
    property.update { $0.append(2) }
    let last: Int? = property.update { $0.popLast() }
    subject.update { $0 += 1 }
    let lasting: Observable<Int> = Observable.just(1).continuesAfterDispose()
    #expect(lasting.test().values == [1])
    #expect(last == 2 && subject.value == 2)
  }

  /// The operators themselves are those of `OperatorCase`.
  @Test func operatorsWithAnotherType() async throws {
    let source = Observable.just(1)
    let array: Observable<[Int]> = source.toArray()
    let first: Int? = try await source.first()
    let ended: Observable<Void> = Reply<Int> { _ in }.ended
    let events: Observable<Event<Int>> = source.materialize()
    let values: AsyncThrowingStream<Int, any Error> = source.values
    #expect(array.test().values == [[1]] && first == 1 && events.test().values.count == 2)
    withExtendedLifetime((ended, values)) {}
  }

  @Test func subscriptions() {
    let (source, bag, serial) = (Observable.just(1), DisposeBag(), SerialDisposable())
    let all: [any Disposable] = [
      source.subscribe(PublishSubject<Int>()), source.subscribe { (event: Event<Int>) in _ = event },
      source.subscribe(onNext: { _ in }, onError: { _ in }, onCompleted: {}, onDisposed: {}), source.subscribe(),
      Disposables.create(), Disposables.create {},
      Disposables.create(Disposables.create(), serial),
    ]
    for disposable in all { disposable.disposed(by: bag) }
    serial.replace(with: Disposables.create())
    bag.dispose()
    #expect(RxError.timeout == .timeout)
  }

  @Test func viewModels() async throws {
    let viewModel = Model(scheduler: DispatchQueue(label: "surface"))
    let modes: [ExecutionMode] = [
      .parallel, .parallelOrdered, .parallelDeferred, .sequence, .sequence("a"), .switchLatest, .switchLatest("a"),
      .switchLatest(after: .seconds(1)), .switchLatest("a", after: .seconds(1)), .dropWhileBusy, .dropWhileBusy("a"),
      .parallel(limit: 5), .parallel("a", limit: 5), .keepLatest, .keepLatest("a"), .keepLatest(after: .seconds(1)),
      .keepLatest("a", after: .seconds(1)), .join, .join("a"), .join("a", key: "b"), .join(key: "b"),
    ]
    let lane: ExecutionMode.Lane = "\(modes.count)"
    #expect(Set(modes).count == modes.count && .sequence(lane) != modes[3])
    let (main, optional): (any Scheduler, (any Scheduler)?) = (.main, .main)
    let shared: [MainScheduler] = [.main, MainScheduler()]
    let others = [Model(scheduler: .main), Model(scheduler: main), Model(initialState: "", scheduler: optional)]
    #expect(others.count > shared.count)
    viewModel.execute(1)
    for mode in modes { viewModel.execute(1, mode: mode) }
    viewModel.executeInSequence(1, 2, 3)
    viewModel.flush(lane)
    try await viewModel.perform(1)
    let state: String = try await viewModel.perform(1, mode: .parallel)
    let detached: [Observable<String>] = [viewModel.performDetached(1), viewModel.performDetached(1, mode: .parallel)]
    let errorMapper: StateMapper<String>? = mutate { $0 += "a" }
    viewModel.cancelActions(where: { $0 > 1 })
    let streams:
      (
        Observable<String>, Observable<ActionAndState<Int, String>>, Observable<any Error>,
        Observable<ActionAndError<Int>>,
        Observable<Bool>, Observable<Bool>, Observable<Execution<Int, String>>
      ) = (
        viewModel.stateObservable, viewModel.actionAndStateObservable, viewModel.errorObservable,
        viewModel.actionAndErrorObservable, viewModel.isLoadingObservable, viewModel.isLoadingObservable { $0 > 1 },
        viewModel.executionObservable
      )
    Observable.just(1).execute(on: viewModel).dispose()
    let mappers: [Model.Effect] = [
      .mutate { $0 += "a" }, .unchanged(), .handledByChild(), .declined(), .task { 1 }.ignoreElements(),
      Observable.just(1).mutate { state, element in state += "\(element)" },
    ]
    #expect(state == viewModel.currentState && mappers.count == 6)
    let read: (ActionAndState<Int, String>, ActionAndError<Int>) -> (Int, String, Int?, any Error) = {
      ($0.action, $0.state, $1.action, $1.error)
    }
    let onRetry: (ActionAndError<Int>) -> @Sendable () -> Void = { $0.retry }
    let log: any Disposable = viewModel.log { (line: String) in _ = line }
    log.dispose()
    viewModel.clear()
    withExtendedLifetime((streams, read, onRetry, detached, errorMapper)) {}
  }

  @Test func composition() async throws {
    let features: [any Feature<Int, Part.State>] = [Part()]
    let plain = PlainPart()
    #expect(plain.executionMode(for: 1) == .parallel && !plain.showSpinner(1) && features.count == 1)
    let single: FeatureViewModel<Part> = FeatureViewModel(Part(), initialState: Part.State())
    let scheduled = FeatureViewModel(plain, initialState: "", scheduler: ImmediateScheduler(), diagnose: { _ in })
    let states: (Part.State, String) = (single.currentState, scheduled.currentState)
    let outputs: (Observable<String>, Observable<Never>) = (single.outputs, scheduled.outputs)
    let (error, mapper) = (Failure(), plain.stateMapper(for: Failure(), action: 1))
    #expect(states.0.text == states.1 && mapper == nil && plain.identity(of: "") == nil && plain.child(for: 1) == nil)
    withExtendedLifetime((outputs, error)) {}

    let model = WholeModel(scheduler: ImmediateScheduler())
    let slices: [ViewModelSlice<Int, Part.State>?] = [
      model.slice(\.part, { $0 }), model.slice(\.sheet, { $0 }),
      model.slice(\.rows, id: 0, { $0 }), model.slice(\.always.edit, { $0 }),
    ]
    let slice = model.slice(\.self, { (action: Int) in action })
    let nested: [ViewModelSlice<Int, Part.State>?] = [
      slice.slice(\.part, { $0 }), slice.slice(\.sheet, { $0 }),
      slice.slice(\.rows, id: 0, { $0 }), slice.slice(\.always.edit, { $0 }),
    ]
    let part = try #require(slices[0])
    part.execute(1)
    part.execute(1, mode: .sequence)
    let performed: Part.State = try await part.perform(1)
    try await part.perform(1)
    let observable: Observable<Part.State> = part.stateObservable
    let properties: (Property<String>, MutableProperty<String>) = (
      part.property(\.text), part.property(\.text, set: { $0.count })
    )
    #expect(performed == part.currentState && slices.count == nested.count)
    #expect((properties.0.value, properties.1.value) == ("a", "a"))
    withExtendedLifetime(observable) {}
  }

  @MainActor @Test func lists() {
    let (rows, sections) = (StillListView(), [SectionModel(model: 1, items: [2])])
    let view: any BatchUpdatingList = rows
    let list: ListDataSource<Int, Int> = ListDataSource(view, sectionID: \.self, itemID: \.self)
    list.show(sections)
    typealias Path = ListChanges.ItemPath
    let path = Path(section: 0, item: 0)
    let read: (ListChanges) -> ([Int], [Int], [ListChanges.Move<Int>]) = {
      ($0.deletedSections, $0.insertedSections, $0.movedSections)
    }
    let readItems: (ListChanges) -> ([Path], [Path], [ListChanges.Move<Path>]) = {
      ($0.deletedItems, $0.insertedItems, $0.movedItems)
    }
    let number: ListDataSource<Int, Int> = ListDataSource(rows, sectionID: \.self, itemID: \.self) { $0 < 9 }
    #expect(list[path] == 2 && number.sections.isEmpty && path.section == path.item)
    withExtendedLifetime((read, readItems)) {}
  }

  @Test func exploring() throws {
    let report: ExplorationReport = try explore(
      limit: 10, seed: 1, overlapping: true, replaying: nil, trace: false, picture: nil, file: #fileID, line: #line
    ) { (run: Exploration) throws -> Void in
      let scheduler: TestScheduler = run.scheduler
      let (option, number): (String, Int) = (run.choose("a", "b"), run.choose(1...2))
      let arrival: @Sendable (String) async throws -> Void = { try await run.arrival($0) }
      let unnamed: @Sendable () async throws -> Void = { try await run.arrival() }
      run.mayArrive()
      run.allArrive()
      try run.expect(!option.isEmpty && number > 0, "a comment", file: #fileID, line: #line)
      try run.expect(scheduler.now == .zero)
      withExtendedLifetime((arrival, unnamed)) {}
    }
    let (runs, isExhaustive): (Int, Bool) = (report.runs, report.isExhaustive)
    #expect(runs == 4 && isExhaustive)
    try explore { _ in }
  }

  @Test func stores() async throws {
    let (scheduler, navigator) = (TestScheduler(), TestNavigator<Int>())
    let model = Model(scheduler: scheduler)
    let included: Exhaustivity.Included = [.loading, .unchanged]
    let ignored: Exhaustivity.Ignored = [.superseded, .dropped]
    let exhaustivities: [Exhaustivity] = [
      .on, .off, .on(ignoring: .superseded), .on(including: included, ignoring: ignored),
    ]
    let (first, part) = try await withTestStore(model, navigator: navigator) { (store: TestStore<Int, String>) in
      let viewModel: RxViewModel<Int, String> = store.viewModel
      #expect(viewModel === model && store.scheduler.now == .zero && exhaustivities.count == 4)
      let recorded: RecordedEvents<Int> = store.record(Observable.from([1, 1]))
      try store.expect(recorded, 1)
      try store.expect(recorded) { $0 == 1 }
      navigator.navigator.navigate(1, 2)
      try store.expect(route: 1)
      try store.expect(route: Int.self) { $0 == 2 }
      #expect(throws: TestFailure.self) { try store.expect(isLoading: true) }
      #expect(throws: TestFailure.self) { try store.expect(.cancelled) }
      #expect(throws: TestFailure.self) { try store.expect(.dropped, of: 1) }
      let change: TestStore<Int, String>.Change = { $0 += "a" }
      #expect(throws: TestFailure.self) { try store.expect(change) }
      try await store.settle()
      return (1, try await store.exhaustivity(.off) { await Task { 1 }.value })
    }
    let second: Int = try withSynchronousStore(model, navigator)
    #expect(part + first + second == 3)
  }

  private func withSynchronousStore(_ model: Model, _ navigator: TestNavigator<Int>) throws -> Int {
    try withTestStore(model) { _ in }
    try withTestStore(model, exhaustivity: .on) { store in
      try store.send(1)
      try store.send(1, mode: .parallel)
      try store.advance(by: .seconds(1))
      try store.exhaustivity(.off) {}
    }
    try withTestStore(model, navigator: navigator, exhaustivity: .on) { _ in }
    return try withTestStore(model, navigator: navigator) { _ in 1 }
  }

  #if canImport(Observation)
    @MainActor @Test func mirrorsForSwiftUI() {
      let model = Model()
      let (observed, activity): (ObservedState<String>, ObservedActivity<Int>) = (model.observed, model.activity)
      let (isLoading, hasFailure): (Bool, Bool) = (activity.isLoading, activity.hasFailure)
      activity.failure = nil as ActionAndError<Int>?
      let part: KeyPath<String, Int> & Sendable = \.count
      let properties: [ObservedProperty<Int>] = [
        model.observedProperty(part, set: { $0 }), ObservedProperty(MutableProperty(0)),
      ]
      #expect(!isLoading && !hasFailure && observed.state == "" && properties.count == 2)
      let whole = WholeModel(scheduler: ImmediateScheduler())
      let slice: ViewModelSlice<Int, Part.State> = whole.slice(\.part, { $0 })
      let observedSlice: ObservedSlice<Int, Part.State> = slice.observed
      let sliceActivity: ObservedActivity<Int> = slice.activity
      #expect(!sliceActivity.isLoading && slice == slice && Set([slice]).count == 1)
      let (all, text): (Part.State, String) = (observedSlice.state, observedSlice.text)
      let ofSlice: ObservedProperty<String> = slice.observedProperty(\.text, set: { $0.count })
      #expect(all.text == text && ofSlice.value == text)
    }
  #endif
}

private final class RecordedModel: RxViewModel<Int, String>, @unchecked Sendable {  // Sendable: it stores nothing.
  override func createInitialState() -> String { "" }
  override func createObservable(_ action: Int) -> Effect { .unchanged() }
}

private struct ServiceFailure: Error, Codable {}

private func recordings(_ isolation: isolated (any Actor)?) async throws {
  let recorder: RxViewModelRecording.Recorder = RxViewModelRecording.Recorder(limit: 10)
  let model: RecordedModel = recorder.record("name") { RecordedModel() }
  let answer: Int = try await recorder.answer("question", isolation: isolation) { 1 }
  try await recorder.answer("question", isolation: isolation) { () async throws -> Void in }
  let value: Int = recorder.value("question") { 1 }
  recorder.redact(Int.self) { $0 }
  recorder.omit(String.self)
  recorder.omit(String.self, where: { (text: String) -> Bool in text.isEmpty })
  recorder.encode(errors: ServiceFailure.self)
  recorder.forget()
  let stream: Observable<Int> = Observable<Int>.just(1).recorded("name", by: recorder)
  let recording: Recording = recorder.recording
  let (count, text, page): (Int, String, String) = (recording.count, recording.description, recording.timeline())
  _ = (model, answer, value, stream, count, text, page)
  do { _ = try Recording("") } catch let error as RecordingError {
    _ = (error.line, error.description) as (Int, String)
  }
  let failure: (RecordedError) -> (String, String) = { ($0.type, $0.description) }
  _ = failure
  let report: ReplayReport = try replay(
    recording, allowingDepartures: false, shrinking: false, picture: nil, file: #fileID, line: #line
  ) { (run: Replay) in
    let (scheduler, recorder): (TestScheduler, RxViewModelRecording.Recorder) = (run.scheduler, run.recorder)
    _ = (scheduler, recorder)
    try run.play { try run.expect(true, "comment", file: #fileID, line: #line) }
  }
  _ = (report.entries, report.departures) as (Int, [String])
}
