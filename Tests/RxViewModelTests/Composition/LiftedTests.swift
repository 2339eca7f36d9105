import RxViewModel
import RxViewModelTesting
import Testing

// contract 2.19
@Suite struct LiftedTests {
  private struct Parent: Sendable, Equatable {
    var child = 1
    var optional: Int?
    var rows: [Form] = []
    var rest = "rest"
  }

  private func folded<Child>(
    _ source: Observable<StateMapper<Child>>, from parent: Parent,
    _ lift: (Observable<StateMapper<Child>>) -> Observable<StateMapper<Parent>>
  ) throws -> [Parent] {
    var states = [parent]
    for mapper in lift(source).test().values { states.append(try mapper(states.last!)) }
    return Array(states.dropFirst())
  }

  @Test func theChildIsReplacedAndTheRestStays() throws {
    let source = Observable<StateMapper<Int>>.of({ $0 + 1 }, { $0 * 10 })
    #expect(
      try folded(source, from: Parent()) { $0.lifted(to: \.child) } == [Parent(child: 2), Parent(child: 20)])
    #expect(
      try folded(source, from: Parent(optional: 4)) { $0.lifted(to: \.optional) }
        == [Parent(optional: 5), Parent(optional: 50)])
    let rows = [Form(id: 1), Form(id: 2), Form(id: 3)]
    #expect(
      try folded(.mutate { $0.name = "b" }, from: Parent(rows: rows)) { $0.lifted(to: \.rows, id: 2) }
        == [Parent(rows: [Form(id: 1), Form(id: 2, name: "b"), Form(id: 3)])])
  }

  @Test func anAbsentChildLeavesTheParentAsItIs() throws {
    let parent = Parent(rows: [Form(id: 1)])
    #expect(try folded(.mutate { $0 = 9 }, from: parent) { $0.lifted(to: \.optional) } == [parent])
    #expect(try folded(.mutate { $0.name = "x" }, from: parent) { $0.lifted(to: \.rows, id: 2) } == [parent])
  }

  @Test func errorsOfTheStreamAndOfTheMapperPass() throws {
    let lifted = Observable<StateMapper<Int>>.error(TestError("stream")).lifted(to: \Parent.child)
    #expect(lifted.test().error as? TestError == TestError("stream"))
    let mapper = try #require(
      Observable<StateMapper<Int>>.just { _ in throw TestError("mapper") }.lifted(to: \Parent.child).test().values.first
    )
    #expect(throws: TestError("mapper")) { try mapper(Parent()) }
  }
}
