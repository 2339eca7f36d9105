import Hummingbird
import NIOCore

/// Answers each error with a status, and with a sentence that says what has happened and what the user can do.
struct ErrorSentences<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError where error.body != nil {
      throw error
    } catch let error as HTTPError {
      throw HTTPError(error.status, message: "\(error.status.reasonPhrase).")
    } catch let error as DecodingError {
      throw HTTPError(.badRequest, message: "\(Self.sentence(for: error)) Reload the page.")
    } catch let missing as Tabs.NotFound {
      let reason =
        missing.isOfAnotherServer ? "The server has been restarted." : "This tab was disconnected for too long."
      throw HTTPError(.notFound, message: "\(reason) Reload the page to start again.")
    } catch let full as Tabs.Full {
      throw HTTPError(
        .serviceUnavailable,
        message: "\(full.limit) tabs are open, which is the maximum. Close one, and reload the page in a minute.")
    } catch is Tab.NotOpen {
      throw HTTPError(.conflict, message: "The screen has changed meanwhile. Go back to it and try again.")
    } catch is Tab.Flooded {
      throw HTTPError(.tooManyRequests, message: "The page is behind with its updates. Wait a moment and try again.")
    } catch is NIOTooManyBytesError {
      throw HTTPError(.contentTooLarge, message: "The text is too long. Enter a shorter one.")
    } catch {
      context.logger.error("A request has failed", metadata: ["error": "\(error)"])
      throw HTTPError(.internalServerError, message: "The server has failed. Try again.")
    }
  }

  private static func sentence(for error: DecodingError) -> String {
    func path(_ keys: [any CodingKey]) -> String { "\"\(keys.map(\.stringValue).joined(separator: "."))\"" }
    switch error {
    case .keyNotFound(let key, let context):
      return "The request has no \(path(context.codingPath + [key]))."
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      return "The request is not JSON."
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      if context.codingPath.isEmpty { return "The request is not a JSON object." }
      return "The server does not understand \(path(context.codingPath)) in the request."
    @unknown default:
      return "The server does not understand the request."
    }
  }
}
