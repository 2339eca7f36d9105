/// The way from the state of a view model, or from a part of it, to a part. Equal for equal ways.
protocol SlicePath<Root, Part>: Hashable, Sendable {
  associatedtype Root
  associatedtype Part

  /// The part. Nil while it is absent.
  func part(of root: Root) -> Part?
  /// The same way as one key path, if all parts on it are always there.
  var whole: KeyPath<Root, Part>? { get }
  /// Whether `child(for:)` can declare a child at the end of the way: it writes the parts on the way.
  var canHaveChild: Bool { get }
  /// Where the way begins, if the node stands at its end. Nil if the node stands elsewhere.
  func start(from node: ChildNode) -> ChildNode?
  /// The ids of the parts on the way, where a feature tells instances apart by them. Nil while the part is absent.
  ///
  /// - Parameter node: The child at the end of the way.
  func ids(in root: Root, of node: ChildNode) -> [AnyHashable?]?
  /// Whether there is a list on the way.
  var hasList: Bool { get }
  /// The last row on the way, among the observed rows of its list. Nil if there is no list on the way.
  ///
  /// - Parameters:
  ///   - prefix: The way from the state to the root of this one, which `read` reads.
  @MainActor
  func row<State>(
    in lists: RowLists<State>, below prefix: [AnyHashable], _ read: @escaping (State) -> Root?
  ) -> RowPart<State, Part>?
  /// The same for the way that goes on with `inner`.
  @MainActor
  func row<State, Inner>(
    in lists: RowLists<State>, below prefix: [AnyHashable], _ read: @escaping (State) -> Root?,
    then inner: any SlicePath<Part, Inner>
  ) -> RowPart<State, Inner>?
}

extension SlicePath {
  var whole: KeyPath<Root, Part>? { nil }
  var hasList: Bool { false }

  func ids(in root: Root, of node: ChildNode) -> [AnyHashable?]? {
    func id(of part: some Identifiable) -> AnyHashable { AnyHashable(part.id) }
    guard let part = part(of: root) else { return nil }
    return [node.identity == nil ? nil : (part as? any Identifiable).map { id(of: $0) }]
  }

  func row<State>(
    in lists: RowLists<State>, below prefix: [AnyHashable], _ read: @escaping (State) -> Root?
  ) -> RowPart<State, Part>? {
    nil
  }

  @MainActor
  func row<State, Inner>(
    in lists: RowLists<State>, below prefix: [AnyHashable], _ read: @escaping (State) -> Root?,
    then inner: any SlicePath<Part, Inner>
  ) -> RowPart<State, Inner>? {
    inner.row(in: lists, below: prefix + [key]) { read($0).flatMap { part(of: $0) } }
  }

  func isEqual(to other: any SlicePath) -> Bool { (other as? Self) == self }

  var key: AnyHashable { AnyHashable(self) }

  /// The child that the way leads to, if the node is that child or stands in it, at any depth. Nil for any other node.
  func child(of node: ChildNode) -> ChildNode? {
    var node: ChildNode? = node
    while let next = node {
      if let start = start(from: next), start.place == nil { return next }
      node = next.parent
    }
    return nil
  }
}

/// To a part that is always there.
// Sendable: key paths are immutable, here and below.
struct PresentPath<Root, Part>: SlicePath, @unchecked Sendable {
  let path: KeyPath<Root, Part>

  func part(of root: Root) -> Part? { root[keyPath: path] }
  var whole: KeyPath<Root, Part>? { path }
  var canHaveChild: Bool { path is WritableKeyPath<Root, Part> }
  func start(from node: ChildNode) -> ChildNode? { node.parent(at: path) }
}

/// To a child that may be absent, or whose parent may be.
struct OptionalPath<Root, Part>: SlicePath, @unchecked Sendable {
  let keyPath: KeyPath<Root, Part?>

  var canHaveChild: Bool { keyPath is WritableKeyPath<Root, Part?> }
  func part(of root: Root) -> Part? { root[keyPath: keyPath] }
  func start(from node: ChildNode) -> ChildNode? { node.parent(at: keyPath) }
}

/// To a case of an optional enum.
struct OptionalCasePath<Root, Enum, Part>: SlicePath, @unchecked Sendable {
  let path: KeyPath<Root, Enum?>
  let enumCase: KeyPath<Enum, Part?>

  var canHaveChild: Bool { path is WritableKeyPath<Root, Enum?> }
  func part(of root: Root) -> Part? { root[keyPath: path]?[keyPath: enumCase] }
  func start(from node: ChildNode) -> ChildNode? { node.parent(at: path, case: enumCase) }
}

/// To a case of an enum.
struct CasePath<Root, Enum, Part>: SlicePath, @unchecked Sendable {
  let path: KeyPath<Root, Enum>
  let enumCase: KeyPath<Enum, Part?>

  var canHaveChild: Bool { path is WritableKeyPath<Root, Enum> }
  func part(of root: Root) -> Part? { root[keyPath: path][keyPath: enumCase] }
  func start(from node: ChildNode) -> ChildNode? { node.parent(at: path, case: enumCase) }
}

