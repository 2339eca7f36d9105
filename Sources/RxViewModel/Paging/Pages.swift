/// A list that is loaded page by page: a plain value that returns the next request and receives the answers.
///
///     var pages = Pages<String, Book, Int>()
///     let request = pages.begin("swift")
///     pages.receive(.success(Page(books, next: 2)), for: request)
///     let next = pages.nextRequest  // page 2 of "swift"
///
/// Keep it in a view model's state. It sends no request itself, and doesn't know whether one is running: your actions send the requests,
/// and their execution modes make sure that no page is fetched twice. So a cancelled action doesn't leave a list that loads forever. Only
/// its functions change its properties, except for ``items``, which you can edit.
///
/// **Stale answers** change nothing, whatever the order in which answers arrive: the list accepts only the answer to the request that
/// ``begin(_:clearing:)`` or ``nextRequest`` has returned last, and accepts it once.
///
/// **Errors** stay in the value, together with the items, until the next answer or first page. A row at the end of the list can offer a
/// retry: ``nextRequest`` returns the request for the page that failed.
public struct Pages<Parameters: Sendable, Item: Sendable, Cursor: Sendable>: Sendable {
  /// The items of the pages received. You can edit them, for example after the user has deleted one.
  public var items: [Item] = []
  /// The number of pages received since the last call of ``begin(_:clearing:)``, including an empty one. If there are no items, 0 means
  /// that the list isn't loaded yet, and 1 that it is empty.
  public private(set) var pageCount = 0
  /// The error of the last answer, until the next answer or first page.
  public private(set) var error: (any Error)?

  /// The request whose answer counts; nil before any first page, and at the end.
  private var due: PageRequest<Parameters, Cursor>?

  /// Creates a list without a request.
  public init() {}

  /// Whether ``begin(_:clearing:)`` has been called and the last page has not been received. True after an error too.
  public var hasMore: Bool { due != nil }

  /// Begins a new list, and returns the request for its first page. From now on, answers to older requests change nothing. O(1).
  ///
  /// The items of the old list stay until the first page is received, unless `clearing` is true.
  public mutating func begin(_ parameters: Parameters, clearing: Bool = false) -> PageRequest<Parameters, Cursor> {
    let request = PageRequest<Parameters, Cursor>(parameters, nil)
    due = request
    pageCount = 0
    error = nil
    if clearing { items = [] }
    return request
  }

  /// The request for the next page, or for a page that failed or is still loading. Nil at the end of the list and before any first page.
  /// Reading it twice returns the same request. O(1).
  public var nextRequest: PageRequest<Parameters, Cursor>? { due }

  /// Accepts the answer to a request that has been sent, in place of the one that it has made again.
  mutating func expect(_ request: PageRequest<Parameters, Cursor>) { due = request }

  /// Whether the list accepts the answer to a request.
  func awaits(_ request: PageRequest<Parameters, Cursor>) -> Bool { due?.token === request.token }

  /// Receives the answer to a request, and returns true. If the request belongs to an older list, or has been answered already, changes
  /// nothing and returns false. In debug builds, an answer to a request that no list has made writes a line to standard error.
  ///
  /// A page without items, or without a cursor, is the last one. The first page replaces the items. `append` adds the items of a page; it
  /// can leave out items that the list contains already. An error doesn't change the items.
  ///
  /// O(page) if this value is the only owner of the items' storage, otherwise O(items).
  @discardableResult
  public mutating func receive(
    _ result: Result<Page<Item, Cursor>, any Error>, for request: PageRequest<Parameters, Cursor>,
    append: (inout [Item], [Item]) -> Void = { $0 += $1 }
  ) -> Bool {
    guard let due, awaits(request) else {
      if request.token === RequestToken.byHand {
        reportInDebug("an answer for \(request.parameters) does nothing, because no list has made its request")
      }
      return false
    }
    switch result {
    case .success(let page):
      error = nil
      pageCount += 1
      if due.cursor == nil { items = [] }
      append(&items, page.items)
      let next = page.items.isEmpty ? nil : page.next
      self.due = next.map { PageRequest(due.parameters, $0) }
    case .failure(let failure):
      error = failure
      // Requests the same page with a new request, because the failed one has been answered.
      self.due = PageRequest(due.parameters, due.cursor)
    }
    return true
  }
}

/// Lists are equal if their items, page counts and errors are, and if they request the same page next. Two errors are equal if they have
/// the same type and `==` says so, or, without `Equatable`, if their descriptions and stored values are the same.
extension Pages: Equatable where Parameters: Equatable, Item: Equatable, Cursor: Equatable {
  public static func == (left: Pages, right: Pages) -> Bool {
    left.pageCount == right.pageCount && left.due == right.due && areEqual(left.error, right.error)
      && left.items == right.items
  }
}
