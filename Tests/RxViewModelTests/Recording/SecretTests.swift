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
private class Key: Codable, @unchecked Sendable {  // Sendable: it is never changed.
  let text: String

  init(_ text: String) { self.text = text }
}

private final class GoldenKey: Key, @unchecked Sendable {}  // Sendable: it stores nothing.

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

// Sendable: it stores only a `let`.
private final class Vault<State: Sendable>: RxViewModel<VaultAction, State>, @unchecked Sendable {
  private let set: @Sendable (inout State, String) -> Void
  private let open: @Sendable (String) async throws -> String

  init(
    _ state: State, on scheduler: any Scheduler, set: @escaping @Sendable (inout State, String) -> Void,
    open: @escaping @Sendable (String) async throws -> String
  ) {
    (self.set, self.open) = (set, open)
    super.init(initialState: state, scheduler: scheduler)
  }

  override func createObservable(_ action: VaultAction) -> Effect {
    let (set, open) = (set, open)
    return .mutate { set(&$0, action.password) }.concat(
      Observable.task { try await open(action.password) }.mutate { set(&$0, $1) })
  }

  override func handleError(_ error: any Error, action: VaultAction?) -> Bool { true }
}

// contract 9.2
@Suite("Nothing secret is in a recording") struct SecretTests {
  private func record<State: Sendable>(
    _ recorder: SessionRecorder, _ state: State, set: @escaping @Sendable (inout State, String) -> Void
  ) -> String {
    let scheduler = TestScheduler()
    let tries = Locked(0)
    let vault = recorder.record("vault") {
      Vault(state, on: scheduler, set: set) { password in
        try await recorder.answer("open with \(password)") {
          switch tries.mutate({ tries in
            tries += 1
            return tries
          }) {
          case 1: throw WrongKey(text: password)
          case 2: throw Unregistered(description: "no \(password)")
          case 3: return Key(password)
          default: return GoldenKey(password)
          }
        }.text
      }
    }
    for _ in 0..<4 { vault.execute(VaultAction(password: secret)) }
    _ = recorder.value("value") { secret }
    scheduler.run()
    return recorder.recording.description
  }

  /// What a recording has by default.
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func withoutARedactionItIsEverywhere() {
    let text = record(SessionRecorder(), VaultState()) { $0.password = $1 }
    let lines = text.split(separator: "\n").filter { $0.contains(secret) }
    #expect(
      Set(lines.map { $0.dropFirst(2).prefix { $0 != "\"" } }) == ["action", "answer", "error", "value", "state"])
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func redactionsTakeItOut() throws {
    let recorder = SessionRecorder()
    redact(recorder)
    let text = record(recorder, VaultState()) { $0.password = $1 }
    #expect(!text.contains(secret), "\(text)")
    #expect(text.contains("open with ••"))
    // The test registers the same redactions, and asks the same question.
    let report = try replay(Recording(text)) { run in
      redact(run.recorder)
      let vault = run.recorder.record("vault") {
        Vault(VaultState(), on: run.scheduler, set: { $0.password = $1 }) { [recorder = run.recorder] password in
          try await recorder.answer("open with \(password)") { Key("") }.text
        }
      }
      #expect(run.recorder.value("value") { "" } == "••")
      try run.play()
      withExtendedLifetime(vault) {}
    }
    #expect(report.departures.filter { !$0.contains("the states depart") } == [])
  }

  private func redact(_ recorder: SessionRecorder) {
    recorder.redact(VaultAction.self) { _ in VaultAction(password: "••") }
    recorder.redact(VaultState.self) { _ in VaultState() }
    recorder.redact(Key.self) { _ in Key("") }
    recorder.redact(WrongKey.self) { _ in WrongKey(text: "") }
    recorder.redact(String.self) { $0.replacingOccurrences(of: secret, with: "••") }
    recorder.encode(errors: WrongKey.self)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aStateThatIsNotCodableStaysInTheProcess() {
    let recorder = SessionRecorder()
    recorder.redact(VaultAction.self) { _ in VaultAction(password: "") }
    recorder.redact(Key.self) { _ in Key("") }
    recorder.redact(String.self) { $0.replacingOccurrences(of: secret, with: "") }
    recorder.redact(WrongKey.self) { _ in WrongKey(text: "") }
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
    #expect(recorder.recording.entries.map { $0.json(6) } == [#"["••","••"]"#, #"["••","••"]"#])
  }

  @Test func aRedactionCoversOptionalsOfItsType() {
    let recorder = SessionRecorder()
    recorder.redact(String.self) { _ in "••" }
    _ = recorder.value("a") { secret as String? }
    _ = recorder.value("a") { nil as String? }
    #expect(recorder.recording.entries.map { $0.json(6) } == [#""••""#, "null"])
  }

  @Test func aRedactionOfStringsCoversTheNamesOfViewModels() throws {
    let redact = { (recorder: SessionRecorder) in recorder.redact(String.self) { _ in "••" } }
    let (recorder, scheduler) = (SessionRecorder(), TestScheduler())
    redact(recorder)
    let make = { (recorder: SessionRecorder, scheduler: TestScheduler) in
      recorder.record("chat with \(secret)") { LinesViewModel(on: scheduler) }
    }
    let model = make(recorder, scheduler)
    model.execute(.add(1))
    scheduler.run()
    #expect(!recorder.recording.description.contains(secret))
    let report = try replay(recorder.recording) { run in
      redact(run.recorder)
      let model = make(run.recorder, run.scheduler)
      try run.play()
      #expect(model.currentState == ["1"])
    }
    #expect(report.departures == [])
  }

  // MARK: What is too large

  private func values(_ recorder: SessionRecorder) -> [Bool] {
    recorder.recording.entries.filter { $0.kind == .value }.map { $0.json(6) == #"{"unrecorded":true}"# }
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
