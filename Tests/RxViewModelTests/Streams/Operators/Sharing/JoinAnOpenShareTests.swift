#if os(Linux)
  import RxViewModel
  import Testing
  @testable import TestSupport

  // contract 1.8, 1.9: a subscriber of an open `share` joins its connection, and makes none of its own
  @Suite(.ownThread) struct JoinAnOpenShareTests {
    @Test func joiningAllocatesNoConnection() async {
      let result = await #expect(processExitsWith: .success) {
        let subject = PublishSubject<Int>()
        let shared = subject.share(replay: 1)
        let first = shared.subscribe(onNext: { _ in })
        shared.subscribe(onNext: { _ in }).dispose()
        let joined = allocatedObjects { shared.subscribe(onNext: { _ in }).dispose() }
        first.dispose()
        let connected = allocatedObjects { shared.subscribe(onNext: { _ in }).dispose() }
        // A connection has a subject, a scope and a counter, with two locks.
        precondition(joined <= connected - 5, "\(joined) objects to join, \(connected) to connect")
      }
      #expect(result != nil)
    }
  }
#endif
