import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

// contract 4.2, 4.3, 4.4, 4.7
@Suite("A test of a kiosk notices each fault that is planted in it") struct PlantedFaultTests {
  @Test(arguments: [Exhaustivity.on, .on(including: .loading), .on(including: .unchanged)], [false, true])
  func theKioskWithoutAFaultPasses(exhaustivity: Exhaustivity, records: Bool) throws {
    try visit(nil, exhaustivity, records: records)
  }

  @Test(arguments: KioskFault.allCases) func eachFaultIsNoticed(fault: KioskFault) {
    func isNoticed(_ exhaustivity: Exhaustivity, records: Bool = false) -> Bool {
      do { try visit(fault, exhaustivity, records: records) } catch { return error is TestFailure }
      return false
    }
    let noticed = KioskFault.Notice.allCases.filter { notice in
      switch notice {
      case .byDefault: isNoticed(.on)
      case .byLoading: isNoticed(.on(including: .loading))
      case .byUnchanged: isNoticed(.on(including: .unchanged))
      case .byRecording: isNoticed(.on, records: true)
      }
    }
    #expect(noticed.first == fault.notice)
    #expect(fault.notice == .byDefault || noticed.count == 1)
  }

  @Test func thereAre31Faults() {
    #expect(KioskFault.allCases.count == 31)
  }

  /// One test of the whole kiosk.
  private func visit(_ fault: KioskFault?, _ exhaustivity: Exhaustivity, records: Bool) throws {
    let (scheduler, screens) = (TestScheduler(), TestNavigator<String>())
    let kiosk = Kiosk(fault, screens.navigator, scheduler)
    try withTestStore(kiosk, navigator: screens, exhaustivity: exhaustivity) { store in
      let requests = records ? store.record(kiosk.requests) : nil
      let messages = records ? store.record(kiosk.messages) : nil
      try visit(
        store, exhaustivity == .on(including: .loading), exhaustivity == .on(including: .unchanged), requests,
        messages)
    }
  }

  private func visit(
    _ store: TestStore<KioskAction, KioskState>, _ checksLoading: Bool, _ checksFolds: Bool,
    _ requests: RecordedEvents<String>?,
    _ messages: RecordedEvents<String>?
  ) throws {
    func expect(_ events: RecordedEvents<String>?, _ event: String) throws {
      if let events { try store.expect(events, event) }
    }
    func expectLoading(_ isLoading: Bool) throws {
      if checksLoading { try store.expect(isLoading: isLoading) }
    }
    // A search with a quiet time, of which the later one counts.
    try store.send(.search("a"))
    try store.advance(by: .milliseconds(200))
    try store.send(.search("ab"))
    try store.expect(.cancelled, of: .search("a"))
    try store.advance(by: .milliseconds(299))
    try store.advance(by: .milliseconds(1)) { $0.isBusy = true }
    try expect(requests, "search ab")
    try store.send(.rename("Pens")) { $0.name = "Pens" }
    try store.advance(by: .seconds(1)) {
      $0.isBusy = false
      $0.results = ["ab"]
    }
    // A search that the user cancels.
    try store.send(.search("b"))
    try store.advance(by: .milliseconds(300)) { $0.isBusy = true }
    try expect(requests, "search b")
    try store.send(.stop) { $0.isBusy = false }
    try store.expect(.cancelled, of: .search("b"))
    try store.advance(by: .seconds(1))
    // Pages, of which only one is requested at a time.
    try store.send(.more)
    try expectLoading(true)
    try expect(requests, "page 1")
    try store.send(.more)
    try store.expect(.dropped, of: .more)
    try store.advance(by: .seconds(1)) { $0.page = 1 }
    try expectLoading(false)
    // Two orders, one after the other, of which the second fails.
    try store.send(.order(1))
    try expect(requests, "order 1")
    try store.send(.order(13))
    try store.advance(by: .seconds(2))
    try expect(messages, "Ordered 1")
    try store.expect { $0.orders = [1] }
    try expect(requests, "order 13")
    try store.advance(by: .seconds(2))
    try store.expect(.failed(KioskError.soldOut), of: .order(13))
    // Rows.
    try store.send(.row(2, .toggle)) { $0.rows[1].isOn = true }
    try store.send(.removeRow(1)) { $0.rows.remove(at: 0) }
    try store.send(.row(1, .toggle))
    try store.expect(.refused, of: .row(1, .toggle))
    // Screens: the checkout opens behind its state, and the sign-out before its own.
    try store.send(.checkOut) { $0.isCheckingOut = true }
    try store.expect(route: "checkout")
    try store.send(.signOut)
    try store.expect(route: "home")
    try store.expect { $0.name = "" }
    // A refresh without a change, and an error that the kiosk handles.
    if checksFolds { try store.send(.refresh) { _ in } } else { try store.send(.refresh) }
    try store.send(.ping)
    try store.advance(by: .seconds(10))
  }
}

