import RxViewModel

public enum ComposerAction: Sendable, Equatable {
  case type(String)
  /// The app makes the id of the message.
  case send(id: Int)
  /// Sends the message, or a failed one again.
  case post(Message)
}

public struct Message: Sendable, Equatable, Identifiable {
  public enum Status: Sendable { case sending, sent, failed }

  public let id: Int
  public let text: String
  public var status: Status

  public init(id: Int, text: String, status: Status = .sending) {
    (self.id, self.text, self.status) = (id, text, status)
  }
}

public struct ComposerState: Sendable, Equatable {
  public var text = ""
  public var messages: [Message] = []

  mutating func set(_ message: Message, _ status: Message.Status) {
    let new = Message(id: message.id, text: message.text, status: status)
    if let index = messages.firstIndex(where: { $0.id == new.id }) {
      messages[index] = new
    } else {
      messages.append(new)
    }
  }
}

/// The server keeps one message of each id.
public struct MessageService: Sendable {
  let post: @Sendable (Message) async throws -> Void

  public init(post: @escaping @Sendable (Message) async throws -> Void) { self.post = post }
}

/// The text field of a chat.
///
/// [GetStream/stream-chat-swiftui 1373](https://github.com/GetStream/stream-chat-swiftui/pull/1373): I tapped *Send* twice, and my message
/// was sent twice.
///
/// The field is cleared when the message is sent. Until then, a second tap sends the same text again, as another message. And the answer
/// clears what the user has typed meanwhile.
public class Composer: RxViewModel<ComposerAction, ComposerState>, @unchecked Sendable {  // Sendable: a `let` only.
  private let service: MessageService

  public init(_ service: MessageService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: ComposerState(), scheduler: scheduler)
  }

  override public func createObservable(_ action: ComposerAction) -> Effect {
    switch action {
    case .type(let text): return .mutate { $0.text = text }
    case .send where currentState.text.isEmpty: return .unchanged()
    case .send(let id): return .unchanged().then(.post(Message(id: id, text: currentState.text)), on: self)
    case .post(let message):
      return post(message).mutate { state, _ in
        state.set(message, .sent)
        state.text = ""
      }
    }
  }

  override public func executionMode(for action: ComposerAction) -> ExecutionMode {
    if case .post(let message) = action { .dropWhileBusy("message \(message.id)") } else { .parallel }
  }

  fileprivate func post(_ message: Message) -> Observable<Void> {
    let service = service
    return Observable.task { try await service.post(message) }
  }
}

/// The cure: the field is cleared by the tap. From then on, the message is in the list, as one that is being sent, and then sent or failed.
public final class CuredComposer: Composer, @unchecked Sendable {
  override public func createObservable(_ action: ComposerAction) -> Effect {
    switch action {
    case .send where !currentState.text.isEmpty: Effect.mutate { $0.text = "" }.concat(super.createObservable(action))
    case .post(let message): post(message).mutate { state, _ in state.set(message, .sent) }
    default: super.createObservable(action)
    }
  }

  override public func optimisticUpdate(for action: ComposerAction) -> OptimisticUpdate<ComposerState>? {
    guard case .post(let message) = action else { return nil }
    return .change { $0.set(message, .sending) }
  }

  override public func stateMapper(for error: any Error, action: ComposerAction) -> StateMapper<ComposerState>? {
    guard case .post(let message) = action else { return nil }
    return {
      var state = $0
      state.set(message, .failed)
      return state
    }
  }
}
