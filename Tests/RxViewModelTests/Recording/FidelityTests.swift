import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import TestSupport

/// The number of rounds: 2,000 were run once.
let fidelityRounds = Int(ProcessInfo.processInfo.environment["RX_ROUNDS"] ?? "") ?? 50

extension TestObserver {
  /// Waits for the end of the view model. Call it after the last reference to the view model has been released.
  fileprivate func end() async throws { try #require(await eventually { self.isCompleted }) }
}

private let manyModes: [ExecutionMode] = [
  .parallel, .parallelOrdered, .parallelDeferred, .sequence, .switchLatest, .dropWhileBusy, .keepLatest, .join,
]

// contract 9.1, 9.3, 9.5
@Suite("A replay has the states of the session", .stress) struct FidelityTests {
  // MARK: A search

  private func search(_ recorder: SessionRecorder, _ mode: ExecutionMode) async -> TestObserver<SeekState> {
    let model = seek(recorder, mode) { text in
      if text.utf8.reduce(0, { $0 &+ Int($1) }) % 3 == 0 { await Task.yield() }
      if text.hasSuffix("2") { throw URLError(.timedOut) }
      return [text]
    }
    let history = model.stateObservable.test()
    await race(threads: 4) { thread in
      for number in 0..<5 {
        model.execute(.search("\(thread).\(number)"))
        if number == 3 { model.cancelActions { $0 == .search("\(thread).1") || $0 == .search("\(thread).2") } }
      }
    }
    return history
  }

  @Test(.asyncEffects, arguments: manyModes) func aSearchFromFourThreads(_ mode: ExecutionMode) async throws {
    for round in 0..<fidelityRounds {
      let recorder = SessionRecorder()
      let history = await search(recorder, mode)
      try await history.end()
      let text = recorder.recording.description
      var replayed: TestObserver<SeekState>?
      let report = try replay(Recording(text)) { run in
        let model = seek(run.recorder, mode, on: run.scheduler)
        replayed = model.stateObservable.test()
        try run.play()
      }
      if report.departures != [] || replayed?.values != history.values {
        Issue.record("round \(round): \(report.departures)\n\(text)")
        return
      }
    }
  }

  // MARK: A shop

  private func shop(_ recorder: SessionRecorder) async throws -> TestObserver<ShopDeskState> {
    let (stock, prices) = (BehaviorSubject(value: 7), PublishSubject<Int>())
    let (queries, scrolls) = (PublishSubject<Int>(), PublishSubject<Int>())
    let (tries, visits) = (Locked(0), Locked(0))
    let services = ShopServices(
      ask: { name, number in
        switch name {
        case "find":
          if tries.increment() % 2 == 0 { throw URLError(.timedOut) }
          await Task.yield()
          return [number, 2, 3]
        case "page":
          if number == 6 || tries.value % 3 == 0 { throw OutOfStock(item: number) }
          return [number, number + 1, number + 2]
        case "shelf":
          if visits.increment() % 2 == 1 { throw URLError(.timedOut) }
          return [number, number + 1, number + 2]
        default:
          if number % 5 == 4 { throw OutOfStock(item: number) }
          await Task.yield()
          return [number]
        }
      },
      stream: { name in
        if name == "stock" { return stock.asObservable() }
        return ["prices": prices, "queries": queries, "scrolls": scrolls][name]!.asObservable()
      }, now: { Date().timeIntervalSince1970 })
    let model = shopDesk(recorder, services)
    let history = model.stateObservable.test()
    model.execute(.browse)
    // One thread sends each scroll after the page has come: paginate combines both streams.
    async let pages = browse(model, queries, scrolls)
    await race(threads: 4) { thread in
      for number in 0..<4 {
        switch (thread + number) % 4 {
        case 0:
          model.execute(.search(10 * thread + number))
          model.execute(.openAll)
          stock.onNext(10 * thread + number)
        case 1:
          model.execute(.more)
          model.execute(.like(thread + number))
          prices.onNext(100 * thread + number)
        case 2:
          model.execute(.watch)
          model.execute(.stamp, mode: .sequence("likes"))
          prices.onNext(100 * thread + number)
        default:
          model.cancelActions { if case .like = $0 { true } else { $0 == .openAll || $0 == .liked(1) } }
          model.executeInSequence(.like(4), .stamp, .like(thread))
        }
      }
    }
    #expect(await pages)
    for number in 0..<3 { prices.onNext(number) }
    model.cancelActions { $0 == .watch }
    stock.onNext(-1)
    try #require(await eventually { model.currentState.stock == -1 })
    return history
  }

  // A failure has the recording.
  private func replayShop(_ recording: Recording) throws -> (ReplayReport, TestObserver<ShopDeskState>) {
    var history: TestObserver<ShopDeskState>?
    let report = try replay(recording, allowingDepartures: true) { run in
      let model = shopDesk(run.recorder, on: run.scheduler)
      history = model.stateObservable.test()
      try run.play()
    }
    return (report, history!)
  }

  @Test(.asyncEffects) func aShopFromFourThreads() async throws {
    var failures: [String] = []
    for round in 0..<fidelityRounds {
      let recorder = SessionRecorder()
      let history = try await shop(recorder)
      try await history.end()
      let recording = recorder.recording
      let (report, replayed) = try replayShop(Recording(recording.description))
      if report.departures == [], replayed.values == history.values { continue }
      let pair = zip(replayed.values, history.values).first { $0 != $1 }
      failures.append("round \(round): \(report.departures) \(pair.map { "\($0)" } ?? "")\n\(recording)")
    }
    #expect(failures.count == 0, "\(failures.count) of \(fidelityRounds): \(failures.first ?? "")")
  }
}

private func browse(
  _ model: ShopDesk, _ queries: PublishSubject<Int>, _ scrolls: PublishSubject<Int>
) async -> Bool {
  guard await eventually({ scrolls.hasObservers }) else { return false }
  for query in 1...2 {
    queries.onNext(query)
    guard await eventually({ model.currentState.shelf == [query, query + 1, query + 2] }) else { return false }
    scrolls.onNext(query)
    guard await eventually({ model.currentState.shelf.count == 6 }) else { return false }
  }
  for subject in [queries, scrolls] { subject.onCompleted() }
  return true
}
