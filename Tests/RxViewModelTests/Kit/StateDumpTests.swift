import RxViewModel
import Testing

@testable import RxViewModelTesting
@testable import TestSupport

private enum Load: Equatable, Sendable {
  case idle
  case done(items: [Int], at: Duration)
}

private final class Object: Equatable, Sendable {
  let name: String
  init(_ name: String) { self.name = name }
  static func == (left: Object, right: Object) -> Bool { left.name == right.name }
}

private struct Wide: Equatable, Sendable {
  var (a, b, c, d, e, f, g, h, i) = (0, 0, 0, 0, 0, 0, 0, 0, 0)
}

/// Shows its fields as those of a dictionary, without the pairs.
private struct Fields: Equatable, CustomReflectable {
  var fields: [String: Int]

  var customMirror: Mirror {
    Mirror(self, children: fields.map { (label: $0.key, value: $0.value as Any) }, displayStyle: .dictionary)
  }
}

// contract 4.5
/// The difference of two states, as text.
struct StateDumpTests {
  private func text<Value>(_ first: Value, _ second: Value) -> String {
    differences(first, second).joined(separator: "\n")
  }

  @Test func aMirrorOfADictionaryWithoutPairs() {
    #expect(
      text(Fields(fields: ["b": 1, "a": 2]), Fields(fields: ["b": 1, "a": 3])) == """
          ▿ 2 key/value pairs
        -   - a: 2
        +   - a: 3
            - b: 1
        """)
  }

  @Test func atMostThreeLinesAroundAChange() {
    var wide = Wide()
    wide.e = 1
    #expect(
      text(Wide(), wide) == """
          … 2 more in both …
            - b: 0
            - c: 0
            - d: 0
        -   - e: 0
        +   - e: 1
            - f: 0
            - g: 0
            - h: 0
          … 1 more in both …
        """)
    var other = Wide()
    other.h = 1
    #expect(text(Wide(), other).hasSuffix("+   - h: 1\n    - i: 0"))
  }

  @Test func durationsAreInSeconds() {
    #expect(text(Duration.milliseconds(1_500), .seconds(2)) == "- - 1.5 seconds\n+ - 2.0 seconds")
    #expect(
      text(Load.idle, .done(items: [1], at: .milliseconds(300))) == """
        - - Load.idle
        + ▿ Load.done
        +   ▿ done: (2 elements)
        +     ▿ items: 1 element
        +       - 1
        +     - at: 0.3 seconds
        """)
  }

  @Test func anOptionalIsShownAsItsValue() {
    #expect(text([1, nil], [1, 2]) == "  ▿ 2 elements\n    - 1\n-   - nil\n+   - 2")
  }

  @Test func setsAndDictionariesAreSorted() {
    #expect(text(Set(0..<3), Set(0..<4)).hasSuffix("    - 0\n    - 1\n    - 2\n+   - 3"))
    #expect(text(["a": 1, "b": 2], ["b": 2, "a": 3]).hasSuffix("-   - \"a\": 1\n+   - \"a\": 3\n    - \"b\": 2"))
  }

  @Test func objectsAreNumbered() {
    let shared = Object("a")
    #expect(
      text([shared, shared], [shared, Object("b")]).hasSuffix(
        "    ▿ Object #0\n      - name: \"a\"\n-   - Object #0\n+   ▿ Object #1\n+     - name: \"b\""))
  }

  // Of the library's types the text shows only the public properties.
  @Test func theLibrarysTypesHideTheirInsides() {
    func lines(_ value: some Any) -> String { text(0 as Any, value as Any) }
    #expect(lines(Reply<Int> { _ in }) == "- - 0\n+ - Reply<Int>")
    #expect(lines(BehaviorSubject(value: 1)) == "- - 0\n+ - BehaviorSubject<Int>")
    #expect(lines(CounterViewModel(scheduler: ImmediateScheduler())) == "- - 0\n+ - CounterViewModel")
    #expect(lines(ExecutionMode.sequence("a")) == "- - 0\n+ - \(ExecutionMode.sequence("a"))")
    var pages = Pages<String, Int, Int>()
    let request = pages.begin("a")
    pages.receive(.success(Page([7], next: 2)), for: request)
    #expect(
      lines(pages) == """
        - - 0
        + ▿ Pages<String, Int, Int>
        +   ▿ items: 1 element
        +     - 7
        +   - pageCount: 1
        +   - error: nil
        +   ▿ next: PageRequest<String, Int>
        +     - parameters: "a"
        +     - cursor: 2
        """)
    #expect(
      lines(SectionModel(model: "a", items: [1])) == """
        - - 0
        + ▿ SectionModel<String, Int>
        +   - model: "a"
        +   ▿ items: 1 element
        +     - 1
        """)
  }
}
