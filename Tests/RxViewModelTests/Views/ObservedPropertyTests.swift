#if canImport(Observation)
  import Observation
  import RxViewModel
  import RxViewModelTesting
  import Testing
  @testable import TestSupport

  // contract 5
  @MainActor
  struct ObservedPropertyTests {
    private let property = MutableProperty("a")
    private let observed: ObservedProperty<String>

    init() {
      observed = ObservedProperty(property)
    }

    @Test func aReaderIsNotifiedOfEachChangeAndReadsTheNewValue() {
      let reader = Reader { [observed] in observed.value }
      property.value = "a"
      #expect(reader.notifications == 0)
      property.value = "b"
      observed.value = "c"
      #expect(reader.values == ["a", "b", "c"])
      #expect(reader.notifications == 2)
      #expect(property.value == "c")
    }

    @Test func aWriteInAnswerToANotificationIsTheLaterOne() {
      _ = withObservationTracking {
        observed.value
      } onChange: { [observed] in
        MainActor.assumeIsolated { observed.value = "c" }
      }
      observed.value = "b"
      #expect(observed.value == "c")
      #expect(property.value == "c")
    }

    @Test func aValueFromElsewhereNeverOverwritesANewerOne() async {
      onOtherThread { [property] in property.value = "old" }
      observed.value = "new"
      #expect(observed.value == "new")
      await mainQueueHasRun()
      #expect(observed.value == "new")
    }
  }

  // contract 3.5, 5
  @MainActor
  struct ObservedPropertyOfAViewModelTests {
    private let viewModel = profileViewModel()

    @Test func eachPropertyOfAPartWritesWithItsOwnAction() {
      let first = viewModel.observedProperty(\.name, set: ProfileEdit.name)
      let second = viewModel.observedProperty(\.name) { .name("second \($0)") }
      second.value = "Ann"
      #expect(viewModel.currentState.name == "secondAnn")
      #expect((first.value, second.value) == ("secondAnn", "secondAnn"))
      first.value = "Bob"
      #expect(viewModel.currentState.name == "Bob")
      #expect((first.value, second.value) == ("Bob", "Bob"))
      // A key path with a subscript is another one for each index.
      let initials = [0, 1, 0].map { viewModel.observedProperty(\.[letter: $0], set: ProfileEdit.name) }
      #expect(initials.map(\.value) == ["B", "o", "B"])
    }

    @Test func twoViewsOfOneFieldShowOneValue() {
      let scheduler = TestScheduler()
      let viewModel = profileViewModel(scheduler: scheduler)
      let fields = (0..<2).map { _ in viewModel.observedProperty(\.name, set: ProfileEdit.name) }
      fields[0].value = "A nn"
      // Both show the edit immediately, and the view model's correction when its action has ended.
      #expect(fields[1].value == "A nn")
      scheduler.run()
      #expect(fields.map(\.value) == ["Ann", "Ann"])
    }

    @Test func propertiesOfRowsThatComeAndGoLeaveLittle() {
      let alive = Locked(1_000)
      for number in 0..<1_000 {
        let id = CountedID(number) { alive.mutate { $0 -= 1 } }
        #expect(viewModel.observedProperty(\.[id], set: ProfileEdit.name).value == "")
      }
      #expect(alive.value < 32)
    }

    @Test func aPropertyThatComesAndGoesDoesNotSearchTheOthers() {
      let (count, calls) = (400, CallCount())
      func property(_ number: Int) -> ObservedProperty<String> {
        viewModel.observedProperty(\.[CountedID(number, calls)], set: ProfileEdit.name)
      }
      var properties: [ObservedProperty<String>] = []
      let costs = (0..<count).map { number in
        properties.append(property(number))
        calls.count = 0
        for _ in 0..<20 { _ = property(-1) }
        return calls.count
      }
      // At any number of properties, at most one of these twenty calls looks at all of them: about four hashes for each.
      #expect(costs.max()! < 10 * count)
    }

    @Test func aPropertyReleasedOnAnotherThreadDoesNotRemoveItsSuccessor() async {
      let viewModel = profileViewModel(scheduler: TestScheduler())
      let property = Locked<ObservedProperty<String>?>(viewModel.observedProperty(\.name, set: ProfileEdit.name))
      // The thread has released the property when this line returns, and the main actor has not been free meanwhile.
      #expect(onOtherThread { property.mutate { $0 = nil } })
      let successor = viewModel.observedProperty(\.name, set: ProfileEdit.name)
      await mainQueueHasRun()
      successor.value = "Ann"
      #expect(viewModel.observedProperty(\.name, set: ProfileEdit.name).value == "Ann")
    }
  }
#endif
