import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private typealias List = Levels.Screen
private typealias Action = Levels.Action

private protocol HasText: Sendable {
  var text: String { get set }
}
extension Levels.Form: HasText {}
extension Levels.State: HasText {}

// contract 2.19: what follows an action
struct ThenTests {
  enum Place: CaseIterable {
    case viewModel, feature
  }

  enum Effect: CaseIterable {
    case mapper, synchronous, asynchronous
  }

  /// What follows the stream with the follower in the effect.
  enum Rest {
    case nothing, source, failure
  }

  private let source = PublishSubject<String>()
  private let slow = PublishSubject<String>()

  @Sendable private func stream<Part: HasText>(_ effect: Effect) -> Observable<StateMapper<Part>> {
    switch effect {
    case .mapper: .mutate { $0.text = "x" }
    case .synchronous: Observable.of("x", "y").mutate { $0.text = $1 }
    case .asynchronous: source.mutate { $0.text = $1 }
    }
  }

  @Sendable private func append<Part: HasText>(
    _ rest: Rest, to stream: Observable<StateMapper<Part>>
  ) -> Observable<StateMapper<Part>> {
    switch rest {
    case .nothing: stream
    case .source: stream.concat(source.mutate { $0.text = $1 })
    case .failure: stream.concat(.error(TestError()))
    }
  }

  /// A screen whose action `.run("first")`, of its own or of its form, has this effect, and is followed by "second". Its action
  /// `.run("slow")` lasts until `slow` ends.
  private func screen(_ effect: Effect, _ rest: Rest = .nothing, scheduler: any Scheduler = ImmediateScheduler())
    -> List
  {
    List(Levels.editing(), scheduler: scheduler) { [slow] script in
      script.form = { _, context in append(rest, to: stream(effect).then(.set("second"), on: context)) }
      script.screen = { name, screen in
        name == "slow"
          ? slow.mutate { $0.text = $1 } : append(rest, to: stream(effect).then(.detailDone("second"), on: screen))
      }
    }
  }

  private func first(_ place: Place) -> Action { place == .viewModel ? .run("first") : .edit(.run("first")) }
  private func second(_ place: Place) -> Action { place == .viewModel ? .detailDone("second") : .edit(.set("second")) }

  @Test(arguments: Place.allCases, Effect.allCases)
  func theFollowerIsAcceptedAfterTheEndInEveryMode(place: Place, effect: Effect) {
    for mode in ExecutionMode.all {
      let tests = ThenTests()
      let screen = tests.screen(effect)
      let steps = screen.steps()
      screen.execute(first(place), mode: mode)
      tests.source.onNext("x")
      tests.source.onCompleted()
      let end = steps.values.firstIndex(of: "\(first(place)) completed")
      let start = steps.values.firstIndex(of: "\(second(place)) started")
      #expect(end != nil && start != nil && end! < start!, "\(mode): \(steps.values)")
      #expect(steps.values.last == "\(second(place)) completed")
    }
  }

  // An ordered action whose mappers wait has not ended when its stream has completed.
  @Test(arguments: Place.allCases) func theFollowerOfAHeldActionWaitsForItsEnd(place: Place) {
    let screen = screen(.asynchronous)
    let steps = screen.steps()
    screen.execute(.run("slow"), mode: .parallelOrdered)
    screen.execute(first(place), mode: .parallelOrdered)
    source.onNext("x")
    source.onCompleted()
    #expect(!steps.values.contains("\(second(place)) started"))
    slow.onCompleted()
    #expect(steps.values.suffix(4).first == "\(first(place)) completed")
    #expect(steps.values.last == "\(second(place)) completed")
  }

  @Test(arguments: Place.allCases) func itFollowsTheWholeActionAndNotAPartOfIt(place: Place) {
    let screen = screen(.mapper, .source)
    let steps = screen.steps()
    screen.execute(first(place))
    #expect(!steps.values.contains("\(second(place)) started"))
    source.onCompleted()
    #expect(steps.values.last == "\(second(place)) completed")
  }

  enum End: CaseIterable {
    case failure, cancellation, clear
    /// A failure after the stream with the follower has completed.
    case laterFailure
  }

  @Test(arguments: Place.allCases, End.allCases) func nothingFollowsAnActionThatDoesNotComplete(place: Place, end: End)
  {
    let screen = end == .laterFailure ? screen(.mapper, .failure) : screen(.asynchronous)
    let steps = screen.steps()
    screen.execute(first(place))
    switch end {
    case .laterFailure: #expect(steps.values.last == "\(first(place)) failed")
    case .failure: source.onError(TestError())
    case .cancellation: screen.cancelActions { _ in true }
    case .clear: screen.clear()
    }
    source.onCompleted()
    #expect(!steps.values.contains { $0.hasPrefix("\(second(place)) ") })
  }