enum KioskError: Error, Equatable { case soldOut, closed, quiet }

/// The fault of a kiosk.
enum KioskFault: CaseIterable, Sendable {
  case modeNotForwarded, quietTimeMissing, quietTimeTooShort, staleCapture, staleAnswer, cancelLost, cancelOfAll
  case secondRequest, requestWithoutNeed, otherRequest, requestMissing
  case busyNotSet, busyStays, changeTooMany, foldTooMany, foldForAnError
  case spinnerForAll, spinnerForNone, pageWhileBusy, ordersAtOnce, orderEndsLate, endlessEffect
  case errorSwallowed, otherError, errorNotHandled
  case routeSwapped, routeInFront, routeBehind, messageTwice
  case otherRow, absentRowIgnored

  /// The check that notices it first.
  enum Notice: CaseIterable { case byDefault, byLoading, byUnchanged, byRecording }

  var notice: Notice {
    switch self {
    case .spinnerForAll, .spinnerForNone: .byLoading
    case .foldTooMany, .foldForAnError: .byUnchanged
    case .secondRequest, .requestWithoutNeed, .otherRequest, .requestMissing, .messageTwice: .byRecording
    default: .byDefault
    }
  }
}

enum KioskAction: Sendable, Equatable {
  case search(String)
  case stop
  case rename(String)
  case more
  case order(Int)
  case row(Int, KioskRowAction)
  case removeRow(Int)
  case checkOut, signOut, refresh, ping
}

enum KioskRowAction: Sendable, Equatable { case toggle }

struct KioskState: Sendable, Equatable {
  struct Row: Sendable, Equatable, Identifiable {
    var id: Int
    var isOn = false
  }

  var name = ""
  var results: [String] = []
  var isBusy = false
  var page = 0
  var orders: [Int] = []
  var rows = [Row(id: 1), Row(id: 2), Row(id: 3)]
  var isCheckingOut = false
}

private struct KioskRow: Feature {
  func createObservable(_ action: KioskRowAction, context: FeatureContext<Self>) -> Observable<
    StateMapper<KioskState.Row>
  > {
    .mutate { $0.isOn.toggle() }
  }
}

private final class Kiosk: RxViewModel<KioskAction, KioskState>, @unchecked Sendable {  // Sendable: it stores `let`s.
  let requests = PublishSubject<String>()
  let messages = PublishSubject<String>()
  private let fault: KioskFault?
  private let navigator: Navigator<String>
  private let time: any Scheduler

  init(_ fault: KioskFault?, _ navigator: Navigator<String>, _ time: TestScheduler) {
    (self.fault, self.navigator, self.time) = (fault, navigator, time)
    super.init(scheduler: time)
  }

  override func createInitialState() -> KioskState { KioskState() }

  override func executionMode(for action: KioskAction) -> ExecutionMode {
    switch action {
    case .search where fault == .modeNotForwarded: .parallel
    case .search where fault == .quietTimeMissing: .switchLatest("search")
    case .search where fault == .quietTimeTooShort: .switchLatest("search", after: .milliseconds(250))
    case .search: .switchLatest("search", after: .milliseconds(300))
    case .more: fault == .pageWhileBusy ? .parallel : .dropWhileBusy("page")
    case .order: fault == .ordersAtOnce ? .parallel : .sequence("order")
    default: .parallel
    }
  }

