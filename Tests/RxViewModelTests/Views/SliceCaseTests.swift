#if canImport(Observation)
  import RxViewModel
  import RxViewModelTesting
  import Testing
  @testable import TestSupport

  // contract 3.7
  @MainActor
  @Suite struct SliceCaseTests {
    typealias Edit = ViewModelSlice<Levels.FormAction, Levels.Form>

    private struct Failure: Error {}

    private let answer = Locked(PublishSubject<Int>())
    private let screen: Levels.Screen

    init() {
      let answer = answer
      screen = Levels.Screen(Levels.editing("text", id: 1)) { script in
        script.form = { _, _ in .deferred { answer.value.ignoreElements() } }
      }
    }

    private var detail: ViewModelSlice<Levels.DetailAction, Levels.Detail>? { detail(of: screen) }
    private var edit: Edit? { detail?.slice(\.destination.edit, Levels.DetailAction.edit) }
    private var alert: Edit? { detail?.slice(\.destination.alert, Levels.DetailAction.alert) }

    private func show(_ destination: Levels.Detail.Destination?) { screen.execute(.detail(.show(destination))) }

    private func fail() {
      let failing = answer.mutate { answer in
        defer { answer = PublishSubject() }
        return answer
      }
      failing.onError(Failure())
    }

    @Test func aSliceOfACaseReadsItAndExecutesItsActions() throws {
      let first = try #require(edit)
      #expect(first == edit && alert == nil)
      first.execute(.set("new"))
      #expect(screen.currentState.detail?.destination == .edit(Levels.Form(id: 1, text: "new")))
      #expect(first.currentState.text == "new")
      show(.alert(Levels.Form(id: 2, text: "alert")))
      #expect(edit == nil)
      let second = try #require(alert)
      #expect(second != first && second.currentState.text == "alert")
      // It shows the last child, whose actions are refused.
      first.execute(.set("late"))
      #expect(first.currentState.text == "new")
      #expect(screen.currentState.detail?.destination == .alert(Levels.Form(id: 2, text: "alert")))
      #expect(screen.diagnosed.value.count == 1)
    }

    @Test func aViewIsNotifiedWhenTheCaseChanges() {
      let texts = ActivityReader { edit?.observed.text }
      edit?.execute(.set("new"))
      show(.alert(Levels.Form()))
      show(.edit(Levels.Form(text: "other")))
      screen.execute(.show(nil))
      #expect(texts.values == ["text", "new", nil, "other", nil])
    }

    @Test func theActivityOfACaseIsThatOfItsChild() {
      let loading = ActivityReader { edit?.activity.isLoading }
      let failures = ActivityReader { edit?.activity.hasFailure }
      screen.execute(.detail(.run("not the form's")))
      #expect(loading.values == [false])
      edit?.execute(.run("save"))
      #expect(loading.values == [false, true])
      fail()
      #expect(loading.values == [false, true, false])
      #expect(failures.values == [false, true])
      #expect(edit?.activity.failure?.error is Failure)
      // Another id takes the place of the child.
      show(.edit(Levels.Form(id: 2)))
      #expect(failures.values == [false, true, false])
    }

    @Test func theFailureOfACaseGoesWithIt() {
      let failures = ActivityReader { edit?.activity.hasFailure }
      edit?.execute(.run("save"))
      fail()
      show(.alert(Levels.Form(id: 1)))
      #expect(failures.values == [false, true, nil])
      #expect(alert?.activity.hasFailure == false)
      show(.edit(Levels.Form(id: 1)))
      #expect(failures.values == [false, true, nil, false])
    }

    @Test func aFailureWhoseMapperReplacesTheChildIsShownUntilTheNextOne() {
      let screen = Levels.Screen(Levels.editing("text", id: 1)) { script in
        script.form = { _, _ in .error(Failure()) }
        script.detailError = { _ in
          { detail in
            var detail = detail
            detail.destination = .edit(Levels.Form(id: 2))
            return detail
          }
        }
      }
      let failures = ActivityReader {
        detail(of: screen)?.slice(\.destination.edit, Levels.DetailAction.edit)?.activity.hasFailure
      }
      screen.execute(.edit(.run("save")))
      #expect(screen.currentState.detail?.destination.edit?.id == 2)
      #expect(failures.values == [false, true])
      screen.execute(.detail(.show(.edit(Levels.Form(id: 3)))))
      #expect(failures.values == [false, true, false])
    }

    // MARK: A case of the whole state

    enum Door: Sendable, Equatable {
      case open(Levels.Form)
      case closed

      var open: Levels.Form? {
        get { if case .open(let form) = self { form } else { nil } }
        set { if let newValue { self = .open(newValue) } }
      }
    }

    // Sendable: it stores nothing.
    final class DoorViewModel: RxViewModel<Levels.FormAction?, Door>, @unchecked Sendable {
      override func createInitialState() -> Door { .open(Levels.Form()) }

      override func child(for action: Levels.FormAction?) -> ChildAction<Levels.FormAction?, Door>? {
        guard let action else { return nil }
        let form = Levels.FormFeature(script: Levels.Script(form: { _, _ in .never() }))
        return .init(form, action, at: \.open, as: { $0 }, output: { _ in nil })
      }

      var open: Edit? { slice(\.open) { $0 } }

      override func createObservable(_ action: Levels.FormAction?) -> Effect {
        .just { _ in .closed }
      }
    }

    @Test func aCaseOfTheWholeStateHasASlice() {
      let door = DoorViewModel(scheduler: ImmediateScheduler())
      let texts = ActivityReader { door.open?.observed.text }
      let loading = ActivityReader { door.open?.activity.isLoading }
      door.open?.execute(.set("new"))
      door.execute(.run("for ever"))
      door.execute(nil)
      #expect(texts.values == ["", "new", nil])
      #expect(loading.values == [false, true, false, true, nil])
    }

    private func detail(of screen: Levels.Screen) -> ViewModelSlice<Levels.DetailAction, Levels.Detail>? {
      screen.slice(\.detail, Levels.Action.detail)
    }
  }
#endif
