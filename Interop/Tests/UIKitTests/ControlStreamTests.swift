import Foundation
import RxViewModel
import RxViewModelTesting
import Testing
import UIKit

// contract 3.6: each stream of a control
@MainActor struct ControlStreamTests {
  /// The streams, with their types spelled out.
  @Test func surface() {
    let withoutAValue: [Observable<Void>] = [UIControl().events(.touchDown), UIButton().taps]
    let texts: [Observable<String>] = [UITextField().edits, UITextView().edits]
    let isOn: Observable<Bool> = UISwitch().values { $0.isOn }
    let value: Observable<Float> = UISlider().values { $0.value }
    let segment: Observable<Int> = UISegmentedControl().values(at: .valueChanged) { $0.selectedSegmentIndex }
    withExtendedLifetime((withoutAValue, texts, isOn, value, segment)) {}
  }

  @Test func onlyTheGivenEventsAreEmittedAndNoneIsReplayed() {
    let control = UIControl()
    let touches = control.events([.touchDown, .touchUpOutside]).test()
    #expect(touches.values.isEmpty)
    for event in [.touchDown, .touchUpInside, .touchUpOutside] as [UIControl.Event] { control.sendActions(for: event) }
    #expect(touches.values.count == 2)
    #expect(control.events(.touchDown).test().values.isEmpty)
  }

  @Test func aButtonEmitsItsTaps() {
    let button = UIButton(type: .system)
    let taps = button.taps.test()
    button.sendActions(for: .touchDown)
    #expect(taps.values.isEmpty)
    button.sendActions(for: .touchUpInside)
    button.sendActions(for: .touchUpInside)
    #expect(taps.values.count == 2)
    #expect(button.taps.test().values.isEmpty)
  }

  @Test func aSwitchEmitsItsValueAndThoseOfTheUser() {
    let control = UISwitch()
    let toggles = control.values { $0.isOn }.test()
    control.toggle(true)
    #expect(toggles.values == [false, true])
    // The program resets the switch, and the user toggles it again.
    control.isOn = false
    control.toggle(true)
    #expect(toggles.values == [false, true, true])
    control.isOn = false
    #expect(control.values { $0.isOn }.test().values == [false])
  }

  @Test func aControlOfTheAppsIsOneLine() {
    let (stepper, picker) = (UIStepper(), UIDatePicker())
    picker.date = Date(timeIntervalSince1970: 0)
    let (steps, dates) = (stepper.steps.test(), picker.dates.test())
    let ended = stepper.values(at: .editingDidEnd) { Int($0.value) }.test()
    stepper.value = 1
    #expect(steps.values == [0])
    stepper.sendActions(for: .valueChanged)
    picker.date = Date(timeIntervalSince1970: 60)
    picker.sendActions(for: .valueChanged)
    #expect(steps.values == [0, 1])
    #expect(dates.values == [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 60)])
    #expect(ended.values == [0])
    stepper.sendActions(for: .editingDidEnd)
    #expect(ended.values == [0, 1])
    #expect(stepper.steps.test().values == [1])
  }

  @Test func aControlOfTheAppsIsBoundBothWays() {
    let (stepper, quantity) = (UIStepper(), MutableProperty(3.0))
    let binding = quantity.bind(edits: stepper.steps) { [weak stepper] in stepper?.value = $0 }
    #expect(stepper.value == 3)
    stepper.value = 4
    stepper.sendActions(for: .valueChanged)
    #expect(quantity.value == 4)
    quantity.value = 5
    #expect(stepper.value == 5)
    binding.dispose()
  }

  @Test func aTextFieldEmitsItsTextAndTheEdits() {
    let field = UITextField()
    field.text = nil
    let edits = field.edits.test()
    field.type("a")
    field.type("ab")
    field.text = "set by the program"
    #expect(edits.values == ["", "a", "ab"])
    #expect(field.edits.test().values == ["set by the program"])
    // A program that wants the stream to emit its text sends an event.
    field.sendActions(for: .valueChanged)
    #expect(edits.values == ["", "a", "ab", "set by the program"])
  }

  @Test func theBeginAndTheEndOfEditingEmitOnlyAnotherText() {
    let field = UITextField()
    let edits = field.edits.test()
    field.sendActions(for: .editingDidBegin)
    field.type("teh")
    field.sendActions(for: .editingDidEndOnExit)
    #expect(edits.values == ["", "teh"])
    field.text = "the"  // An automatic correction.
    field.sendActions(for: .editingDidEnd)
    #expect(edits.values == ["", "teh", "the"])
  }

  @Test func anEditToTheTextEmittedLastIsNotLost() {
    let field = UITextField()
    let edits = field.edits.test()
    field.type("hello")
    field.text = ""  // The message has been sent.
    field.type("hello")
    #expect(edits.values == ["", "hello", "hello"])
  }

  @Test func aTextViewEmitsItsTextAndTheChangesOfTheUser() {
    let (textView, other) = (UITextView(), UITextView())
    textView.text = "a"
    let edits = textView.edits.test()
    textView.type("ab")
    other.type("not this one")
    textView.text = "set by the program"
    #expect(edits.values == ["a", "ab"])
    #expect(textView.edits.test().values == ["set by the program"])
  }

  // contract 5
  @Test func aFieldIsBoundToAProperty() {
    let (field, text) = (UITextField(), MutableProperty("first"))
    field.text = "placeholder"
    let binding = text.bind(edits: field.edits) { [weak field] in field?.text = $0 }
    #expect(field.text == "first" && text.value == "first")
    field.type("second")
    #expect(text.value == "second")
    text.value = "third"
    #expect(field.text == "third")
    // The user types the text that the stream emitted last.
    field.type("second")
    #expect(text.value == "second")
    binding.dispose()
    field.type("fourth")
    #expect(text.value == "second")
  }

  @Test func editsAndTapsAreExecuted() throws {
    let scheduler = TestScheduler()
    let viewModel = FormViewModel(scheduler: scheduler)
    let (field, button, bag) = (UITextField(), UIButton(), DisposeBag())
    field.text = "b"
    field.edits.map(FormViewModel.Action.setName).execute(on: viewModel).disposed(by: bag)
    button.taps.map { .save }.execute(on: viewModel).disposed(by: bag)
    field.type("bo")
    button.sendActions(for: .touchUpInside)
    scheduler.run()
    #expect(viewModel.currentState == .init(name: "bo", saved: "bo"))
    withExtendedLifetime((viewModel, bag)) {}
  }
}

// Sendable: it stores nothing.
private final class FormViewModel: RxViewModel<FormViewModel.Action, FormViewModel.State>, @unchecked Sendable {
  enum Action: Sendable {
    case setName(String)
    case save
  }
  struct State: Sendable, Equatable { var name = "", saved = "" }

  override func createInitialState() -> State { State() }

  override func createObservable(_ action: Action) -> Effect {
    switch action {
    case .setName(let name): .mutate { $0.name = name }
    case .save: .mutate { $0.saved = $0.name }
    }
  }
}

extension UIStepper {
  fileprivate var steps: Observable<Double> { values { $0.value } }
}

extension UIDatePicker {
  fileprivate var dates: Observable<Date> { values { $0.date } }
}
