// The code of the article *Coming from RxSwift and ReactorKit* that stands for operators of RxSwift: the blocks, and the lines of its
// table. `SnippetTests` compares the two. `ComingFromSnippets.swift` has the screen.
import Foundation
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

nonisolated extension Observable {
  /// If the stream fails because its token has expired, renews the token, and subscribes once more.
  func renewingToken(by renew: @escaping @Sendable () -> Observable<Void>) -> Observable {
    `catch` { error in
      guard error is TokenExpired else { throw error }
      return renew().ignoreElements().concat(self)
    }
  }
}

nonisolated extension Observable {
  /// Sends the elements since the last tick as an array, at each tick. Completes when both streams have.
  func buffered(by ticks: Observable<Int>) -> Observable<[Element]> {
    Observable<Element?>.merge(map { $0 }, ticks.map { _ in nil })
      .scan((open: [Element](), full: [Element]?.none)) { arrays, element in
        element.map { (arrays.open + [$0], nil) } ?? ([], arrays.open)
      }
      .compactMap(\.full)
  }
}

nonisolated private struct NotSingle: Error {}

nonisolated private final class Owner: Sendable {
  let shown = ReplaySubject<Int>(bufferSize: 9)

  func show(_ number: Int) { shown.onNext(number) }
}

/// A session whose token expires.
nonisolated private final class Tokens: Sendable {
  let token = BehaviorSubject(value: 1)
  let renewals = BehaviorSubject(value: 0)

  func renew() -> Observable<Void> {
    .deferred { [self] in
      renewals.update { $0 += 1 }
      return .just(token.update { $0 += 1 })
    }
  }

  /// A request that the server accepts with one token.
  func request(accepting accepted: Int) -> Observable<String> {
    .deferred { [self] in
      guard token.value == accepted else { throw TokenExpired() }
      return .just("rates")
    }
  }
}

/// The article for those who come from RxSwift.
struct ComingFromRxSwiftSnippets {
  private let source = Observable.of(1, 2, 3)
  private let empty = Observable<Int>.empty()
  private let failing = Observable<Int>.error(TestError())
  private let other = Observable.just(9)
  private let streams = Observable.of(Observable.of(1, 2), Observable.just(3))
  private let scheduler = TestScheduler()

  /// A source that sends 1, 2 and 3 after one, two and three seconds, and completes after the last one.
  private var timed: Observable<Int> {
    Observable.interval(.seconds(1), scheduler: scheduler).map { $0 + 1 }.take(3)
  }

  private func values(_ stream: Observable<Int>) -> [Int] {
    let observer = stream.test(scheduler)
    scheduler.run()
    return observer.values
  }

  @Test func aTokenIsRenewedOnce() {
    let tokens = Tokens()
    let rates = tokens.request(accepting: 2).renewingToken(by: tokens.renew)
    // With a token that has not expired nothing is renewed.
    #expect(rates.test().values + rates.test().values == ["rates", "rates"] && tokens.renewals.value == 1)
    let refused = tokens.request(accepting: 9).renewingToken(by: tokens.renew).test()
    #expect(refused.error is TokenExpired && tokens.renewals.value == 2)
    #expect(failing.renewingToken(by: tokens.renew).test().error is TestError && tokens.renewals.value == 2)
  }

  @Test func arraysByTime() {
    let arrays = timed.buffered(by: .interval(.milliseconds(2_500), scheduler: scheduler)).take(3).test(scheduler)
    scheduler.run()
    #expect(arrays.values == [[1, 2], [3], []])
  }

  @Test func streamsOfStreams() {
    #expect(streams.flatMap { $0 }.test().values == [1, 2, 3])
    #expect(streams.flatMap(maxConcurrent: 2) { $0 }.test().values == [1, 2, 3])
    #expect(streams.concatMap { $0 }.test().values == [1, 2, 3])
    #expect(streams.flatMapLatest { $0 }.test().values == [1, 2, 3])
    let subject = BehaviorSubject(value: 7)
    #expect(other.flatMap { _ in subject.asObservable() }.test().values == [7])
  }

