#if canImport(Observation)
  import Observation
  import RxViewModel
  import RxViewModelTesting
  import Testing
  @testable import TestSupport

  private struct Failure: Error {}

  // contract 3.7
  @MainActor
  struct SliceActivityTests {
    /// Where the next save gets its answer.
    private let answers = Locked(PublishSubject<Int>())
    private let viewModel: ParentViewModel

    init() {
      viewModel = ParentViewModel(FormFeature(answer: .deferred { [answers] in answers.value.asObservable() }))
      viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
      viewModel.execute(.show(Form(name: "Ann")))
    }

    private func row(_ id: Int) -> ViewModelSlice<FormAction, Form>? {
      viewModel.slice(\.rows, id: id) { .row(id, $0) }
    }

    private var sheet: ViewModelSlice<FormAction, Form>? { viewModel.slice(\.sheet, ParentAction.sheet) }

    /// Makes the saves fail that are running now.
    private func fail() { answers.exchange(for: PublishSubject()).onError(Failure()) }

    @Test func onlyTheRowWhoseActionRunsIsLoading() {
      let first = Reader { row(1)?.activity.isLoading }
      let second = Reader { row(2)?.activity.isLoading }
      row(1)?.execute(.save)
      #expect((first.values, second.values) == ([false, true], [false]))
      // A row that is read while it is loading shows that.
      #expect(row(1)?.activity.isLoading == true && row(2)?.activity.isLoading == false)
      answers.exchange(for: PublishSubject()).onCompleted()
      #expect(first.values == [false, true, false])
      viewModel.execute(.row(2, .save))
      #expect((first.values, second.values) == ([false, true, false], [false, true]))
    }

    @Test func anActionWithoutASpinnerIsNotLoading() {
      let viewModel = ParentViewModel(FormFeature(hasSpinner: false))
      let unfinished = viewModel.isLoadingObservable(where: { _ in true }).test()
      let form = viewModel.slice(\.fixed, ParentAction.fixed)
      let loading = Reader { form.activity.isLoading }
      form.execute(.save)
      #expect(unfinished.values == [false, true])
      #expect(loading.values == [false])
    }

    @Test func aFailureBelongsToItsChildAndGoesWithIt() {
      let first = Reader { row(1)?.activity.hasFailure }
      let second = Reader { row(2)?.activity.hasFailure }
      row(1)?.execute(.save)
      fail()
      #expect((first.values, second.values) == ([false, true], [false]))
      #expect(row(1)?.activity.failure?.error is Failure)
      row(1)?.activity.failure?.retry()
      #expect(row(1)?.activity.isLoading == true)
      viewModel.execute(.setRows([Form(id: 2)]))
      #expect(first.values.last == .some(nil))
      viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
      #expect(first.values.last == false)
      #expect(row(1)?.activity.isLoading == false)
    }

    @Test(arguments: [false, true]) func anUnreadFailureIsShownWhileItsChildIsThere(isReplaced: Bool) {
      sheet?.execute(.save)
      fail()
      if isReplaced { viewModel.execute(.show(nil)) }
      viewModel.execute(isReplaced ? .show(Form(name: "Bob")) : .sheet(.setName("Bob")))
      #expect(sheet?.activity.hasFailure == !isReplaced)
    }

    @Test func aDismissedFailureLetsItsChildActAgain() {
      sheet?.execute(.save)
      fail()
      sheet?.activity.hasFailure = false
      sheet?.execute(.setName("Bob"))
      #expect(viewModel.currentState.sheet?.name == "Bob")
      viewModel.execute(.show(nil))
      viewModel.execute(.show(Form()))
      sheet?.execute(.setName("Cid"))
      #expect(viewModel.currentState.sheet?.name == "Cid")
    }

    // contract 3.5
    @Test func aFailureReadOfOneChildSilencesNoErrorOfAnother() {
      _ = row(1)?.activity.failure
      row(2)?.execute(.save)
      fail()
      #expect(viewModel.diagnosed.value.count == 1)
      _ = row(1)?.activity.failure
      row(1)?.execute(.save)
      fail()
      #expect(viewModel.diagnosed.value.count == 1)
    }

    @Test func theActivityOfARowStaysUntilTheRowIsAbsentInTwoStates() {
      weak let activity = row(1)?.activity
      row(1)?.execute(.save)
      fail()
      #expect(activity != nil && row(1)?.activity === activity && activity?.hasFailure == true)
      viewModel.execute(.setRows([]))
      viewModel.execute(.setRows([]))
      #expect(activity == nil)
    }
  }

  // contract 3.7: a case of an enum, in a slice of a slice
  @MainActor
  struct NestedSliceActivityTests {
    private let answer = PublishSubject<Int>()

    private func edit(of screen: Levels.Screen) -> ViewModelSlice<Levels.FormAction, Levels.Form>? {
      screen.slice(\.detail, Levels.Action.detail)?.slice(\.destination.edit, Levels.DetailAction.edit)
    }

    @Test(arguments: [Levels.Detail.Destination.edit(Levels.Form(id: 2)), .alert(Levels.Form(id: 1)), nil])
    func theActivityOfACaseIsThatOfItsChild(next: Levels.Detail.Destination?) {
      let screen = Levels.Screen(Levels.editing("text", id: 1)) { [answer] script in
        script.form = { _, _ in answer.ignoreElements() }
        script.detail = { _, _ in .never() }
      }
      let loading = Reader { edit(of: screen)?.activity.isLoading }
      let failures = Reader { edit(of: screen)?.activity.hasFailure }
      screen.execute(.detail(.run("not the form's")))
      #expect(loading.values == [false])
      edit(of: screen)?.execute(.run("save"))
      #expect(loading.values == [false, true])
      answer.onError(Failure())
      #expect(loading.values == [false, true, false])
      #expect(edit(of: screen)?.activity.failure?.error is Failure)
      // Another id or another case takes the place of the child.
      screen.execute(.detail(.show(next)))
      #expect(failures.values == [false, true, next.edit == nil ? nil : false])
      screen.execute(.detail(.show(.edit(Levels.Form(id: 1)))))
      #expect(failures.values.last == false)
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
      let failures = Reader { edit(of: screen)?.activity.hasFailure }
      screen.execute(.edit(.run("save")))
      #expect(screen.currentState.detail?.destination.edit?.id == 2)
      #expect(failures.values == [false, true])
      screen.execute(.detail(.show(.edit(Levels.Form(id: 3)))))
      #expect(failures.values == [false, true, false])
    }

    // MARK: A form in a sheet that has an id

    private struct Sheet: Sendable, Identifiable {
      let id: Int
      var form = Form()
    }

    private struct Screen: Sendable { var sheet: Sheet? }

    private enum Action: Sendable {
      case form(FormAction)
      case show(Sheet)
    }

    private struct SheetFeature: Feature {
      func child(for action: FormAction) -> ChildAction<FormAction, Sheet>? {
        .init(FormFeature(answer: .error(Failure())), action, at: \.form, as: { $0 })
      }

      func createObservable(_ action: FormAction, context: FeatureContext<Self>) -> Observable<StateMapper<Sheet>> {
        .handledByChild()
      }
    }

    @Test func aFailureGoesWithTheParentOfItsChild() {
      let screen = ClosureViewModel<Action, Screen>(Screen(sheet: Sheet(id: 1)), scheduler: ImmediateScheduler()) {
        if case .show(let sheet) = $1 { .mutate { $0.sheet = sheet } } else { .handledByChild() }
      } overrides: {
        $0.child = { _, action in
          guard case .form(let action) = action else { return nil }
          return .init(SheetFeature(), action, at: \.sheet, as: Action.form)
        }
      }
      let form = { screen.slice(\.sheet, Action.form)?.slice(\.form) { (action: FormAction) in action } }
      let failures = Reader { form()?.activity.hasFailure }
      form()?.execute(.save)
      screen.execute(.show(Sheet(id: 1, form: Form(name: "a"))))
      #expect(failures.values == [false, true])
      screen.execute(.show(Sheet(id: 2)))
      #expect(failures.values == [false, true, false])
    }
  }
#endif
