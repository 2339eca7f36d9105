import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

private let secret = "swordfish"

private struct VaultAction: Codable, Sendable {
  var password: String
}

/// The answer of the vault: a class, of which there are kinds.
private class Card: Codable, @unchecked Sendable {  // Sendable: it is never changed.
  let number: String

  init(_ number: String) { self.number = number }
}

private final class BankCard: Card, @unchecked Sendable {  // Sendable: it is never changed.
  let pin: String

  init(_ number: String, pin: String) {
    self.pin = pin
    super.init(number)
  }

  required init(from decoder: any Decoder) throws {
    pin = ""
    try super.init(from: decoder)
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(number)
    try container.encode(pin)
  }
}

private struct WrongKey: Error, Codable {
  var text: String
}

private struct Unregistered: Error, CustomStringConvertible {
  let description: String
}

private struct VaultState: Codable, Sendable, Equatable {
  var password = ""
}

private struct OpaqueState: Sendable {
  var password = ""
}

/// A view model whose service opens with a password, which its state holds, too.
private func vault<State: Sendable>(
  _ recorder: SessionRecorder, _ state: State, on scheduler: any Scheduler,
  set: @escaping @Sendable (inout State, String) -> Void, open: @escaping @Sendable (String) throws -> Card
) -> ClosureViewModel<VaultAction, State> {
  recorder.record("vault") {
    ClosureViewModel(state, scheduler: scheduler) { _, action in
      let password = action.password
      let text = Observable.task { try await recorder.answer("open with \(password)") { try open(password) }.number }
      return .mutate { set(&$0, password) }.concat(text.mutate { set(&$0, $1) })
    } overrides: {
      $0.handles = { _, _, _ in true }
    }
  }
}

// contract 9.2
/// Nothing secret is in a recording.
struct SecretTests {
  private func record<State: Sendable>(
    _ recorder: SessionRecorder, _ state: State, set: @escaping @Sendable (inout State, String) -> Void
  ) -> String {
    let (scheduler, tries) = (TestScheduler(), Locked(0))
    let vault = vault(recorder, state, on: scheduler, set: set) { password in
      switch tries.increment() {
      case 1: throw WrongKey(text: password)
      case 2: throw Unregistered(description: "no \(password)")
      case 3: return Card(password)
      default: return BankCard(password, pin: password)
      }
    }
    for _ in 0..<4 { vault.execute(VaultAction(password: secret)) }
    _ = recorder.value("value") { secret }
    scheduler.run()
    return recorder.recording.description
  }

