import Foundation
import RxViewModelRecording
import RxViewModelTesting

@testable import RxViewModelInspector

/// `TestSupport` has another one.
typealias SessionRecorder = RxViewModelRecording.Recorder

/// A folder of a test, an inspector that writes into it in virtual time, and what a page would read from it.
final class InspectedFolder {
  struct Head: Decodable {
    struct Model: Decodable {
      let m: Int
      let name: String
      let type: String
      let end: Int?
      let recorded: Int?
    }

    let id: String
    let now: Int
    let chunk: Int
    let from: Int
    let first: Int
    let models: [Model]
  }

  struct Entry: Decodable {
    struct Cause: Decodable {
      let `is`: String
      let a: Int?
    }

    let k: String
    let t: Int
    let m: Int
    let a: Int
    let value: String?
    let mode: String?
    let lane: String?
    let cause: Cause?
    let `as`: String?
    let error: String?
    struct Executor: Decodable {
      let m: Int
      let a: Int
    }

    let name: String?
    let by: Executor?
    let diff: [String]?

    var text: String {
      let cause = cause.map { "(\($0.is)\($0.a.map { " \($0)" } ?? ""))" }
      let by = by.map { "(by \($0.m) #\($0.a))" }
      let value = k == "source" ? nil : value
      let texts: [String?] = [name, value, by, `as`, cause, error, diff?.joined(separator: " ")]
      return (["\(t) #\(a) \(k)"] + texts.compactMap(\.self)).joined(separator: " ")
    }
  }

  let path: String
  let scheduler: TestScheduler
  let said = Said()

  final class Said: @unchecked Sendable {  // Sendable: the tests are on one thread.
    var texts: [String] = []
  }

  private let isKept: Bool

  /// - Parameter path: By default, the folder is removed after the test.
  init(_ scheduler: TestScheduler, _ path: String? = nil) {
    (self.scheduler, isKept) = (scheduler, path != nil)
    self.path = path ?? FileManager.default.temporaryDirectory.appendingPathComponent("inspected-\(UUID())").path
  }

  deinit { if !isKept { try? FileManager.default.removeItem(atPath: path) } }

  func inspector(_ recorder: SessionRecorder? = nil) -> Inspector {
    Inspector(recorder, directory: path, scheduler: scheduler) { [said] in said.texts.append($0) }
  }

  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
  var size: Int {
    get throws { try names.reduce(0) { $0 + (FileManager.default.contents(atPath: "\(path)/\($1)")?.count ?? 0) } }
  }

  func text(_ name: String = "session.js") throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }

  /// The newest script.
  func session(_ name: String = "session.js") throws -> (head: Head, entries: [Entry]) {
    let text = try text(name)
    let data = Data("[\(text.dropFirst("session(".count).dropLast(");\n".count))]".utf8)
    struct Part: Decodable {
      let head: Head
      let entries: [Entry]
      init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        head = try values.decode(Head.self)
        entries = try values.decode([Entry].self)
      }
    }
    let part = try JSONDecoder().decode(Part.self, from: data)
    return (part.head, part.entries)
  }

  struct Copied: Decodable {
    let header: String
    let starts: [[Int]]
    let lines: [String]

    /// What the page makes a test with.
    var recordings: [Recording] {
      get throws {
        try starts.map { start in try Recording(([header] + start.map { lines[$0] } + ["end"]).joined(separator: "\n"))
        }
      }
    }
  }

  func copied() throws -> Copied {
    let text = try text("recording.js").dropFirst("recording(".count).dropLast(");\n".count)
    return try JSONDecoder().decode(Copied.self, from: Data(text.utf8))
  }

  /// All entries that the page can read.
  func entries() throws -> [Entry] {
    let (head, newest) = try session()
    let old = try stride(from: head.from, to: head.first, by: head.chunk).flatMap { first in
      try session("\(head.id)-\(first).js").entries
    }
    return old + newest
  }

  var lines: [String] { get throws { try entries().map(\.text) } }
}
