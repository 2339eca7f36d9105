import RxViewModel
import Testing

@testable import TestSupport

// contract 2.19: a child is at a writable property of any kind, whether or not it is stored at a fixed place in the state
struct ChildPropertyTests {
  private struct Form: Sendable, Equatable {
    var name = "a name that is stored outside of the string"
    var number = 0
  }

  private final class Shared: Sendable {
    let form = Locked(Form())
  }

  private struct State: Sendable {
    struct Nested: Sendable {
      let before = (1, "another text that is stored outside of the string")
      var form = Form()
    }

    var nested = Nested()
    var tuple = (1, Form())
    var unwrapped: Form! = Form()
    var array = [Form(), Form()]
    var observed = Form() {
      didSet { changes += 1 }
    }
    var changes = 0
    var computed: Form {
      get { Form(number: computedNumber) }
      set { computedNumber = newValue.number }
    }
    var computedNumber = 0
    let object = Shared()
    var behindAnObject: Form {
      get { object.form.value }
      nonmutating set { object.form.mutate { $0 = newValue } }
    }
    var optional: Form? = Form()
  }

  private struct Add: Feature {
    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Form>> {
      .mutate { $0.number = context.state.number + action }
    }
  }

  private typealias Child = ChildAction<Int, State>

  private static let properties: [WritableKeyPath<State, Form> & Sendable] = [
    \.nested.form, \.tuple.1, \.unwrapped, \.array[1], \.observed, \.computed, \.behindAnObject,
  ]

  @Test(arguments: properties.indices) func aChildMayBeAtAnyProperty(index: Int) {
    let property = Self.properties[index]
    let model = ClosureViewModel<Int, State>(State(), scheduler: ImmediateScheduler()) {
      $0.child = { _, action in
        action < 10 ? Child(Add(), action, at: property, as: { $0 }) : Child(Add(), action, at: \.optional, as: { $0 })
      }
    }
    let slice = model.slice(property) { (action: Int) in action }
    for action in [1, 2, 10] { model.execute(action) }
    slice.execute(4)
    #expect(model.currentState[keyPath: property].number == 7)
    #expect(slice.currentState == model.currentState[keyPath: property])
    #expect(model.currentState.optional?.number == 10)
    #expect(model.currentState.changes == (property == \.observed ? 3 : 0))
  }

  private struct Fail: Feature {
    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Form>> {
      .error(TestError())
    }
  }

  private struct Outer: Feature {
    func child(for action: Int) -> ChildAction<Int, Form>? { .init(Fail(), action, at: \.self, as: { $0 }) }

    func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Form>> {
      .handledByChild()
    }
  }

  @Test func anErrorMapperFromAboveSetsNoChild() {
    let model = ClosureViewModel<Int, State>(State(), scheduler: ImmediateScheduler()) {
      $0.child = { _, action in .init(Outer(), action, at: \.observed, as: { $0 }) }
      $0.errorMapper = { _, _, _ in
        { state in
          var state = state
          state.computedNumber = 9
          return state
        }
      }
      $0.handles = { _, _, _ in true }
    }
    model.execute(1)
    #expect(model.currentState.computedNumber == 9)
    #expect(model.currentState.changes == 0)
  }
}