  // A mapper that an ordered action has held ends it in one fold, which does not read the place of its child.
  @Test(arguments: [nil, Levels.Detail.Destination.edit(Levels.Form(id: 1)), .edit(Levels.Form())])
  func nothingFollowsForAnInstanceThatHasGoneWithTheLastFold(destination: Levels.Detail.Destination?) {
    let slow = PublishSubject<String>()
    let screen = List(Levels.editing()) { script in
      script.screen = { _, _ in slow.mutate { $0.text = $1 } }
      script.form = { _, context in Levels.FormEffect.mutate { $0.text = "x" }.then(.set("second"), on: context) }
      script.changeDetail = { $0.destination = destination }
    }
    let ends = screen.ends()
    screen.execute(.run("slow"), mode: .parallelOrdered)
    screen.execute(.edit(.run("first")), mode: .parallelOrdered)
    slow.onCompleted()
    let isSame = destination.edit?.id == 0
    #expect(
      ends.values == [Action.run("slow"), .edit(.run("first"))].map { "\($0) completed" }
        + (isSame ? ["\(Action.edit(.set("second"))) completed"] : []))
    screen.expectDiagnosed([])
  }

  @Test func severalFollowInTheOrderInWhichTheirStreamsComplete() {
    let (one, two) = (PublishSubject<String>(), PublishSubject<String>())
    let screen = List { script in
      script.screen = { _, screen in
        .merge([
          one.mutate { $0.text = $1 }.then(.detailDone("one"), on: screen),
          two.mutate { $0.text = $1 }.then(.detailDone("two"), on: screen),
        ])
      }
    }
    screen.execute(.run("first"))
    two.onCompleted()
    one.onCompleted()
    #expect(screen.currentState.text == "detail two;detail one;")
  }

  @Test func inABatchTheFollowerIsNoPartOfTheBatch() {
    let screen = screen(.mapper)
    let ends = screen.ends()
    screen.executeInSequence(.run("first"), .rowDone(1, "a"))
    #expect(
      ends.values == [Action.run("first"), .rowDone(1, "a"), .detailDone("second")].map { "\($0) completed" })
  }

  @Test func performDoesNotWaitForTheFollower() async throws {
    let source = PublishSubject<String>()
    let screen = List { script in
      script.screen = { name, screen in
        name == "first" ? Levels.Effect.unchanged().then(.run("second"), on: screen) : source.mutate { $0.text = $1 }
      }
    }
    try await screen.perform(.run("first"))
    #expect(source.hasObservers)
  }

  @Test func nothingIsRetained() {
    weak var released: List?
    do {
      let screen = screen(.asynchronous)
      released = screen
      screen.execute(.run("first"))
    }
    #expect(released == nil)
    #expect(!source.hasObservers)
  }

  // An observer that subscribes while the view model subscribes to an effect
  @Test func aStreamOfAnObserverDoesNotBelongToTheActionOfTheMoment() {
    let (gate, never) = (PublishSubject<Void>(), PublishSubject<String>())
    let screen = List { script in
      script.screen = { _, _ in
        .create { observer in
          gate.onNext(())
          return never.mutate { (state: inout Levels.State, text: String) in state.text = text }.subscribe(observer)
        }
      }
    }
    let bag = DisposeBag()
    gate.subscribe(onNext: {
      let other: Levels.Effect = .unchanged()
      other.then(.detailDone("other"), on: screen).subscribe().disposed(by: bag)
    }).disposed(by: bag)
    screen.execute(.run("wait"))
    #expect(screen.currentState.text == "detail other;")
  }

  // The first stream completes while the effect is being made, and its action follows. The second completes after the end of that action.
  @Test func streamsThatTheMakingOfAnEffectSubscribesTo() {
    let (source, bag) = (PublishSubject<String>(), DisposeBag())
    let screen = List { script in
      script.screen = { _, screen in
        let streams: [(Levels.Effect, String)] = [(.unchanged(), "now"), (source.mutate { $0.text = $1 }, "later")]
        for (stream, text) in streams { stream.then(.detailDone(text), on: screen).subscribe().disposed(by: bag) }
        return .unchanged()
      }
    }
    screen.execute(.run(""))
    #expect(screen.currentState.text == "detail now;")
    source.onCompleted()
    #expect(screen.currentState.text == "detail now;detail later;")
  }

  @Test func aStreamThatIsNoEffectExecutesWhenItHasCompleted() {
    let (source, screen) = (PublishSubject<String>(), List())
    let passed = Locked<[String]>([])
    let stream: Levels.Effect = source.mutate { $0.text = $1 }
    let subscription = stream.then(.detailDone("second"), on: screen).subscribe(onCompleted: {
      passed.mutate { $0.append("completed with \(screen.currentState.text)") }
    })
    source.onCompleted()
    #expect(passed.value == ["completed with "])
    #expect(screen.currentState.text == "detail second;")
    subscription.dispose()
  }

  @Test(arguments: Place.allCases) func aStreamThatCompletesOnAnotherThread(place: Place) async {
    let screen = screen(.asynchronous, scheduler: DispatchQueue(label: "screen"))
    let steps = screen.steps()
    screen.execute(first(place))
    #expect(await eventually { source.hasObservers })
    await onThread {
      source.onNext("x")
      source.onCompleted()
    }
    #expect(await eventually { steps.values.last == "\(second(place)) completed" })
    let end = steps.values.firstIndex(of: "\(first(place)) completed")!
    #expect(end < steps.values.firstIndex(of: "\(second(place)) started")!)
  }
}
