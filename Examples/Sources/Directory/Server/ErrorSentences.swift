import Hummingbird
import NIOCore

/// Turns every error into a status and a sentence.
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
    } catch let full as Tabs.Full {
      throw HTTPError(
        .serviceUnavailable, message: "All \(full.limit) places are taken. Try again in a minute.")
    } catch is Tab.NotOpen {
      throw HTTPError(.conflict, message: "The screen that takes this action is not shown.")
    } catch is Tab.Flooded {
      throw HTTPError(.tooManyRequests, message: "The page has to read its events first.")
    } catch is NIOTooManyBytesError {
      throw HTTPError(.contentTooLarge, message: "The body is too long.")
    } catch {
      context.logger.error("A request failed", metadata: ["error": "\(error)"])
      throw HTTPError(.internalServerError, message: "Something unexpected came up.")
    }
  }
}
