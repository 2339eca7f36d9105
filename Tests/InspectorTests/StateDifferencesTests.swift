import RxViewModel
import Testing

@testable import RxViewModelInspector

private struct Person: Sendable, Hashable {
  var name = "Ada"
  var tags: Set<String> = ["a", "b"]
  var friends = ["x": 1, "y": 2]
  var nickname: String?
  var pair = (1, 2)
  static func == (left: Self, right: Self) -> Bool { "\(left)" == "\(right)" }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

private enum Screen: Sendable {
  case empty
  case loaded([Int], title: String)
}

struct StateDifferencesTests {
  private func lines(_ old: any Sendable, _ new: any Sendable) -> [String] {
    var differences = StateDifferences()
    return differences.lines(from: old, to: new)
  }

  @Test func eachKindOfValue() {
    var new = Person()
    new.name = "Bob"
    new.tags = ["b", "c"]
    new.friends = ["x": 3, "z": 4]
    new.nickname = "B"
    new.pair.1 = 3
    #expect(
      lines(Person(), new) == [
        #"- name: "Ada""#, #"+ name: "Bob""#, #"- tags: "a""#, #"+ tags: "c""#,
        #"- friends["x"]: 1"#, #"+ friends["x"]: 3"#, #"- friends["y"]: 2"#, #"+ friends["z"]: 4"#,
        "- nickname: nil", #"+ nickname: "B""#, "- pair.1: 2", "+ pair.1: 3",
      ])
    #expect(lines(1, 2) == ["- state: 1", "+ state: 2"])
    #expect(lines(1, 1) == [])
  }

  @Test func elements() {
    #expect(lines([1, 2, 3], [1, 5, 3]) == ["- [1]: 2", "+ [1]: 5"])
    #expect(lines([1, 2, 3], [1, 3]) == ["- [1]: 2"])
    #expect(lines([1, 3], [1, 2, 3]) == ["+ [1]: 2"])
    #expect(
      lines(Screen.empty, Screen.loaded([1], title: "a")) == ["- state: empty", #"+ state: loaded([1], title: "a")"#])
    #expect(
      lines(Screen.loaded([1], title: "a"), Screen.loaded([2], title: "a")) == ["- loaded.0[0]: 1", "+ loaded.0[0]: 2"])
  }

  /// Of two long texts, one sees where they differ.
  @Test func longTexts() {
    let long = String(repeating: "x", count: 5_000)
    let found = lines("\(long)a\(long)", "\(long)b\(long)")
    #expect(found.count == 2 && found.allSatisfy { $0.count < 200 })
    #expect(found[0].contains("xa") && found[1].contains("xb"))
  }

  @Test func isBounded() {
    let found = lines(Array(0..<1_000), Array(1_000..<2_000))
    #expect(found.count < 50 && found.last?.first == "~")
    #expect(lines(Array(0..<100_000), [1]) == ["~ state"])
  }
}
