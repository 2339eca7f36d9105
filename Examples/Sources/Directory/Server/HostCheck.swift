import Hummingbird
import NIOCore

/// Refuses requests for a host that is not this server. A website can let its own name resolve to this machine (DNS rebinding), and would
/// then have access to the answers. Such a request carries the name of the website.
struct HostCheck<Context: RequestContext>: RouterMiddleware {
  /// The host on which the server listens.
  let host: String

  func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let authority = request.head.authority, isServed(authority) else {
      throw HTTPError(
        .misdirectedRequest, message: "This server does not have that name. Open it at localhost or at its address.")
    }
    return try await next(request, context)
  }

  private func isServed(_ authority: String) -> Bool {
    guard let parts = authority.lowercased().wholeMatch(of: /(?:\[([^\]]+)\]|([^:]+))(?::[0-9]*)?/) else {
      return false
    }
    let name = String(parts.1 ?? parts.2 ?? "")
    if ["localhost", "127.0.0.1", "::1", host.lowercased()].contains(name) { return true }
    // The server listens on all addresses of the machine. A website has a name, so an address is safe.
    return ["0.0.0.0", "::"].contains(host) && (try? SocketAddress(ipAddress: name, port: 0)) != nil
  }
}