/// To an element of an array.
struct RowPath<Root, Row: Identifiable>: SlicePath, @unchecked Sendable where Row.ID: Sendable {
  let rows: KeyPath<Root, [Row]>
  let id: Row.ID

  var canHaveChild: Bool { rows is WritableKeyPath<Root, [Row]> }
  var hasList: Bool { true }

  func part(of root: Root) -> Row? {
    let rows = root[keyPath: rows]
    return RowHint.index(of: id, in: rows).map { rows[$0] }
  }

  func row<State>(
    in lists: RowLists<State>, below prefix: [AnyHashable], _ read: @escaping (State) -> Root?
  ) -> RowPart<State, Row>? {
    let list = list(in: lists, below: prefix, read)
    return RowPart(entry: { [id] in list.entry(of: id, $0, $1) }, part: { [id] in list.row(id, of: $0) })
  }

  func row<State, Inner>(
    in lists: RowLists<State>, below prefix: [AnyHashable], _ read: @escaping (State) -> Root?,
    then inner: any SlicePath<Row, Inner>
  ) -> RowPart<State, Inner>? {
    let list = list(in: lists, below: prefix, read)
    if inner.hasList, let row = inner.row(in: list.lists(of: id), below: [], { $0 }) {
      return RowPart(entry: row.entry, part: { [id] in row.part(list.row(id, of: $0)) })
    }
    return RowPart(
      entry: { [id] key, hasChanged in
        list.entry(of: id, [inner.key] + key) { old, new in
          hasChanged(old.flatMap { inner.part(of: $0) }, new.flatMap { inner.part(of: $0) })
        }
      }, part: { [id] in list.row(id, of: $0).flatMap { inner.part(of: $0) } })
  }

  @MainActor
  private func list<State>(
    in lists: RowLists<State>, below prefix: [AnyHashable], _ read: @escaping (State) -> Root?
  ) -> ObservedRows<State, Row> {
    lists.list(at: prefix + [AnyHashable(rows)]) { [rows] in
      ObservedRows { read($0)?[keyPath: rows] ?? [] }
    }
  }

  func start(from node: ChildNode) -> ChildNode? {
    (node as? RowNode<Row.ID>)?.id == id ? node.place.flatMap { $0.key.part == rows ? $0.parent : nil } : nil
  }
}

/// A way to a part of another part.
struct NestedPath<Root, Middle, Part>: SlicePath {
  let outer: any SlicePath<Root, Middle>
  let inner: any SlicePath<Middle, Part>

  var canHaveChild: Bool { outer.canHaveChild && inner.canHaveChild }
  var hasList: Bool { outer.hasList || inner.hasList }
  func part(of root: Root) -> Part? { outer.part(of: root).flatMap { inner.part(of: $0) } }

  var whole: KeyPath<Root, Part>? {
    guard let outer = outer.whole, let inner = inner.whole else { return nil }
    return outer.appending(path: inner)
  }

  func start(from node: ChildNode) -> ChildNode? { inner.start(from: node).flatMap { outer.start(from: $0) } }

  func ids(in root: Root, of node: ChildNode) -> [AnyHashable?]? {
    guard let parent = inner.start(from: node), let middle = outer.part(of: root),
      let ids = outer.ids(in: root, of: parent), let last = inner.ids(in: middle, of: node)
    else { return nil }
    return ids + last
  }

  func row<State>(
    in lists: RowLists<State>, below prefix: [AnyHashable], _ read: @escaping (State) -> Root?
  ) -> RowPart<State, Part>? {
    outer.row(in: lists, below: prefix, read, then: inner)
  }

  func row<State, Inner>(
    in lists: RowLists<State>, below prefix: [AnyHashable], _ read: @escaping (State) -> Root?,
    then next: any SlicePath<Part, Inner>
  ) -> RowPart<State, Inner>? {
    outer.row(in: lists, below: prefix, read, then: NestedPath<Middle, Part, Inner>(outer: inner, inner: next))
  }

  static func == (left: NestedPath, right: NestedPath) -> Bool {
    left.outer.isEqual(to: right.outer) && left.inner.isEqual(to: right.inner)
  }

  func hash(into hasher: inout Hasher) {
    outer.hash(into: &hasher)
    inner.hash(into: &hasher)
  }
}

extension ChildNode {
  /// The node of the state that has this child in the given part. Nil if the child stands elsewhere.
  fileprivate func parent(at part: AnyKeyPath, case enumCase: AnyKeyPath? = nil) -> ChildNode? {
    guard let place, type(of: self) == ChildNode.self, place.key.part == part, place.key.enumCase == enumCase else {
      return nil
    }
    return place.parent
  }
}

/// Where a row was found last. Views read the rows of a list in order, so the next row is mostly the one after it.
enum RowHint {
  private static let last = Lock(0)

  /// O(1) for a row at the index found last, or after it. Otherwise O(n) for n rows.
  static func index<Row: Identifiable>(of id: Row.ID, in rows: [Row]) -> Int? {
    let hint = last.withLock { $0 }
    for index in hint...hint + 1 where rows.indices.contains(index) && rows[index].id == id {
      if index != hint { last.withLock { $0 = index } }
      return index
    }
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return nil }
    last.withLock { $0 = index }
    return index
  }
}
