import Foundation
import Races
import RxViewModel
import RxViewModelTesting
import Testing

struct ComposerTests {
  private typealias Make = (MessageService, any Scheduler) -> Composer

  private func service(_ run: Exploration, _ stored: MutableProperty<[Int: String]>) -> MessageService {
    MessageService { message in
      try await run.request("post \(message.text)", failing: URLError(.timedOut)) {
        stored.update { $0[message.id] = message.text }
      }
    }
  }

  /// Taps twice. Returns what the user sees in the end.
  private func tapTwice(_ run: Exploration, _ make: Make) -> [String] {
    let composer = make(service(run, MutableProperty([:])), run.scheduler)
    composer.execute(.type("a"))
    composer.execute(.send(id: 1))
    run.mayArrive()
    composer.execute(.send(id: 2))
    run.allArrive()
    return composer.currentState.messages.map(\.text)
  }

  @Test func theSecondTapSendsTheTextAgain() throws {
    let endings = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in tapTwice(run) { Composer($0, scheduler: $1) } }
    }
    // The simplest order is wrong, too. Without an assertion, only one order differs from it.
    #expect("\(endings)".hasPrefix("ends differently from the simplest order in 1 of 10 orders"), "\(endings)")
    let failure = try #require(throws: TestFailure.self) {
      try explore(failures: 0) { run in
        try run.expect(tapTwice(run) { Composer($0, scheduler: $1) }, equals: ["a"])
      }
    }
    #expect("\(failure)".hasPrefix("fails in 9 of 10 orders, first in"), "\(failure)")
  }

  @Test func aClearedFieldSendsItOnce() throws {
    let report = try explore(failures: 0) { run in
      try run.expect(tapTwice(run) { CuredComposer($0, scheduler: $1) }, equals: ["a"])
    }
    #expect(report.isExhaustive)
    #expect(report.runs == 3)
  }

  /// What is typed stays in the field until it is sent. Each text that is sent becomes one message, if the user sends a failed one again.
  private func play(_ run: Exploration, _ actions: [ComposerAction]) throws {
    let stored = MutableProperty([Int: String]())
    let composer = CuredComposer(service(run, stored), scheduler: run.scheduler)
    let (field, sent) = (MutableProperty(""), MutableProperty([Int: String]()))
    run.always(composer, "the field has what is typed") { $0.text == field.value }
    for action in actions {
      if case .type(let text) = action { field.value = text }
      if case .send(let id) = action, !field.value.isEmpty {
        sent.value[id] = field.value
        field.value = ""
      }
      composer.execute(action)
      run.mayArrive()
      for message in composer.currentState.messages where message.status == .failed {
        // Twice, because the user is impatient.
        for _ in 1...2 { composer.execute(.post(message)) }
      }
      run.scheduler.advance(by: .zero)
    }
    run.allArrive()
    run.recover()
    for message in composer.currentState.messages where message.status == .failed { composer.execute(.post(message)) }
    run.allArrive()
    try run.expect(stored.value, equals: sent.value)
    let messages = composer.currentState.messages.sorted { $0.id < $1.id }
    try run.expect(
      messages, equals: sent.value.sorted { $0.key < $1.key }.map { Message(id: $0, text: $1, status: .sent) })
  }

  @Test func eachTextIsOneMessageAfterFailures() throws {
    let report = try explore { try play($0, [.type("a"), .send(id: 1), .send(id: 2), .type("b"), .send(id: 3)]) }
    #expect(report.isExhaustive)
    #expect(report.runs == 2187)
  }

  @Test func anyActionsAtAnyTime() throws {
    try explore(limit: 2_000, failures: 2) { run in
      try play(run, (0..<run.choose(0...6)).map { id in run.choose(.send(id: id), .type("a"), .type("b")) })
    }
  }
}
