import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

/// A screen of an app with a race, and its fixed form.
struct PlantedRace: Sendable, CustomTestStringConvertible {
  let name: String
  /// Whether the race shows only if arrivals overlap.
  let overlaps: Bool
  /// Uses the screen as a user does, and checks what the user expects.
  let use: @Sendable (Exploration, _ isFixed: Bool) throws -> Void

  init(
    _ name: String, overlaps: Bool = false,
    _ use: @escaping @Sendable (Exploration, _ isFixed: Bool) throws -> Void
  ) {
    (self.name, self.overlaps, self.use) = (name, overlaps, use)
  }

  var testDescription: String { name }
}

extension PlantedRace {
  static let all = [
    PlantedRace("the second step of a chain belongs to another selection") { run, isFixed in
      let model = ClosureViewModel<Int, (selected: Int, avatars: [[Int]])>((0, []), scheduler: run.scheduler) {
        model, id in
        .mutate { $0.selected = id }.concat(
          Observable.task {
            try await run.arrival("name of \(id)")
            // The selection may have changed by now.
            let avatar = isFixed ? id : model.currentState.selected
            try await run.arrival("avatar of \(avatar)")
            return [id, avatar]
          }.mutate { $0.avatars.append($1) })
      }
      model.execute(1)
      run.mayArrive()
      model.execute(2)
      run.allArrive()
      try run.expect(model.currentState.avatars.allSatisfy { $0[0] == $0[1] })
    },
    PlantedRace("an undo comes after the commit") { run, isFixed in
      let isDeleted = Locked(false)
      let model = ClosureViewModel<String, (isShown: Bool, isCommitting: Bool)>(
        (true, false), scheduler: run.scheduler
      ) { model, action in
        if action == "delete" {
          let commit = Observable.task {
            isDeleted.mutate { $0 = true }
            try await run.arrival("deleted")
          }
          let wait = Observable<Int>.timer(.seconds(5), scheduler: model.scheduler)
          return .mutate { $0.isShown = false }
            .concat(wait.mutate { state, _ in state.isCommitting = true })
            .concat(commit.mutate { state, _ in state.isShown = false })
        }
        if isFixed && model.currentState.isCommitting { return .unchanged() }
        model.cancelActions { $0 == "delete" }
        return .mutate { $0.isShown = true }
      }
      model.execute("delete")
      run.mayArrive()
      model.execute("undo")
      run.allArrive()
      try run.expect(model.currentState.isShown != isDeleted.value)
    },
    PlantedRace("a cancelled request still navigates") { run, isFixed in
      let screens = TestNavigator<String>(scheduler: run.scheduler)
      let model = ClosureViewModel<String, Int>(0, scheduler: run.scheduler) { model, action in
        if action == "cancel" {
          model.cancelActions { $0 == "open" }
          return .unchanged()
        }
        return Observable.task {
          do {
            try await run.arrival("document")
            screens.navigator.navigate("document")
          } catch {
            // A cancellation is an error too.
            if isFixed && error is CancellationError { throw error }
            screens.navigator.navigate("could not be opened")
          }
        }.mutate { _, _ in }
      }
      model.execute("open")
      run.mayArrive()
      let before = screens.routes
      model.execute("cancel")
      run.allArrive()
      try run.expect(screens.routes == before)
      withExtendedLifetime(model) {}
    },
    PlantedRace("a request outlives its screen, and starts a timer") { run, isFixed in
      let (requests, request, timer) = (Locked(0), SerialDisposable(), SerialDisposable())
      // Three requests are enough: without a limit the run would not end.
      @Sendable func start() {
        if requests.increment() > 3 { return }
        let answer = Observable.task { try await run.arrival("quote") }
        request.replace(
          with: answer.subscribe(onNext: {
            timer.replace(with: run.scheduler.schedule(after: .seconds(1)) { start() })
          }))
      }
      start()
      run.mayArrive()
      let before = requests.value
      timer.replace(with: Disposables.create())
      if isFixed { request.dispose() }
      run.allArrive()
      try run.expect(requests.value == before)
    },
    PlantedRace("a request that returns although it has been cancelled navigates", overlaps: true) { run, isFixed in
      let screens = TestNavigator<String>(scheduler: run.scheduler)
      let model = ClosureViewModel<String, (isSaved: Bool, isDiscarded: Bool)>(
        (false, false), scheduler: run.scheduler
      ) { model, action in
        if action == "save" {
          return Observable.task {
            try await run.arrival("saved")
            // A cancelled task gets here if its answer returns all the same.
            if !isFixed { screens.navigator.navigate("saved") }
          }.mutate { state, _ in
            state.isSaved = true
            if isFixed { screens.navigator.navigate("saved") }
          }
        }
        if model.currentState.isSaved { return .unchanged() }
        model.cancelActions { $0 == "save" }
        return .mutate { $0.isDiscarded = true }
      }
      model.execute("save")
      run.mayArrive()
      model.execute("discard")
      run.allArrive()
      try run.expect(screens.routes == (model.currentState.isDiscarded ? [] : ["saved"]))
    },
    PlantedRace("two answers pass the same check", overlaps: true) { run, isFixed in
      let model = ClosureViewModel<String, Int>(1, scheduler: run.scheduler) { model, name in
        Observable.task {
          try await run.arrival("seat of \(name)")
          // The view model may or may not have folded the other answer by now.
          return model.currentState > 0
        }.mutate { left, isFree in
          if isFixed ? left > 0 : isFree { left -= 1 }
        }
      }
      model.execute("a")
      model.execute("b")
      run.allArrive()
      try run.expect(model.currentState == 0)
    },
  ]
}

// contract 4.6
@Suite("explore finds planted races", .ownThread, .asyncEffects) struct PlantedRaceTests {
  @Test(arguments: PlantedRace.all) func theRaceIsFoundAndItsOrderReplayed(_ race: PlantedRace) throws {
    if race.overlaps { try explore { run in try race.use(run, false) } }
    let text = failureText { try explore(overlapping: race.overlaps) { run in try race.use(run, false) } }
    let order = try #require(text.firstMatch(of: /in \d+ of \d+ orders, first in "([0-9x\-]*)"/)?.1)
    let replayed = failureText {
      try explore(overlapping: race.overlaps, replaying: String(order)) { run in try race.use(run, false) }
    }
    #expect(replayed.split(separator: "\n").last == text.split(separator: "\n").last)
  }

  @Test(arguments: PlantedRace.all) func theFixedFormPasses(_ race: PlantedRace) throws {
    let report = try explore(overlapping: race.overlaps) { run in try race.use(run, true) }
    #expect(report.isExhaustive && report.runs > 1)
  }
}
