import Testing

@testable import RxViewModel

// contract 1.5
@Suite struct ReplayingEntriesTests {
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
  func eachEntryIsThereUntilItIsRemoved(order: [Int]) {
    var replaying = ReplayingEntries.none
    let entries = (0..<3).map { _ in SubjectEntry(host: PublishSubject<Int>(), disposeAction: { _ in }) }
    for (count, entry) in entries.enumerated() {
      #expect(replaying.all.count == count)
      replaying.insert(entry)
      #expect(!replaying.isEmpty)
    }
    var left = entries
    for index in order {
      replaying.remove(entries[index])
      left.removeAll { $0 === entries[index] }
      #expect(replaying.all.map(ObjectIdentifier.init) == left.map(ObjectIdentifier.init))
    }
    #expect(replaying.isEmpty)
  }
}
