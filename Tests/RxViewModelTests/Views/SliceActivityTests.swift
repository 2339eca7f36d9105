import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

#if canImport(Observation)
  import Observation

  /// Reads again at each notification, as a view does.
  @MainActor
  final class ActivityReader<Value: Equatable> {
    private(set) var values: [Value] = []
    private let read: @MainActor () -> Value

    init(_ read: @escaping @MainActor () -> Value) {
      self.read = read
      track()
    }

    private func track() {
      let value = withObservationTracking(read) { [weak self] in MainActor.assumeIsolated { self?.track() } }
      // A read inside the notification returns the value before, and another one follows.
      if values.last != value { values.append(value) }
    }
  }

  private struct Failure: Error {}

  // contract 3.7
  @MainActor
  @Suite struct SliceActivityTests {
    private let answers = Locked(PublishSubject<Int>())
    private let viewModel: ParentViewModel

    init() {
      let answers = answers
      viewModel = ParentViewModel(FormFeature(answer: .deferred { answers.value.asObservable() }))
      viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
      viewModel.execute(.show(Form(name: "Ann")))
    }

    private func row(_ id: Int) -> ViewModelSlice<FormAction, Form>? {
      viewModel.slice(\.rows, id: id) { .row(id, $0) }
    }

    private var sheet: ViewModelSlice<FormAction, Form>? {
      viewModel.slice(\.sheet, ParentAction.sheet)
    }

    private func fail() {
      let failing = answers.mutate { answers in
        defer { answers = PublishSubject() }
        return answers
      }
      failing.onError(Failure())
    }

    @Test func onlyTheRowWhoseActionRunsIsLoading() {
      let first = ActivityReader { row(1)?.activity.isLoading }
      let second = ActivityReader { row(2)?.activity.isLoading }
      row(1)?.execute(.save)
      #expect(first.values == [false, true])
      #expect(second.values == [false])
      // A row that is read while it is loading shows that.
      #expect(row(1)?.activity.isLoading == true && row(2)?.activity.isLoading == false)
      let answer = answers.mutate { answers in
        defer { answers = PublishSubject() }
        return answers
      }
      answer.onNext(1)
      answer.onCompleted()
      #expect(first.values == [false, true, false])
      viewModel.execute(.row(2, .save))
      #expect(second.values == [false, true])
      #expect(first.values.count == 3)
    }

    @Test func anActionWithoutASpinnerIsNotLoading() {
      let viewModel = ParentViewModel(FormFeature(hasSpinner: false))
      let unfinished = viewModel.isLoadingObservable(where: { _ in true }).test()
      let form = viewModel.slice(\.fixed, ParentAction.fixed)
      let loading = ActivityReader { form.activity.isLoading }
      form.execute(.save)
      #expect(unfinished.values == [false, true])
      #expect(loading.values == [false])
    }

    @Test func aFailureBelongsToItsChildAndGoesWithIt() {
      let first = ActivityReader { row(1)?.activity.hasFailure }
      let second = ActivityReader { row(2)?.activity.hasFailure }
      row(1)?.execute(.save)
      fail()
      #expect(first.values == [false, true])
      #expect(second.values == [false])
      #expect(row(1)?.activity.failure?.error is Failure)
      row(1)?.activity.failure?.retry()
      #expect(row(1)?.activity.isLoading == true)
      viewModel.execute(.setRows([Form(id: 2)]))
      #expect(first.values.last == .some(nil))
      viewModel.execute(.setRows([Form(id: 1), Form(id: 2)]))
      #expect(first.values.last == false)
      #expect(row(1)?.activity.isLoading == false)
    }

    @Test func aDismissedFailureStaysAway() {
      let failures = ActivityReader { sheet?.activity.hasFailure }
      sheet?.execute(.save)
      fail()
      #expect(failures.values == [false, true])
      sheet?.activity.hasFailure = false
      #expect(failures.values == [false, true, false])
    }

    @Test func anotherSheetShowsNoFailureOfTheOneBefore() {
      let failures = ActivityReader { sheet?.activity.hasFailure }
      sheet?.execute(.save)
      fail()
      #expect(failures.values == [false, true])
      viewModel.execute(.show(nil))
      viewModel.execute(.show(Form(name: "Bob")))
      #expect(failures.values.last == false)
    }

    @Test func aFailureFromBeforeTheFirstReadIsShownWhileItsChildIsThere() {
      sheet?.execute(.save)
      fail()
      sheet?.execute(.setName("Bob"))
      #expect(sheet?.activity.hasFailure == true)
    }

    @Test func anotherSheetShowsNoUnreadFailureOfTheOneBefore() {
      sheet?.execute(.save)
      fail()
      viewModel.execute(.show(nil))
      viewModel.execute(.show(Form(name: "Bob")))
      #expect(sheet?.activity.hasFailure == false)
    }

    // contract 2.19
    @Test func aFailureThatIsKeptIsNotRetriedForAnotherSheet() {
      sheet?.execute(.save)
      fail()
      let failure = viewModel.activity.failure
      viewModel.execute(.show(nil))
      viewModel.execute(.show(Form(name: "Bob")))
      failure?.retry()
      #expect(failure != nil && sheet?.activity.isLoading == false)
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
#endif
