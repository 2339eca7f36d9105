// The code of *Optimistic updates*, word for word. `SnippetTests` compares the two.
import RxViewModel
import RxViewModelTesting
import Testing

@testable import TestSupport

struct Photo: Sendable, Equatable {
  var isLiked = false
}

enum PhotoFeedAction: Sendable, Equatable {
  case setLiked(Int, Bool)
  case refresh
  case dismissMessage
}

struct PhotoFeedState: Sendable, Equatable {
  var photos = [1: Photo()]
  var message: String?
}

struct PhotoService: Sendable {
  let setLiked: @Sendable (Int, Bool) async throws -> Void
  let photos: @Sendable () async throws -> [Int: Photo]
}

final class PhotoFeed: RxViewModel<PhotoFeedAction, PhotoFeedState>, @unchecked Sendable {
  private let service: PhotoService

  init(_ service: PhotoService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: PhotoFeedState(), scheduler: scheduler)
  }

  override func optimisticUpdate(for action: PhotoFeedAction) -> OptimisticUpdate<PhotoFeedState>? {
    switch action {
    case .setLiked(let id, let isLiked): .change { $0.photos[id]?.isLiked = isLiked }
    case .refresh: .snapshot
    case .dismissMessage: nil
    }
  }

  override func createObservable(_ action: PhotoFeedAction) -> Effect {
    let service = service
    return switch action {
    case .setLiked(let id, let isLiked):
      Observable.task { try await service.setLiked(id, isLiked) }.ignoreElements()
    case .refresh: Observable.task { try await service.photos() }.mutate { $0.photos = $1 }
    case .dismissMessage: .mutate { $0.message = nil }
    }
  }

  override func executionMode(for action: PhotoFeedAction) -> ExecutionMode {
    switch action {
    case .setLiked(let id, _): .keepLatest("photo \(id)")
    case .refresh: .keepLatest("photos")
    case .dismissMessage: .parallel
    }
  }

  override func stateMapper(for error: any Error, action: PhotoFeedAction) -> StateMapper<PhotoFeedState>? {
    { state in
      var state = state
      state.message = "You seem to be offline."
      return state
    }
  }
}

private final class PhotoServer: Sendable {
  private let stored = Locked([1: Photo()])

  var photos: [Int: Photo] { stored.value }

  func service(_ run: Exploration) -> PhotoService {
    PhotoService { id, isLiked in
      try await run.request("like \(isLiked)", failing: Offline()) { self.stored.mutate { $0[id]?.isLiked = isLiked } }
    } photos: {
      try await run.request("photos", changes: false) { self.photos }
    }
  }
}

@Suite(.asyncEffects) struct OptimisticUpdatesSnippets {
  @Test func theScreenAndTheServerAgreeInEveryOrder() throws {
    do {
      let report = try explore { run in
        let server = PhotoServer()
        let feed = PhotoFeed(server.service(run), scheduler: run.scheduler)
        feed.execute(.refresh)
        feed.execute(.setLiked(1, true))
        run.mayArrive()
        feed.execute(.setLiked(1, false))
        run.allArrive()
        feed.execute(.refresh)
        run.allArrive()
        try run.expect(feed.currentState.photos, equals: server.photos)
      }
      #expect(report.isExhaustive)
    }
  }

  // Contract 2.20: the message and the state without the like are one state.
  @Test func aRefusedLikeGoesWithItsMessage() {
    let feed = PhotoFeed(
      PhotoService(setLiked: { _, _ in throw Offline() }, photos: { [:] }), scheduler: ImmediateScheduler())
    let states = Locked<[PhotoFeedState]>([])
    let bag = DisposeBag()
    feed.stateObservable.subscribe(onNext: { states.append($0) }).disposed(by: bag)
    feed.execute(.setLiked(1, true))
    #expect(waitUntil { states.value.count == 3 })
    #expect(states.value.map(\.photos[1]?.isLiked) == [false, true, false])
    #expect(states.value.map(\.message) == [nil, nil, "You seem to be offline."])
  }
}
