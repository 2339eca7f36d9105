import Foundation
import Testing

@testable import TestSupport

/// Each clause of *Semantics* is cited by a test, and is told to users in *Guarantees*. Each operator is in a group of the page of
/// `Observable`, and has a case in the suites that run over all operators.
struct ContractTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

  @Test func everyClauseIsCitedByATest() throws {
    let clauses = try Self.clauses(of: "Documentation/Semantics.md")
    #expect(clauses.count >= 20)
    let cited = try Self.citations()
    for clause in clauses { #expect(cited.contains(clause), "no test cites contract \(clause)") }
  }

  @Test func theGuaranteesHaveTheSameClauses() throws {
    let guarantees = try Self.clauses(of: "Sources/RxViewModel/RxViewModel.docc/Guarantees.md")
    #expect(try guarantees == Self.clauses(of: "Documentation/Semantics.md"))
  }

  @Test func thePageOfObservableNamesEachOperator() throws {
    let page = try String(
      contentsOf: Self.root.appending(path: "Sources/RxViewModel/RxViewModel.docc/Observable.md"), encoding: .utf8)
    let named = Set(page.matches(of: /\n- ``(?:ObservableType\/)?(\w+)/).map { String($0.1) })
    let drawn = Set(DrawnOperator.all.map { String($0.label.prefix { $0.isLetter }) })
    #expect(drawn.union(try Self.operators()).subtracting(named) == [])
  }

  // contract 1.4: `LifecycleTests` must test a new operator too, in whatever folder it is
  @Test func everyOperatorHasACase() throws {
    let operators = try Self.operators()
    #expect(operators.count >= 60)
    let elsewhere = try Self.sources(below: "Sources/RxViewModel").flatMap(DocumentedFunction.all)
      .filter(\.returnsObservable).map(\.name)
    #expect(Set(elsewhere).isSuperset(of: ["paginate", "page", "create", "map"]))
    let cases = OperatorCase.all.map { String($0.testDescription.prefix { $0.isLetter }) }
    #expect(Set(operators + elsewhere).subtracting(cases + Self.withoutASource) == [])
  }

  /// The functions that make a stream of a value that is not a stream, and those that return an object's own stream, or an empty one.
  private static let withoutASource = [
    "interval", "timer", "just", "of", "from", "empty", "never", "error", "task", "values", "unchanged", "declined",
    "request", "handledByChild",
    "asObservable", "isLoadingObservable", "events", "execute", "output",
  ]

  private static func operators() throws -> [String] {
    try sources(below: "Sources/RxViewModel/Operators").flatMap(DocumentedFunction.all).map(\.name)
      .filter { !$0.isEmpty }
  }

  /// The numbers of the headings of a page.
  private static func clauses(of page: String) throws -> [String] {
    let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
    return text.matches(of: /\n###? ([0-9]+(?:\.[0-9]+)?)/).map { String($0.1) }
  }

  /// The clauses that the tests cite: the numbers after `contract`, single or in a list.
  private static func citations() throws -> Set<String> {
    var cited: Set<String> = []
    for text in try sources(below: "Tests") + sources(below: "Interop/Tests") {
      for citation in text.components(separatedBy: "contract ").dropFirst() {
        let numbers = citation.prefix { $0.isNumber || ". ,".contains($0) }
        for number in numbers.split(separator: ",") {
          cited.insert(number.trimmingCharacters(in: [" ", "."]))
        }
      }
    }
    return cited
  }

  private static func sources(below folder: String) throws -> [String] {
    let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
    var sources: [String] = []
    while let file = files?.nextObject() as? URL {
      if file.pathExtension == "swift" { sources.append(try String(contentsOf: file, encoding: .utf8)) }
    }
    return sources
  }
}
