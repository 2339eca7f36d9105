import Foundation
import Testing

@testable import TestSupport

/// Runs every marble diagram in a documentation comment: the operator, with the drawn inputs, in virtual time.
///
/// ``MarbleRow`` describes the notation. ``DrawnOperator`` maps each label to its code.
struct DiagramTests {
  /// The faults of one source.
  ///
  /// - Parameters:
  ///   - areOperators: Whether each public function that returns a stream needs a diagram.
  ///   - claimed: The function adds the labels of the source's diagrams to it.
  private func faults(
    in source: String, areOperators: Bool = true, among table: [DrawnOperator] = DrawnOperator.all,
    claimed: inout Set<String>
  ) -> [String] {
    var faults: [String] = []
    for function in DocumentedFunction.all(in: source) {
      let isOperator = areOperators && function.returnsObservable
      let drawings = function.drawings.filter { lines in isOperator || lines.contains { $0.contains("--") } }
      if isOperator, drawings.isEmpty { faults.append("\(function.signature): no diagram") }
      for drawing in drawings {
        do {
          let diagram = try MarbleDiagram(drawing, of: isOperator ? function.name : "")
          for label in diagram.outputs.keys.sorted() {
            claimed.insert(label)
            let drawn = table.first { $0.label == label }
            faults += drawn.map(diagram.faults) ?? ["\(label): DrawnOperator does not know it"]
          }
        } catch {
          faults.append("\(function.name): \((error as? MarbleRow.Unreadable)?.reason ?? "\(error)")")
        }
      }
    }
    return faults
  }

  private func faults(in source: String) -> [String] {
    var claimed: Set<String> = []
    return faults(in: source, claimed: &claimed)
  }

  @Test(.ownThread) func everyOperatorBehavesAsDrawn() throws {
    let library = URL(filePath: #filePath).appending(path: "../../../../Sources/RxViewModel").standardized
    let files = FileManager.default.enumerator(at: library, includingPropertiesForKeys: nil)?.allObjects as? [URL]
    var claimed: Set<String> = []
    for file in try #require(files) where file.pathExtension == "swift" {
      let areOperators = ["/Operators/", "/Paging/", "/Creating", "/PageMappers"].contains(where: file.path.contains)
      let source = try String(contentsOf: file, encoding: .utf8)
      for fault in faults(in: source, areOperators: areOperators, claimed: &claimed) {
        Issue.record("\(file.lastPathComponent): \(fault)")
      }
    }
    let labels = DrawnOperator.all.map(\.label)
    #expect(Set(labels).count == labels.count, "DrawnOperator has a label twice")
    #expect(Set(labels).subtracting(claimed) == [], "no diagram has these labels")
  }

  private func source(_ rows: String..., function: String = "take(_ count: Int) -> Observable<Element>") -> String {
    """
    extension ObservableType {
      /// Sends the first elements.
      ///
    \(rows.map { "  ///     \($0)" }.joined(separator: "\n"))
      @inlinable
      public func \(function) {
      }
    }
    """
  }

  @Test func aCorrectDiagramHasNoFaults() {
    #expect(faults(in: source("source   --1--2--3--|", "take(2)  --1--(2|)")) == [])
  }

  @Test(arguments: [
    ("--1---(2|)", "another time"), ("--1--(3|)", "another element"), ("--1--2|", "the end at another time"),
    ("--1--2--", "no end"), ("--1--(2#)", "another end"), ("--1--1-(2|)", "an extra element"),
    ("--(2|)", "a missing element"), (" --1--(2|)", "another subscription"), ("--1--(2|", "an unreadable one"),
  ])
  func aWrongOutputIsReported(drawing: String, what: String) {
    #expect(faults(in: source("source   --1--2--3--|", "take(2)  \(drawing)")) != [], "\(what)")
  }

  @Test func aWrongInputIsReported() {
    func reported(_ rows: String...) -> Bool {
      let text = rows.map { "  ///     \($0)" }.joined(separator: "\n")
      return !faults(in: "\(text)\n  public func retry(_ count: Int) -> Observable<Element> {").isEmpty
    }
    #expect(!reported("source    --1--#", "source         --1--#", "retry(2)  --1----1--#"))
    #expect(reported("source    --1--#", "source           --1--#", "retry(2)  --1----1--#"), "another subscription")
    #expect(reported("source    --1--#", "retry(2)  --1----1--#"), "subscribed a second time")
    #expect(reported("source    --1--|", "source         --1--#", "retry(2)  --1--|"), "never subscribed")
    #expect(reported("sources   --1--#", "retry(2)  --1----1--#"), "another name")
  }

  @Test func aFunctionWithoutADiagramIsReported() {
    #expect(faults(in: "public func take(_ count: Int) -> Observable<Element> {") != [])
    #expect(faults(in: "  /// Text.\n  @inlinable\n  public static func of(\n) -> Observable<Element> {") != [])
    #expect(faults(in: "public func take(\n_ closure: () -> Void = { }\n) -> Observable<Element> {") != [])
    let closure = "append: (inout [Int]) -> Void = { $0 += [1] },\n_ count: Int\n"
    #expect(faults(in: "public func take(\n\(closure)) -> Observable where Element == Int {") != [])
    #expect(faults(in: "public func subscribe(_ count: Int) -> any Disposable {") == [])
  }

  @Test func anUnknownLabelIsReported() {
    #expect(faults(in: source("source   --1--2--3--|", "take(7)  --1--2--3--|")) != [])
    #expect(faults(in: source("source   --1--2--3--|", "skip(2)  --------3--|")) != [], "another operator's")
  }

  @Test func aDiagramOutsideTheOperatorsIsReported() {
    var claimed: Set<String> = []
    let subject = "/// Text.\n///\n///     subject  --1--2--|\npublic final class Subject {"
    #expect(!faults(in: subject, areOperators: false, claimed: &claimed).isEmpty)
  }
}
