/// The way from the state of a view model to a part of it.
// Sendable: made of `Sendable` key paths, which are immutable.
enum SlicePath<Root, Part>: @unchecked Sendable {
  /// To a part that is always there.
  case present(KeyPath<Root, Part>)
  /// To a child that may be absent, or whose parent may be.
  case optional(KeyPath<Root, Part?>)

  /// To an element of an array.
  static func row(_ rows: KeyPath<Root, [Part]>, id: Part.ID) -> SlicePath where Part: Identifiable {
    .optional(rows.appending(path: \.[row: RowID(id)]))
  }

  /// The part. Nil while it is absent.
  func part(of root: Root) -> Part? {
    switch self {
    case .present(let path): root[keyPath: path]
    case .optional(let path): root[keyPath: path]
    }
  }

  func appending<Inner>(_ inner: SlicePath<Part, Inner>) -> SlicePath<Root, Inner> {
    switch (self, inner) {
    case (.present(let path), .present(let inner)): .present(path.appending(path: inner))
    case (.present(let path), .optional(let inner)): .optional(path.appending(path: inner))
    case (.optional(let path), .present(let inner)): .optional(path.appending(path: \.[part: inner]))
    case (.optional(let path), .optional(let inner)): .optional(path.appending(path: \.[child: inner]))
    }
  }

  /// Equal for equal ways.
  var keyPath: AnyKeyPath {
    switch self {
    case .present(let path): path
    case .optional(let path): path
    }
  }
}

// A key path with optional chaining cannot be appended to another one. These subscripts stand for it.

extension Optional {
  fileprivate subscript<Part>(part path: KeyPath<Wrapped, Part>) -> Part? { map { $0[keyPath: path] } }
  fileprivate subscript<Child>(child path: KeyPath<Wrapped, Child?>) -> Child? { flatMap { $0[keyPath: path] } }
}

extension Array where Element: Identifiable {
  fileprivate subscript(row row: RowID<Element.ID>) -> Element? {
    let place = row.place.withLock { $0 }
    if indices.contains(place), self[place].id == row.id { return self[place] }
    guard let place = firstIndex(where: { $0.id == row.id }) else { return nil }
    row.place.withLock { $0 = place }
    return self[place]
  }
}

/// The id of an element, and the place at which it was found last: a row that does not move is read in O(1).
private struct RowID<ID: Hashable>: Hashable {
  let id: ID
  let place = Lock(0)

  init(_ id: ID) { self.id = id }

  static func == (left: RowID, right: RowID) -> Bool { left.id == right.id }
  func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
