import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

private enum PostAction: Sendable, Equatable {
  case insert(Int)
  case setLiked(Int, Bool)
  case rename(Int, Int)
  case delete(Int)
  case refresh(Int)
  case showToast(Int)
  case dismissToast
}

private struct Posts: Sendable, Equatable {
  struct Post: Sendable, Equatable { var (isLiked, title) = (false, 0) }

  var posts: [Int: Post] = [:]
  var toasts: [Int] = []

  /// What an action changes, at the server as on the screen. Returns whether it is possible.
  @discardableResult
  mutating func apply(_ action: PostAction) -> Bool {
    switch action {
    case .insert(let id): posts[id] = posts[id] ?? Post()
    case .setLiked(let id, let isLiked):
      posts[id]?.isLiked = isLiked
      return posts[id] != nil
    case .rename(let id, let title):
      posts[id]?.title = title
      return posts[id] != nil
    case .delete(let id): posts[id] = nil
    case .showToast(let toast): toasts.append(toast)
    case .dismissToast: toasts = []
    case .refresh: break
    }
    return true
  }
}

/// A request on its way. The server handles it at one time, and its answer arrives at another.
private struct Request {
  let action: PostAction
  let subject: PublishSubject<[Int: Posts.Post]>
  /// The posts after the server has handled it. Nil if it was impossible.
  var answer: [Int: Posts.Post]?
  var isHandled = false
  var isOver = false
}

// Contract 2.20: what the screen and the server have, when all is decided.
@Suite(.ownThread) struct OptimisticServerTests {
  /// Plays random actions, requests that are handled and answered late, refused, or lost on the way there or back.
  private static func play(_ seed: UInt64) -> (script: [String], fault: String?) {
    var random = SplitMix64(seed: seed)
    let modes: [ExecutionMode] = [.parallel, .keepLatest("feed"), .switchLatest("feed")]
    let mode = modes.randomElement(using: &random)!
    let (requests, answersTell) = (Locked<[Request]>([]), Bool.random(using: &random))
    let screen = ClosureViewModel<PostAction, Posts>(Posts(), scheduler: ImmediateScheduler()) { _, action in
      let subject = PublishSubject<[Int: Posts.Post]>()
      let request = { @Sendable in requests.append(Request(action: action, subject: subject)) }
      switch action {
      case .showToast, .dismissToast: return .mutate { $0.apply(action) }
      case .refresh: return subject.do(onSubscribe: request).mutate { $0.posts = $1 }
      case .rename(let id, _) where answersTell:
        return subject.do(onSubscribe: request).mutate { state, posts in
          if let title = posts[id]?.title { state.posts[id]?.title = title }
        }
      default: return subject.do(onSubscribe: request).ignoreElements()
      }
    } overrides: {
      $0.mode = { _, action in
        switch action {
        case .insert(let id), .setLiked(let id, _), .rename(let id, _), .delete(let id): .sequence("post \(id)")
        case .refresh: mode
        default: .parallel
        }
      }
      $0.update = { _, action in
        switch action {
        case .refresh: .snapshot
        case .showToast, .dismissToast: nil
        default: .change { $0.apply(action) }
        }
      }
    }
    var (server, toasts, script) = (Posts(), [Int](), [String]())
    var (ids, isCertain) = (0, true)
    func execute(_ action: PostAction) {
      script.append("\(action)")
      var shown = Posts(toasts: toasts)
      shown.apply(action)
      toasts = shown.toasts
      screen.execute(action)
    }
    func handle(_ index: Int) {
      script.append("handled: \(requests.value[index].action)")
      let isPossible = server.apply(requests.value[index].action)
      requests.mutate { requests in
        requests[index].isHandled = true
        requests[index].answer = isPossible ? server.posts : nil
      }
    }
    func answer(_ index: Int, arrives: Bool) {
      let request = requests.value[index]
      requests.mutate { $0[index].isOver = true }
      script.append("\(arrives && request.answer != nil ? "answered" : "failed"): \(request.action)")
      guard arrives, let posts = request.answer else { return request.subject.onError(Offline()) }
      request.subject.onNext(posts)
      request.subject.onCompleted()
    }
    func step() {
      let id = Int.random(in: 0...max(ids - 1, 0), using: &random)
      let open = requests.value.indices.filter { !requests.value[$0].isOver || !requests.value[$0].isHandled }
      let index = open.randomElement(using: &random)
      switch (Int.random(in: 0..<16, using: &random), index) {
      case (0, _):
        execute(.insert(ids))
        ids += 1
      case (1...2, _): execute(.setLiked(id, Bool.random(using: &random)))
      case (3, _): execute(.rename(id, script.count))
      case (4, _): execute(.delete(id))
      case (5, _): execute(.refresh(script.count))
      case (6, _): execute(.showToast(script.count))
      case (7, _): execute(.dismissToast)
      case (_, let index?) where !requests.value[index].isHandled:
        // A request that has failed, or was cancelled, may still reach the server.
        let fate = requests.value[index].isOver ? 2 : Int.random(in: 0..<16, using: &random)
        if fate == 0 {
          // Refused, or lost on the way there.
          requests.mutate { $0[index].isHandled = true }
          answer(index, arrives: false)
        } else if fate == 1 {
          isCertain = false
          answer(index, arrives: false)
        } else {
          handle(index)
        }
      case (_, let index?):
        let arrives = Int.random(in: 0..<8, using: &random) > 0
        if !arrives, case .refresh = requests.value[index].action {} else if !arrives { isCertain = false }
        answer(index, arrives: arrives)
      default: break
      }
    }
    func settle() {
      while let index = requests.value.indices.first(where: { !requests.value[$0].isHandled }) { handle(index) }
      while let index = requests.value.indices.first(where: { !requests.value[$0].isOver }) {
        answer(index, arrives: true)
        while let index = requests.value.indices.first(where: { !requests.value[$0].isHandled }) { handle(index) }
      }
    }
    for _ in 0..<40 { step() }
    settle()
    server.toasts = toasts
    if isCertain, screen.currentState != server { return (script, "\(screen.currentState) instead of \(server)") }
    execute(.refresh(-1))
    settle()
    return (
      script, screen.currentState == server ? nil : "\(screen.currentState) instead of \(server), after a refresh"
    )
  }

  private func screenEndsAsServer(seeds: Range<UInt64>) {
    for seed in seeds {
      let (script, fault) = Self.play(seed)
      if let fault {
        Issue.record("seed \(seed): \(script): \(fault)")
        return
      }
    }
  }

  @Test func theScreenEndsAsTheServer() { screenEndsAsServer(seeds: 0..<300) }

  @Test(.stress) func theScreenEndsAsTheServerTenThousandTimes() { screenEndsAsServer(seeds: 300..<10_000) }
}
