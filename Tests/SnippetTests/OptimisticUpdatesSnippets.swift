// The code of *Optimistic updates*, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

final class PhotoFeed: RxViewModel<PhotoFeed.Action, PhotoFeed.State>, @unchecked Sendable {
  enum Action: Sendable, Equatable {
    case setLiked(Int, Bool)
    case refresh
  }

  struct State: Sendable, Equatable {
    var photos: [Int: Photo] = [:]
    var message: String?
  }

  struct Photo: Sendable, Equatable {
    var isLiked = false
  }

  struct Service: Sendable {
    let setLiked: @Sendable (Int, Bool) async throws -> Void
    let photos: @Sendable () async throws -> [Int: Photo]
  }

  private let service: Service

  init(_ service: Service, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: State(), scheduler: scheduler)
  }

  override func createObservable(_ action: Action) -> Effect {
    let service = service
    switch action {
    case .setLiked(let id, let isLiked):
      return Observable.task { try await service.setLiked(id, isLiked) }.ignoreElements()
    case .refresh:
      return Observable.task { try await service.photos() }.mutate { $0.photos = $1 }
    }
  }

  override func optimisticUpdate(for action: Action) -> OptimisticUpdate<State>? {
    switch action {
    case .setLiked(let id, let isLiked): .change { $0.photos[id]?.isLiked = isLiked }
    case .refresh: .snapshot
    }
  }

  override func executionMode(for action: Action) -> ExecutionMode {
    switch action {
    case .setLiked(let id, _): .keepLatest("photo \(id)")
    case .refresh: .keepLatest("photos")
    }
  }

  override func stateMapper(for error: any Error, action: Action) -> StateMapper<State>? {
    mutate { $0.message = "You seem to be offline." }
  }
}

struct Offline: Error {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
extension Exploration {
  func feed(_ server: MutableProperty<[Int: PhotoFeed.Photo]>, failing error: (any Error)? = nil) -> PhotoFeed {
    let service = PhotoFeed.Service { id, isLiked in
      try await self.request("like \(isLiked)", failing: error) { server.update { $0[id]?.isLiked = isLiked } }
    } photos: {
      try await self.request("photos", changes: false) { server.value }
    }
    let feed = PhotoFeed(service, scheduler: scheduler)
    feed.execute(.refresh)
    allArrive()
    return feed
  }
}

@Suite(.asyncEffects) struct OptimisticUpdatesSnippets {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theScreenShowsTheLastTapInEveryOrder() throws {
    let report = try explore { run in
      let server = MutableProperty([1: PhotoFeed.Photo()])
      let feed = run.feed(server)
      feed.execute(.refresh)
      feed.execute(.setLiked(1, true))
      run.mayArrive()
      feed.execute(.setLiked(1, false))
      run.allArrive()
      try run.expect(feed.currentState.photos, equals: server.value)
    }
    #expect(report.isExhaustive)
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func aRefreshPutsTheScreenRightAfterAFailure() throws {
    let report = try explore { run in
      let server = MutableProperty([1: PhotoFeed.Photo()])
      let feed = run.feed(server, failing: Offline())
      feed.execute(.refresh)
      feed.execute(.setLiked(1, true))
      run.mayArrive()
      feed.execute(.setLiked(1, false))
      run.allArrive()
      feed.execute(.refresh)
      run.allArrive()
      try run.expect(feed.currentState.photos, equals: server.value)
    }
    #expect(report.isExhaustive)
  }

  // Contract 2.20: the message and the state without the like are one state.
  @Test func aRefusedLikeGoesWithItsMessage() {
    let feed = PhotoFeed(
      PhotoFeed.Service(setLiked: { _, _ in throw Offline() }, photos: { [1: PhotoFeed.Photo()] }),
      scheduler: ImmediateScheduler())
    feed.execute(.refresh)
    #expect(waitUntil { feed.currentState.photos.count == 1 })
    let states = Locked<[PhotoFeed.State]>([])
    let bag = DisposeBag()
    feed.stateObservable.subscribe(onNext: { states.append($0) }).disposed(by: bag)
    feed.execute(.setLiked(1, true))
    #expect(waitUntil { states.value.count == 3 })
    #expect(states.value.map(\.photos[1]?.isLiked) == [false, true, false])
    #expect(states.value.map(\.message) == [nil, nil, "You seem to be offline."])
  }
}
