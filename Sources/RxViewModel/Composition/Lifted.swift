extension ObservableType {
  /// Turns mappers of a child's state into mappers of its parent's state.
  ///
  ///     form.createObservable(.save, state: state.form).lifted(to: \.form)
  ///
  /// Each mapper replaces the child, and leaves the rest of the parent as it is. A mapper costs a read and a write of the key path more.
  @inlinable
  public func lifted<Child, Parent>(
    to part: WritableKeyPath<Parent, Child> & Sendable
  ) -> Observable<StateMapper<Parent>> where Element == StateMapper<Child> {
    lifted { parent, mapper in parent[keyPath: part] = try mapper(parent[keyPath: part]) }
  }

  /// Turns mappers of a child that may be absent into mappers of its parent's state. While the child is nil, a mapper leaves the parent as
  /// it is.
  @inlinable
  public func lifted<Child, Parent>(
    to part: WritableKeyPath<Parent, Child?> & Sendable
  ) -> Observable<StateMapper<Parent>> where Element == StateMapper<Child> {
    lifted { parent, mapper in
      if let child = parent[keyPath: part] { parent[keyPath: part] = try mapper(child) }
    }
  }

  /// Turns mappers of one element of an array into mappers of the state that has the array. If no element has this id, a mapper leaves the
  /// parent as it is.
  ///
  /// A mapper costs O(n) for n elements, as a search by hand does.
  @inlinable
  public func lifted<Child: Identifiable & Sendable, Parent>(
    to part: WritableKeyPath<Parent, [Child]> & Sendable, id: Child.ID
  ) -> Observable<StateMapper<Parent>> where Element == StateMapper<Child>, Child.ID: Sendable {
    lifted { parent, mapper in
      let children = parent[keyPath: part]
      guard let index = children.firstIndex(where: { $0.id == id }) else { return }
      parent[keyPath: part][index] = try mapper(children[index])
    }
  }

  @inline(__always)
  @inlinable
  func lifted<Child, Parent>(
    _ change: @escaping @Sendable (inout Parent, StateMapper<Child>) throws -> Void
  ) -> Observable<StateMapper<Parent>> where Element == StateMapper<Child> {
    let lift: @Sendable (@escaping StateMapper<Child>) -> StateMapper<Parent> = { mapper in
      { parent in
        var parent = parent
        try change(&parent, mapper)
        return parent
      }
    }
    let source = asObservable()
    // The engine folds a single mapper without a subscription.
    if case .just(let mapper) = source.representation { return .just(lift(mapper)) }
    return source.map(lift)
  }
}
