import RxViewModel
import RxViewModelTesting
import Testing

private struct User: Equatable {
  var name: String
  var age: Int
}

// contract 1, `distinctUntilChanged(at:)`
@Suite struct DistinctAtAPartTests {
  @Test func itDropsAnElementWhosePartIsThatOfTheElementSentBeforeIt() {
    let users = [
      User(name: "Ann", age: 1), User(name: "Ann", age: 2), User(name: "Bob", age: 2), User(name: "Ann", age: 2),
    ]
    let names = Observable.from(users).distinctUntilChanged(at: \.name).test()
    #expect(names.values == [users[0], users[2], users[3]])
    #expect(names.isCompleted)
    #expect(Observable.from(users).distinctUntilChanged(at: \.age).test().values == [users[0], users[1]])
  }
}
