import RxViewModel

/// What becomes of a request.
private enum Fate: Int, CaseIterable {
  case answered
  /// The call fails, and the request never reaches the server.
  case unsent
  /// The server has handled the request, and the answer is lost: the call fails.
  case unanswered
  /// The call fails first, as after a timeout, and the server handles the request later.
  case late
}

extension Exploration {
  /// Sends a request to a server that your test makes, and returns its answer.
  ///
  ///     let server = Server()
  ///     let model = Post(scheduler: run.scheduler) { isLiked in
  ///       try await run.request("like \(isLiked)", failing: URLError(.timedOut)) { server.like(isLiked) }
  ///     }
  ///
  /// A request has two moments, and each of them is an arrival: the server handles it, which calls `handle`, and the answer arrives. So
  /// actions and other requests come before, between and behind them. What `handle` throws is the server's answer, too.
  ///
  /// **Cancellation.** If the task is cancelled, the call throws a `CancellationError` immediately. A request that was on its way is handled
  /// later, or never, as in life. So a screen that was closed has perhaps saved, and a newer write may reach the server before an older one.
  ///
  /// **Failures.** With `failing:`, the explorer tries three ways in which the request fails with that error: it never reaches the server;
  /// the server has handled it, and the answer is lost; the call fails, and the server handles it later. In one run, at most one request
  /// fails, unless you pass `failures:` to `explore`, and none after ``recover()``.
  ///
  /// **Orders.** 1, 2 and 3 requests at the same time have 1, 6 and 90 orders; if one of them may fail, 4, 36 and 720. So send few, or
  /// explore with a limit.
  ///
  /// - Parameters:
  ///   - label: Names the request in the text of a failure.
  ///   - error: What the call throws if the request fails. Nil if it never fails.
  ///   - changes: Whether the server changes something. A read that is cancelled on its way is never handled, which makes fewer orders.
  ///   - isInOrder: Whether requests with this label reach the server in the order in which they were sent, as on one connection.
  ///   - handle: What the server does. It is called on the thread that explores.
  public func request<Answer: Sendable>(
    _ label: String, failing error: (any Error)? = nil, changes: Bool = true, inOrder isInOrder: Bool = false,
    _ handle: @escaping @Sendable () throws -> Answer
  ) async throws -> Answer {
    try Task.checkCancellation()
    let answer = Lock<Result<Answer, any Error>?>(nil)
    let (origin, name) = (Taps.origin, numbered(label))
    let kind = Arrival.Kind.request(name: name, changes: changes) {
      let result = Result { try handle() }
      answer.withLock { $0 = result }
    }
    let place = isInOrder ? (label, state.withLock { $0.counts[label]! }) : nil
    let request = Arrival(label, kind, place: place, of: origin)
    let fate = error == nil ? .answered : fate(of: name)
    if fate == .answered || fate == .unanswered { try await wait(for: request) }
    let texts: [Fate: String] = [
      .answered: "answer to \(label)", .unsent: "\(label) is lost", .unanswered: "answer to \(label) is lost",
      .late: "\(label) fails, and is still on its way",
    ]
    let late = fate == .late ? request : nil
    try await wait(for: Arrival(texts[fate]!, .end(late: late), place: late?.place, of: origin))
    if fate != .answered { throw error! }
    return try answer.withLock { $0 }!.get()
  }

  /// Lets no request fail in the rest of this run. Call it before a last refresh, to check that this repairs what has failed.
  public func recover() { state.withLock { $0.failures = options.failures } }

  /// Chooses whether and how a request fails. The name has the number of the request with this label.
  private func fate(of name: String) -> Fate {
    let failures = state.withLock { $0.failures ?? 0 }
    state.withLock { $0.failures = failures }
    if failures >= options.failures { return .answered }
    let fate = Fate(rawValue: chooseFate(among: Fate.allCases.count, of: name)) ?? .answered
    if fate != .answered { state.withLock { $0.failures = failures + 1 } }
    return fate
  }

  /// Chooses whether a request that was cancelled on its way never reaches the server.
  func isLost(_ name: String) -> Bool {
    let isLost = chooseFate(among: 2, of: "\(name) is lost") == 1
    if isLost { drawing?.handle("\(name) is lost") }
    return isLost
  }

  /// The next choice. Only a fate that differs from the first one makes another world, because not each order has the request.
  private func chooseFate(among options: Int, of name: String) -> Int {
    choose(among: options) { if $1 > 0 { $0.fates[name] = $1 } }
  }
}
