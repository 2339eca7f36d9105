import Dispatch
import RxViewModel
import Testing

@testable import TestSupport

// contract 5
@Suite(.stress, .ownThread) struct BoundPropertiesRaceTests {
  @Test(arguments: RefusingProperty.allCases)
  func boundPropertiesAreEqualOnceEightThreadsHaveWritten(_ kind: RefusingProperty) async throws {
    for round in 0..<20 {
      let plain = MutableProperty(round * 10)
      let limited = kind.make(limit: 50, scheduler: DispatchQueue(label: "limit"))
      let binding = round % 2 == 0 ? plain.bind(to: limited) : limited.bind(to: plain)
      await race(threads: 8) { thread in
        for number in 0..<250 {
          (thread % 2 == 0 ? plain : limited).value = (number * 31 + thread * 7 + round) % 100
        }
      }
      try #require(await eventually { plain.value == limited.value && plain.value <= 50 }, "round \(round)")
      binding.dispose()
    }
  }

  @Test(arguments: RefusingProperty.allCases)
  func aRefusedLastWriteIsTakenBack(_ kind: RefusingProperty) async throws {
    for round in 0..<50 {
      let (plain, limited) = (
        MutableProperty(0), kind.make(limit: 50, scheduler: DispatchQueue(label: "limit"))
      )
      let binding = plain.bind(to: limited)
      // Every write is refused, so that nothing but the refusal makes the two equal.
      await race(threads: 8) { thread in
        for number in 0..<20 { plain.value = 51 + thread * 20 + number }
      }
      try #require(await eventually { plain.value == 0 && limited.value == 0 }, "round \(round)")
      binding.dispose()
    }
  }
}
