/// A list that comes in pages: a plain value that says what to fetch next and takes the answers.
///
///     var pages = Pages<String, Book, Int>()
///     let request = pages.first("swift")
///     pages.receive(.success(Page(books, next: 2)), for: request)
///     pages.next()  // page 2 of "swift"
///
/// It belongs into a view model's state. It makes no request itself and does not know whether one is at work: the view model's
/// actions do, and their execution modes see to it that no page is fetched twice. Its properties change by its functions
/// alone (and ``items`` by you), so that an action that is cancelled leaves nothing behind.
///
/// **Stale answers** change nothing, whatever the order in which answers come: each request has an identity, and a new list
/// or an answer ends that of the request before.
///
/// **Errors** stay in the value until the next answer or first page, with the items that are there, so that a row at the
/// end can offer a retry: ``next()`` gives the page that failed once more.
public struct Pages<Parameters: Sendable, Item: Sendable, Cursor: Sendable>: Sendable {
  /// The items of the pages received. They may be edited, for example after one has been deleted on the server.
  public var items: [Item] = []
  /// How many pages have been received since the last call of ``first(_:clearing:)``, an empty one too. So 0 and no items is
  /// a list that is not loaded yet; 1 and no items is a list without items.
  public private(set) var pageCount = 0
  /// The error of the last answer, until the next answer or first page.
  public private(set) var error: (any Error)?

  /// The request whose answer counts; nil before any first page, and at the end.
  private var due: PageRequest<Parameters, Cursor>?

  /// Creates a list of which nothing has been asked for yet.
  public init() {}

  /// Whether the list has been begun and is not known to be at its end; true after an error too.
  public var hasMore: Bool { due != nil }

  /// Begins a list, anew if there is one: answers to older requests count for nothing from here on. O(1).
  ///
  /// The items stay until the first page comes, unless `clearing`.
  public mutating func first(_ parameters: Parameters, clearing: Bool = false) -> PageRequest<Parameters, Cursor> {
    let request = PageRequest<Parameters, Cursor>(parameters: parameters)
    due = request
    pageCount = 0
    error = nil
    if clearing { items = [] }
    return request
  }

  /// The request for the next page, or for the one that failed or is still at work; nil at the end and before any first
  /// page. Asked twice, it gives the same request twice. O(1).
  public func next() -> PageRequest<Parameters, Cursor>? {
    due
  }

  /// Takes the answer to a request. It changes nothing if the request is not the one that is due: one of an older list, or
  /// one that has been answered already.
  ///
  /// A page without items, or without a cursor, is the last one. The first page replaces the items; `append` adds a page to
  /// those that are there, and may leave out what is known already. An error leaves the items as they are.
  ///
  /// O(page) while nothing else holds the items, otherwise O(items).
  public mutating func receive(
    _ result: Result<Page<Item, Cursor>, any Error>, for request: PageRequest<Parameters, Cursor>,
    append: (inout [Item], [Item]) -> Void = { $0 += $1 }
  ) {
    guard let due, due.token === request.token else { return }
    switch result {
    case .success(let page):
      error = nil
      pageCount += 1
      if due.cursor == nil { items = [] }
      append(&items, page.items)
      let next = page.items.isEmpty ? nil : page.next
      self.due = next.map { PageRequest(parameters: due.parameters, cursor: $0) }
    case .failure(let failure):
      error = failure
      // The same page, but a request of its own: the one that failed has been answered.
      self.due = PageRequest(parameters: due.parameters, cursor: due.cursor)
    }
  }
}

/// Equal lists have equal items, page counts and errors, and ask for the same page next. Errors are equal by type and description.
extension Pages: Equatable where Parameters: Equatable, Item: Equatable, Cursor: Equatable {
  public static func == (left: Pages, right: Pages) -> Bool {
    left.pageCount == right.pageCount && left.due == right.due && areEqual(left.error, right.error)
      && left.items == right.items
  }
}

private func areEqual(_ left: (any Error)?, _ right: (any Error)?) -> Bool {
  guard let left, let right else { return left == nil && right == nil }
  return type(of: left) == type(of: right) && String(describing: left) == String(describing: right)
}
