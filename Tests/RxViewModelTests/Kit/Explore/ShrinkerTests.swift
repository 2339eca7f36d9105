import Testing

@testable import RxViewModelTesting
@testable import TestSupport

// contract 4.6
/// The shrinker removes entries while the same failure is left.
struct ShrinkerTests {
  private struct Entry: Equatable {
    let number: Int
    let action: Int?
  }

  /// 300 entries, three for each action.
  private let entries = (0..<300).map { Entry(number: $0, action: $0 / 3) }

  private func shrunk(
    attempts: Int = 2_000, _ steps: [(inout Shrinker<Entry, [Int]>) -> Void], _ fails: @escaping ([Entry]) -> Bool
  ) -> (numbers: [Int], runs: Int) {
    let runs = Locked(0)
    var shrinker = Shrinker(
      entries, attempts: attempts, key: { $0.map(\.number) },
      fails: { candidate in
        runs.mutate { $0 += 1 }
        return fails(candidate) ? candidate : nil
      })
    shrinker.run(steps)
    return (shrinker.best.map(\.number), runs.value)
  }

  @Test func wholeActionsThenSingleEntries() {
    let result = shrunk([{ $0.removeGroups(\.action) }, { $0.removeBlocks() }]) { candidate in
      // Entries of one action make sense together only.
      let whole = Dictionary(grouping: candidate, by: \.action).allSatisfy { $0.value.count == 3 || $0.key == 70 }
      return whole && [31, 211].allSatisfy { number in candidate.contains { $0.number == number } }
    }
    #expect(result.numbers == [30, 31, 32, 211])
  }

  @Test func entriesWithoutAGroupStay() {
    var shrinker = Shrinker([1, 2, 3, 4], key: { $0 }, fails: { $0 })
    shrinker.removeGroups { $0.isMultiple(of: 2) ? 0 : nil }
    #expect(shrinker.best == [1, 3])
  }

  @Test func noCandidateIsRunTwiceAndTheAttemptsAreBounded() {
    let seen = Locked<[[Int]]>([])
    let result = shrunk(attempts: 40, [{ $0.removeBlocks() }, { $0.removeBlocks() }]) { candidate in
      seen.mutate { $0.append(candidate.map(\.number)) }
      return candidate.count > 250
    }
    #expect(result.runs == 40 && Set(seen.value).count == 40)
  }
}
