import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import RxViewModelInspector
@testable import TestSupport

struct InspectorFolderTests {
  private let scheduler = TestScheduler()
  private let folder: InspectedFolder

  init() { folder = InspectedFolder(scheduler) }

  private func rights(_ name: String = "") throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.posixPermissions] as? Int)
  }

  @Test func anAddressCanBeOpenedAndALineIsALine() throws {
    let folder = InspectedFolder(scheduler, FileManager.default.temporaryDirectory.path + "/my <b>&ü\(UUID())")
    defer { try? FileManager.default.removeItem(atPath: folder.path) }
    let inspector = folder.inspector()
    let address = try #require(folder.said.texts.first)
    #expect(URL(string: address)?.path == "\(folder.path)/index.html" && address.contains("my%20%3Cb%3E"), "\(address)")
    let model = CounterModel(scheduler)
    inspector.watch(model, name: "two\nlines")
    model.execute(1)
    scheduler.run()
    #expect(inspector.text.split(separator: "\n").count == 1, "\(inspector.text)")
  }

  @Test func isTheUsersAlone() throws {
    folder.inspector().watch(CounterModel(scheduler), name: "counter")
    scheduler.run()
    #expect(folder.said.texts == ["file://\(folder.path)/index.html"])
    #expect(try folder.names == ["index.html", "page.css", "page.js", "session.js"])
    #expect(try rights() == 0o700)
    for name in try folder.names { #expect(try rights(name) == 0o600) }
  }

  /// Each script and the style have the number that the policy allows.
  @Test func thePageAllowsItsOwnScriptsOnly() throws {
    _ = folder.inspector()
    let page = try folder.text("index.html")
    let policy = try #require(
      page.firstMatch(of: /default-src 'none'; script-src 'nonce-([0-9a-z]+)'; style-src 'nonce-([0-9a-z]+)'/))
    #expect(policy.1 == policy.2 && policy.1.count > 20)
    let tags = page.matches(of: /<(script|link)[^>]*>/)
    #expect(tags.count == 2 && tags.allSatisfy { $0.0.hasSuffix("nonce=\"\(policy.1)\">") })
    #expect(page.firstMatch(of: /\son[a-z]+=/) == nil && !page.contains("NONCE"))
  }

  @Test func removesWhatTheLastInspectorHasWritten() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for name in ["session.js", "1700000000000-128.js", "mine.js", "notes.txt"] {
      try "old".write(toFile: "\(folder.path)/\(name)", atomically: false, encoding: .utf8)
    }
    _ = folder.inspector()
    #expect(try folder.names == ["index.html", "mine.js", "notes.txt", "page.css", "page.js"])
  }

  /// Neither the folder nor one of its files may be a link.
  @Test func followsNoLink() throws {
    let other = InspectedFolder(scheduler)
    _ = other.inspector()
    try "mine".write(toFile: "\(other.path)/notes.txt", atomically: false, encoding: .utf8)
    try FileManager.default.createSymbolicLink(atPath: folder.path, withDestinationPath: other.path)
    folder.inspector().watch(CounterModel(scheduler), name: "counter")
    scheduler.run()
    #expect(folder.said.texts.count == 1 && folder.said.texts[0].hasPrefix("cannot write \(folder.path): "))
    try FileManager.default.removeItem(atPath: folder.path)

    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for name in ["session.js", "session.js.new", "page.css"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder.path)/\(name)", withDestinationPath: "\(other.path)/notes.txt")
    }
    folder.inspector().watch(CounterModel(scheduler), name: "counter")
    scheduler.run()
    #expect(try other.text("notes.txt") == "mine" && folder.session().head.models.count == 1)
  }

  @Test(arguments: [0o777, 0o755, 0o710]) func refusesAFolderThatOthersCanRead(rights: Int) throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: folder.path)
    expectOneErrorAndAnAppThatGoesOn(folder.inspector())
    #expect(
      folder.said.texts == [
        "cannot write \(folder.path): it has to belong to you alone, as after chmod 700. Nothing is shown."
      ])
    #expect(try folder.names == [])
  }

  @Test func cannotBeMade() {
    let inspector = Inspector(directory: "/no/such/folder", scheduler: scheduler) { [said = folder.said] in
      said.texts.append($0)
    }
    expectOneErrorAndAnAppThatGoesOn(inspector)
    #expect(folder.said.texts == ["cannot write /no/such/folder: No such file or directory. Nothing is shown."])
  }

  @Test func vanishesMeanwhile() throws {
    let inspector = folder.inspector()
    try FileManager.default.removeItem(atPath: folder.path)
    folder.said.texts = []
    expectOneErrorAndAnAppThatGoesOn(inspector)
    #expect(
      folder.said.texts == ["cannot write \(folder.path)/session.js: No such file or directory. Nothing is shown."])
  }

  /// Neither the state nor the clock of an unfinished action.
  @Test func keepsNothingOnceItIsOff() throws {
    final class Content: Sendable, Equatable {
      static func == (left: Content, right: Content) -> Bool { left === right }
    }
    weak var content: Content?
    let inspector = folder.inspector()
    let model = ClosureViewModel<Int, Content?>(nil, scheduler: scheduler) { _, number in
      number == 0 ? .never() : .just { _ in number == 1 ? Content() : nil }
    }
    inspector.watch(model, name: "model")
    for number in 0...1 { model.execute(number) }
    scheduler.advance(by: .seconds(2))
    content = model.currentState
    try FileManager.default.removeItem(atPath: folder.path)
    scheduler.advance(by: .seconds(2))
    model.execute(2)
    scheduler.advance(by: .seconds(2))
    #expect(content == nil && scheduler.pendingCount == 0)
    #expect(folder.said.texts.count == 2)
  }

  private func expectOneErrorAndAnAppThatGoesOn(_ inspector: Inspector) {
    let model = CounterModel(scheduler)
    inspector.watch(model, name: "counter")
    for _ in 0..<3 {
      model.execute(1)
      scheduler.run()
    }
    #expect(model.currentState == 3)
    #expect(scheduler.pendingCount == 0)
  }
}

/// Adds.
final class CounterModel: RxViewModel<Int, Int>, @unchecked Sendable {
  init(_ scheduler: any Scheduler) { super.init(initialState: 0, scheduler: scheduler) }
  override func createObservable(_ action: Int) -> Effect { .mutate { $0 += action } }
}