  @Test func creating() {
    #expect(Observable.from(1...3).test().values == [1, 2, 3])
    #expect(Observable.from(sequence(first: 1) { $0 * 2 }).take(3).test().values == [1, 2, 4])
    #expect(Observable.from(repeatElement(1, count: .max)).take(3).test().values == [1, 1, 1])
    #expect(Observable.from(0..<2).concatMap { _ in source }.test().values == [1, 2, 3, 1, 2, 3])
    let number = Int?.none
    let stream: Observable<Int> = number.map { .just($0) } ?? .empty()
    #expect(stream.test().isCompleted)
    let isDisposed = BehaviorSubject(value: false)
    let resource: @Sendable () -> any Disposable = { Disposables.create { isDisposed.onNext(true) } }
    let using = Observable.create { observer in Disposables.create(source.subscribe(observer), resource()) }
    #expect(using.test().values == [1, 2, 3])
    #expect(isDisposed.value)
    #expect(
      values(Observable.timer(after: .zero, every: .seconds(1), scheduler: scheduler).take(2)) == [0, 1])
  }

  @Test func atTheEnd() {
    #expect(source.toArray().map { $0.reduce(0, +) }.test().values == [6])
    let last: Observable<Int> = source.toArray().flatMap { .from($0.suffix(2)) }
    #expect(last.test().values == [2, 3])
    let filled: Observable<Int> = empty.toArray().flatMap { .from($0.isEmpty ? [0] : $0) }
    #expect(filled.test().values == [0])
    let replaced: Observable<Int> = empty.toArray().flatMap { $0.isEmpty ? other : .from($0) }
    #expect(replaced.test().values == [9])
    let single = source.toArray().map { if $0.count == 1 { $0[0] } else { throw NotSingle() } }
    #expect(single.test().error is NotSingle)
    #expect(other.ignoreElements().concat(source).test().values == [1, 2, 3])
  }

  @Test func partsOfAStream() async throws {
    #expect(source.skip(1).take(1).test().values == [2])
    #expect(source.take(1).test().values == [1])
    #expect(try await source.first() == 1)
    #expect(source.filter { $0 % 2 == 0 }.test().values == [2])
    #expect(source.take(while: { $0 < 3 }).test().values == [1, 2])
    let rest: Observable<Int> = source.scan((false, 0)) { ($1 >= 2 ? true : $0.0, $1) }.filter { $0.0 }.map { $0.1 }
    #expect(rest.test().values == [2, 3])
    let collected: Observable<[Int]> = source.scan([]) { $0 + [$1] }
    #expect(collected.test().values == [[1], [1, 2], [1, 2, 3]])
    let enumerated: Observable<(Int, Int)> = source.scan((-1, 0)) { ($0.0 + 1, $1) }
    #expect(enumerated.map { [$0.0, $0.1] }.test().values == [[0, 1], [1, 2], [2, 3]])
    let pairs: Observable<[Int]> = source.scan([]) { $0.count < 2 ? $0 + [$1] : [$1] }.filter { $0.count == 2 }
    #expect(pairs.test().values == [[1, 2]])
    let people = Observable.of(Profile(name: "a"), Profile(name: "a", isFollowed: true), Profile(name: "b"))
    #expect(people.distinctUntilChanged(at: \.name).test().values.map(\.name) == ["a", "b"])
    let data = Observable.just(Data("7".utf8))
    #expect(data.map { try JSONDecoder().decode(Int.self, from: $0) }.test().values == [7])
    let owner = Owner()
    let retained: Observable<(Owner, Int)> = source.compactMap { [weak owner] number in owner.map { ($0, number) } }
    #expect(retained.map { $0.1 }.test().values == [1, 2, 3])
    source.subscribe(with: owner) { $0.show($1) }.dispose()
    #expect(owner.shown.test().values == [1, 2, 3])
  }

  @Test func untilAndAfterAnotherStream() {
    let timer = Observable.timer(.milliseconds(1_500), scheduler: scheduler)
    #expect(values(timed.take(until: timer)) == [1])
    #expect(values(timed.withLatestFrom(timer) { element, _ in element }) == [2, 3])
    let ticks = Observable.interval(.milliseconds(1_500), scheduler: scheduler).take(2)
    #expect(values(timed.takeWhen(ticks)) == [1, 2])
    #expect(values(timed.withLatestFrom(ticks.take(1)) { element, _ in element }) == [2, 3])
    #expect(values(Observable.merge(timed, other).take(1)) == [9])
    #expect(values(Observable.timer(.seconds(1), scheduler: scheduler).flatMap { _ in source }) == [1, 2, 3])
  }

  @Test func errors() {
    #expect(failing.catch { _ in other }.test().values == [9])
    #expect(values(timed.timeout(.milliseconds(500), scheduler: scheduler).catch { _ in other }) == [9])
    #expect(source.concat(failing).retry(.max).take(4).test().values == [1, 2, 3, 1])
    #expect(values(failing.retry(3, delay: { .seconds($0) }, scheduler: scheduler)) == [])
    #expect(scheduler.now == .milliseconds(3_500))
    let isOnline = BehaviorSubject(value: false)
    let observer = isOnline.filter { $0 }.take(1).flatMap { _ in source }.retry(5).test()
    #expect(observer.values == [])
    isOnline.onNext(true)
    #expect(observer.values == [1, 2, 3])
    let events = source.concat(failing).materialize()
    let dematerialized = events.map { event in if case .error(let error) = event { throw error } else { event } }
      .elements().test()
    #expect(dematerialized.values == [1, 2, 3])
    #expect(dematerialized.error is TestError)
  }

  @Test func driversAndConnections() {
    let driver = failing.catchAndReturn(0).share(replay: 1)
    #expect(driver.test().values == [0])
    let subject = PublishSubject<Int>()
    let observer = subject.test()
    let connection = source.subscribe(subject)
    #expect(observer.values == [1, 2, 3])
    connection.dispose()
    let sources: [Observable<Int>] = []
    let latest: Observable<[Int]> = sources.isEmpty ? .just([]) : .combineLatest(sources)
    #expect(latest.test().values == [[]])
  }
}
