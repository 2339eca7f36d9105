#if canImport(Observation)
  import Foundation
  import Observation
  import RxViewModel
  import RxViewModelTesting
  import Testing
  @testable import TestSupport

  // contract 5
  @MainActor
  @Suite struct ObservedPropertyTests {
    private let scheduler = TestScheduler()

    /// Reads the property again when Observation announces a change, which is before the change is made.
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor
    private final class Tracker {
      let observed: ObservedProperty<String>
      var values: [String] = []

      init(_ observed: ObservedProperty<String>) {
        self.observed = observed
      }

      func track() {
        withObservationTracking {
          values.append(observed.value)
        } onChange: {
          MainActor.assumeIsolated { self.track() }
        }
      }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func aReaderIsNotifiedOfEachChange() {
      let property = MutableProperty("a")
      let observed = ObservedProperty(property)
      let changes = Locked(0)
      let track: @MainActor () -> String = {
        withObservationTracking {
          observed.value
        } onChange: {
          changes.mutate { $0 += 1 }
        }
      }
      #expect(track() == "a")
      property.value = "a"
      #expect(changes.value == 0)
      property.value = "b"
      #expect(changes.value == 1)
      #expect(track() == "b")
      observed.value = "c"
      #expect(changes.value == 2)
      #expect(property.value == "c")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func aReaderThatReadsAtTheNotificationGetsTheNewValue() {
      let property = MutableProperty("a")
      let observed = ObservedProperty(property)
      let tracker = Tracker(observed)
      tracker.track()
      property.value = "b"
      #expect(tracker.values == ["a", "b"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func aWriteInAnswerToANotificationIsTheLaterOne() {
      let property = MutableProperty("a")
      let observed = ObservedProperty(property)
      withObservationTracking {
        _ = observed.value
      } onChange: {
        MainActor.assumeIsolated { observed.value = "c" }
      }
      observed.value = "b"
      #expect(observed.value == "c")
      #expect(property.value == "c")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func theTypedTextStaysUntilTheViewModelHasHandledIt() {
      let viewModel = NameViewModel(scheduler: scheduler) { name in
        .mutate { $0.name = String(name.filter { $0 != " " }) }
      }
      let observed = ObservedProperty(viewModel.property(\.name, set: NameEdit.set))
      for text in ["a", "ab", "abc "] {
        observed.value = text
        #expect(observed.value == text)
      }
      scheduler.run()
      #expect(observed.value == "abc")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func aValueFromElsewhereNeverOverwritesANewerOne() async {
      let property = MutableProperty("")
      let observed = ObservedProperty(property)
      let isWritten = Signal()
      Thread.detachNewThread {
        property.value = "old"
        isWritten.fire()
      }
      #expect(isWritten.wait())
      observed.value = "new"
      for _ in 0..<100 {
        #expect(observed.value == "new")
        await Task.yield()
      }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test func itIsReleasedWithTheView() {
      let property = MutableProperty("")
      var observed: ObservedProperty<String>? = ObservedProperty(property)
      weak let released = observed
      #expect(observed?.value == "")
      observed = nil
      #expect(released == nil)
    }
  }
#endif