  /// What a recording has by default.
  @Test(.asyncEffects) func withoutARedactionItIsEverywhere() {
    let text = record(SessionRecorder(), VaultState()) { $0.password = $1 }
    let lines = text.split(separator: "\n").filter { $0.contains(secret) }
    #expect(
      Set(lines.map { $0.dropFirst(2).prefix { $0 != "\"" } }) == ["action", "answer", "error", "value", "state"])
  }

  @Test(.asyncEffects) func redactionsTakeItOut() throws {
    let recorder = SessionRecorder()
    redact(recorder)
    let text = record(recorder, VaultState()) { $0.password = $1 }
    #expect(!text.contains(secret), "\(text)")
    #expect(text.contains("open with ••"))
    // The test registers the same redactions, and asks the same question. Its states are compared after redaction.
    let report = try replay(Recording(text)) { run in
      redact(run.recorder)
      let vault = vault(run.recorder, VaultState(), on: run.scheduler, set: { $0.password = $1 }) { _ in Card("") }
      #expect(run.recorder.value("value") { "" } == "••")
      try run.play()
      withExtendedLifetime(vault) {}
    }
    #expect(report.departures == [])
  }

  // The view model of the test puts the secret into its state in place of what the recording has.
  @Test(.asyncEffects) func aFailureAndItsPictureAreRedactedToo() throws {
    let recorder = SessionRecorder()
    redact(recorder)
    let recording = try Recording(record(recorder, VaultState()) { $0.password = $1 })
    #expect(!recording.timeline().contains(secret))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).html")
    defer { try? FileManager.default.removeItem(at: file) }
    let failure = try #require(throws: TestFailure.self) {
      try replay(recording, picture: file.path) { run in
        redact(run.recorder)
        let vault = vault(
          run.recorder, VaultState(password: secret), on: run.scheduler, set: { $0.password = $1 + secret }
        ) { _ in Card("") }
        try run.play { try run.expect(vault.currentState.password == "", "no password") }
      }
    }
    #expect("\(failure)".contains("no password") && !"\(failure)".contains(secret), "\(failure)")
    let picture = try String(contentsOf: file, encoding: .utf8)
    #expect(picture.contains("no password") && picture.contains("••") && !picture.contains(secret))
  }

  private func redact(_ recorder: SessionRecorder) {
    recorder.redact(VaultAction.self) { _ in VaultAction(password: "••") }
    recorder.redact(VaultState.self) { _ in VaultState(password: "••") }
    recorder.redact(Card.self) { _ in Card("") }
    recorder.redact(WrongKey.self) { _ in WrongKey(text: "") }
    recorder.redact(String.self) { $0.replacingOccurrences(of: secret, with: "••") }
    recorder.encode(errors: WrongKey.self)
  }

  @Test(.asyncEffects) func aStateThatIsNotCodableStaysInTheProcess() {
    let recorder = SessionRecorder()
    redact(recorder)
    let text = record(recorder, OpaqueState(password: secret)) { $0.password = $1 }
    #expect(!text.contains(secret), "\(text)")
    #expect(!text.contains("[\"state\""))
  }

  // Each redaction takes out what it knows: that of the class the number, and that of its subclass the PIN.
  @Test(arguments: [false, true]) func allRedactionsOfAClassTakeOutTheirPart(_ isBaseFirst: Bool) {
    let recorder = SessionRecorder()
    let base = {
      recorder.redact(Card.self) { card in
        (card as? BankCard).map { BankCard("••", pin: $0.pin) } ?? Card("••")
      }
    }
    if isBaseFirst { base() }
    recorder.redact(BankCard.self) { BankCard($0.number, pin: "••") }
    if !isBaseFirst { base() }
    _ = recorder.value("card") { BankCard(secret, pin: "1\(secret)") }
    _ = recorder.value("card") { BankCard(secret, pin: "1\(secret)") as Card? }
    #expect(recorder.recording.entries.map { $0.json(4) } == [#"["••","••"]"#, #"["••","••"]"#])
  }

  @Test func aRedactionCoversOptionalsOfItsType() {
    let recorder = SessionRecorder()
    recorder.redact(String.self) { _ in "••" }
    _ = recorder.value("a") { secret as String? }
    _ = recorder.value("a") { nil as String? }
    #expect(recorder.recording.entries.map { $0.json(4) } == [#""••""#, "null"])
  }

  @Test func aRedactionMayReturnNil() {
    let recorder = SessionRecorder()
    recorder.redact(String?.self) { _ in nil }
    _ = recorder.value("a") { secret as String? }
    #expect(recorder.recording.entries.map { $0.json(4) } == ["null"])
  }

  // A replay tells lanes and keys apart.
  @Test func aRedactionOfStringsLeavesLanesAndKeys() throws {
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let never = { @Sendable (_: LinesViewModel, _: String) -> LinesViewModel.Effect in .never() }
    let make: MakeLines = { recorder, scheduler in
      recorder.redact(String.self) { _ in "••" }
      return recordedLines(recorder, on: scheduler, mode: .keepLatest("draft", after: .seconds(9)), effect: never)
    }
    let model = make(recorder, scheduler)
    for key in ["key one", "key two"] { model.execute(.run("a"), mode: .join("token", key: key)) }
    for lane: ExecutionMode.Lane in ["lane one", "lane two"] { model.execute(.add(1), mode: .switchLatest(lane)) }
    model.execute(.add(2))
    model.flush("draft")
    scheduler.advance()
    #expect(model.currentState == ["1", "1", "2"])
    let text = recorder.recording.description
    for name in ["key one", "key two", "token", "lane one", "lane two", "draft"] {
      #expect(text.contains("\"\(name)\""), "\(text)")
    }
    try expectReplay(of: recorder.recording, ["1", "1", "2"], make)
  }

  @Test func aRedactionOfStringsCoversTheNamesOfViewModels() throws {
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    let make: MakeLines = { recorder, scheduler in
      recorder.redact(String.self) { _ in "••" }
      return recorder.record("chat with \(secret)") { LinesViewModel(on: scheduler) }
    }
    let model = make(recorder, scheduler)
    model.execute(.add(1))
    scheduler.run()
    #expect(!recorder.recording.description.contains(secret))
    try expectReplay(of: recorder.recording, ["1"], make)
  }

  // MARK: What is too large

  private func values(_ recorder: SessionRecorder) -> [Bool] {
    recorder.recording.entries.filter { $0.kind == .value }.map { $0.json(4) == #"{"unrecorded":true}"# }
  }

  @Test func largeDataIsMissing() {
    let recorder = SessionRecorder()
    for count in [65_536, 65_537] { _ = recorder.value("data") { Data(count: count) } }
    #expect(values(recorder) == [false, true])
    recorder.omit(Data.self) { $0.count > 10 }
    for count in [10, 11] { _ = recorder.value("data") { Data(count: count) } }
    #expect(values(recorder) == [false, true, false, true])
  }

  @Test func anOptionalOfAnOmittedTypeIsMissingToo() {
    let recorder = SessionRecorder()
    for data in [Data(count: 65_536), Data(count: 65_537), nil] { _ = recorder.value("data") { data } }
    #expect(values(recorder) == [false, true, false])
  }

  @Test func anOmittedValueIsNotKept() {
    let (recorder, lifetimes) = (SessionRecorder(), Lifetimes())
    recorder.omit(Held.self)
    _ = recorder.value("held") { Held(lifetimes.make()) }
    #expect(lifetimes.alive == 0)
    #expect(values(recorder) == [true])
    recorder.omit(Held.self) { _ in false }
    _ = recorder.value("held") { Held(lifetimes.make()) }
    #expect(lifetimes.alive == 1)
    recorder.forget()
    #expect(lifetimes.alive == 0)
  }

  private struct Held: Codable, Sendable {
    let object: (any Sendable)?

    init(_ object: any Sendable) { self.object = object }
    init(from decoder: any Decoder) throws { object = nil }
    func encode(to encoder: any Encoder) throws {}
  }
}