  override func showSpinner(_ action: KioskAction) -> Bool {
    if fault == .spinnerForAll { return true }
    return action == .more && fault != .spinnerForNone
  }

  override func handleError(_ error: any Error, action: KioskAction?) -> Bool {
    error as? KioskError == .quiet && fault != .errorNotHandled
  }

  override func stateMapper(for error: any Error, action: KioskAction) -> StateMapper<KioskState>? {
    guard fault == .foldForAnError, action == .ping else { return nil }
    return { $0 }
  }

  override func child(for action: KioskAction) -> ChildAction<KioskAction, KioskState>? {
    guard case .row(let id, let action) = action else { return nil }
    let other = fault == .otherRow ? id + 1 : fault == .absentRowIgnored && id == 1 ? 3 : id
    return .init(KioskRow(), action, at: \.rows, id: other, as: { .row(other, $0) })
  }

  override func createObservable(_ action: KioskAction) -> Effect {
    switch action {
    case .search(let text): return search(text)
    case .stop:
      if fault != .cancelLost { cancelActions { if case .search = $0 { true } else { self.fault == .cancelOfAll } } }
      return .mutate { $0.isBusy = false }
    case .rename(let name): return .mutate { $0.name = name }
    case .more:
      return answer(to: "page \(currentState.page + 1)", after: .seconds(1)).mutate { state, _ in state.page += 1 }
    case .order(let number): return order(number)
    case .row: return .empty()
    case .removeRow(let id): return .mutate { state in state.rows.removeAll { $0.id == id } }
    case .checkOut:
      let change: Effect = .mutate { $0.isCheckingOut = true }
      let route = route(fault == .routeSwapped ? "home" : "checkout")
      return fault == .routeInFront ? route.concat(change) : change.concat(route)
    case .signOut:
      let change: Effect = .mutate { $0.name = "" }
      return fault == .routeBehind ? change.concat(route("home")) : route("home").concat(change)
    case .refresh:
      if fault == .requestWithoutNeed { requests.onNext("refresh") }
      return .mutate { $0.page += 0 }
    case .ping: return .error(KioskError.quiet)
    }
  }

  /// The answer to a request, which is the request.
  private func answer(to request: String, after time: Duration) -> Observable<String> {
    .deferred { [self] in
      if fault != .requestMissing { requests.onNext(fault == .otherRequest ? request.uppercased() : request) }
      if fault == .secondRequest { requests.onNext(request) }
      return Observable.timer(time, scheduler: self.time).map { _ in request }
    }
  }

  private func route(_ route: String) -> Effect {
    .deferred { [navigator] in
      navigator.navigate(route)
      return Observable<Int>.empty().mutate { _, _ in }
    }
  }

  private func search(_ text: String) -> Effect {
    let (fault, old) = (fault, currentState)
    let begin: Effect = .mutate { $0.isBusy = fault != .busyNotSet }
    let found: Effect = answer(to: "search \(text)", after: .seconds(1)).mutate {
      state, _ in
      if fault == .staleCapture { state = old }
      state.results = [fault == .staleAnswer ? "a" : text]
      state.isBusy = fault == .busyStays
    }
    let more: Effect =
      switch fault {
      case .changeTooMany: .mutate { $0.results = [] }
      case .foldTooMany: .mutate { $0.isBusy = false }
      case .endlessEffect: .never()
      default: Observable<Int>.empty().mutate { _, _ in }
      }
    return begin.concat(found).concat(more)
  }

  private func order(_ number: Int) -> Effect {
    let (fault, messages) = (fault, messages)
    let ordered: Effect = answer(to: "order \(number)", after: .seconds(2)).map { _ in
      if number == 13, fault != .errorSwallowed { throw fault == .otherError ? KioskError.closed : .soldOut }
      if number != 13 {
        for _ in 0..<(fault == .messageTwice ? 2 : 1) { messages.onNext("Ordered \(number)") }
      }
      return { state in
        var state = state
        if number != 13 { state.orders.append(number) }
        return state
      }
    }
    return fault == .orderEndsLate
      ? ordered.concat(Observable.timer(.seconds(1), scheduler: time).mutate { _, _ in }) : ordered
  }
}
