import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

/// The number of rounds: 2,000 were run once.
let fidelityRounds = Int(ProcessInfo.processInfo.environment["RX_ROUNDS"] ?? "") ?? 50

@Suite("A replay has the states of the session", .stress) struct FidelityTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test(arguments: sixModes) func aSearchFromFourThreads(_ mode: ExecutionMode) async throws {
    for round in 0..<fidelityRounds {
      let recorder = SessionRecorder()
      let states = Locked<[SeekState]>([])
      let model = seek(recorder, mode) { text in
        if text.hashValue % 3 == 0 { await Task.yield() }
        if text.hasSuffix("2") { throw URLError(.timedOut) }
        return [text]
      }
      let subscription = model.stateObservable.subscribe(onNext: { state in states.mutate { $0.append(state) } })
      let errors = model.errorObservable.subscribe(onNext: { _ in })
      await race(threads: 4) { thread in
        for number in 0..<5 {
          model.execute(.search("\(thread).\(number)"))
          if number == 3 { model.cancelActions { $0 == .search("\(thread).1") || $0 == .search("\(thread).2") } }
        }
      }
      // A task whose action has been cancelled may execute an action after the recording has been read.
      let seen = states.value.count
      try await rest(model)
      let text = recorder.recording.description
      withExtendedLifetime((subscription, errors)) {}
      let replayed = Locked<[SeekState]>([])
      let report = try replay(Recording(text)) { run in
        let model = seek(run.recorder, mode, on: run.scheduler) { _ in [] }
        let subscription = model.stateObservable.subscribe(onNext: { state in replayed.mutate { $0.append(state) } })
        let errors = model.errorObservable.subscribe(onNext: { _ in })
        try run.play()
        withExtendedLifetime((subscription, errors)) {}
      }
      #expect(report.departures == [], "round \(round): \(text)")
      #expect(replayed.value == Array(states.value.prefix(max(seen, replayed.value.count))), "round \(round): \(text)")
      if report.departures != [] || replayed.value != Array(states.value.prefix(max(seen, replayed.value.count))) {
        return
      }
    }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aShopFromFourThreads() async throws {
    for round in 0..<fidelityRounds {
      let recorder = SessionRecorder()
      let (stock, prices) = (BehaviorSubject(value: 7), PublishSubject<Int>())
      let (queries, scrolls) = (PublishSubject<Int>(), PublishSubject<Int>())
      let (tries, visits) = (Locked(0), Locked(0))
      let states = Locked<[ShopDeskState]>([])
      let model = shopDesk(
        recorder,
        ShopDesk.Services(
          find: { text in
            if tries.next() % 2 == 0 { throw URLError(.timedOut) }
            await Task.yield()
            return [text.count, 2, 3]
          },
          page: { page in
            if page == 6 || tries.value % 3 == 0 { throw OutOfStock(item: page) }
            return [page, page + 1, page + 2]
          },
          shelf: { first in
            if visits.next() % 2 == 1 { throw URLError(.timedOut) }
            return [first, first + 1, first + 2]
          },
          like: { item in
            if item % 5 == 4 { throw OutOfStock(item: item) }
            await Task.yield()
            return item
          }, stock: stock.asObservable(), prices: prices.asObservable(), queries: queries.asObservable(),
          scrolls: scrolls.asObservable(), now: { Date().timeIntervalSince1970 }))
      let subscription = model.stateObservable.subscribe(onNext: { state in states.mutate { $0.append(state) } })
      let errors = model.errorObservable.subscribe(onNext: { _ in })
      model.execute(.browse)
      // One thread sends each scroll after the page has come: paginate combines both streams.
      async let pages = browse(model, queries, scrolls)
      await race(threads: 4) { thread in
        for number in 0..<4 {
          switch (thread + number) % 4 {
          case 0:
            model.execute(.search("\(thread).\(number)"))
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
      // A task whose action has been cancelled may execute an action after the recording has been read.
      let seen = states.value.count
      try await rest(model)
      let text = recorder.recording.description
      withExtendedLifetime((subscription, errors)) {}
      let replayed = Locked<[ShopDeskState]>([])
      let report = try replay(Recording(text)) { run in
        let model = shopDesk(run.recorder, on: run.scheduler, .silent)
        let subscription = model.stateObservable.subscribe(onNext: { state in replayed.mutate { $0.append(state) } })
        let errors = model.errorObservable.subscribe(onNext: { _ in })
        try run.play()
        withExtendedLifetime((subscription, errors)) {}
      }
      if report.departures != [] || replayed.value != Array(states.value.prefix(max(seen, replayed.value.count))) {
        let difference = zip(replayed.value, states.value).first { $0 != $1 }.map { "\($0)" } ?? ""
        Issue.record(
          "round \(round): \(report.departures) \(replayed.value.count) of \(states.value.count) \(difference)\n\(text)"
        )
        return
      }
    }
  }
}

extension ShopDesk.Services {
  /// Services that a replay never calls.
  static let silent = ShopDesk.Services(
    find: { _ in throw CancellationError() }, page: { _ in throw CancellationError() },
    shelf: { _ in throw CancellationError() }, like: { _ in throw CancellationError() },
    stock: .never(), prices: .never(), queries: .never(), scrolls: .never(), now: { 0 })
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

extension Locked<Int> {
  fileprivate func next() -> Int {
    mutate { number in
      number += 1
      return number
    }
  }
}

/// Waits until no action of the view model is unfinished.
func rest<A, S>(_ model: RxViewModel<A, S>) async throws {
  let deadline = Date(timeIntervalSinceNow: Double(waitLimit))
  while model.unfinishedActions?.isEmpty != true {
    try #require(Date() < deadline)
    await Task.yield()
  }
}
