extension RxViewModel {
  /// Returns the effect of a feature's action on the child at `part`, as an effect of this view model.
  ///
  ///     case .form(let action): embed(form, action, at: \.form)
  ///
  /// Asks the feature at the call, on the calling thread, with the child's current state. Each mapper changes the child only.
  @inlinable
  public final func embed<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, F.State> & Sendable
  ) -> Observable<StateMapper<State>> {
    feature.createObservable(action, state: currentState[keyPath: part]).lifted(to: part)
  }

  /// Returns the effect of a feature's action on a child that may be absent, such as the form in a sheet.
  ///
  /// Asks the feature at the call, on the calling thread, with the child's current state. **When the child goes, the stream ends with a
  /// `CancellationError` in the fold in which it goes**: its effects are disposed, and an action that consists of it ends as cancelled.
  /// Mappers of it that still wait do nothing, whatever child comes later. For an absent child the stream completes without an element, and
  /// this calls ``diagnose(_:)`` with ``Diagnostic/absentChild(_:)``.
  ///
  /// What a feature of the child has begun ends with the child, and not with a grandchild. Not for ``createSources()``, which is called
  /// before there is a current state.
  @inlinable
  public final func embed<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, F.State?> & Sendable
  ) -> Observable<StateMapper<State>> {
    embed(action, EmbeddedChild(), at: part, in: ChildPart(part)) { state, _ in
      state[keyPath: part].map { feature.createObservable(action, state: $0).lifted(to: part) }
    }
  }

  /// Returns the effect of a feature's action on the element with this id. The element goes when it is removed. Otherwise like the
  /// embedding of a child that may be absent.
  ///
  /// Costs O(n) for n elements, as a search by hand does. While streams of elements are unfinished, each state that changes the array costs
  /// another O(n).
  @inlinable
  public final func embed<F: Feature>(
    _ feature: F, _ action: F.Action, at part: WritableKeyPath<State, [F.State]> & Sendable, id: F.State.ID
  ) -> Observable<StateMapper<State>> where F.State: Identifiable, F.State.ID: Sendable {
    embed(action, ChildRow(id), at: part, in: ChildPart(part)) { state, children in
      let rows = state[keyPath: part]
      guard let place = rows.firstIndex(where: { $0.id == id }) else { return nil }
      let last = unsafeDowncast(children.rows!, to: LastRows<F.State>.self)
      // Weak: an app may keep the stream longer than the view model lives.
      return feature.createObservable(action, state: rows[place]).lifted { [weak last] parent, mapper in
        let rows = parent[keyPath: part]
        let isInPlace = rows.indices.contains(place) && rows[place].id == id
        guard let place = isInPlace ? place : rows.firstIndex(where: { $0.id == id }) else { return }
        var changed = rows
        changed[place] = try mapper(rows[place])
        parent[keyPath: part] = changed
        if changed[place].id == id { last?.replace(rows, with: changed) }
      }
    }
  }

  /// - Parameter effect: Returns the effect on the child, lifted to this view model's state, given that and the part. Nil if the child is
  ///   absent.
  @inlinable
  func embed(
    _ action: some Sendable, _ child: EmbeddedChild, at keyPath: AnyKeyPath,
    in makePart: @autoclosure () -> ChildPart<State>,
    _ effect: (State, ChildPart<State>) -> Observable<StateMapper<State>>?
  ) -> Observable<StateMapper<State>> {
    let (part, state) = engine.enter(child, at: keyPath, makePart)
    let embedding = Embedding(child, in: part.members)
    guard let effect = effect(state, part) else {
      diagnose(.absentChild(action))
      return .empty()
    }
    if case .just(let mapper) = effect.representation { return .just(embedding.guarding(mapper)) }
    return embedding.bounding(effect)
  }
}

extension Engine {
  /// Adds a child to its part of the state. Returns the part, and the state of that moment: the part looks at each later one.
  @inlinable
  func enter(
    _ child: EmbeddedChild, at keyPath: AnyKeyPath, _ makePart: () -> ChildPart<State>
  ) -> (ChildPart<State>, State) {
    while true {
      let part = embeddedChildren.part(at: keyPath, makePart)
      let (isIn, state) = outputs.withLock { (part.members.add(child), $0.states.buffer.last?.value) }
      if isIn { return (part, state ?? currentState) }
    }
  }

  @inlinable
  var embeddedChildren: EmbeddedChildren<State> {
    if let children = outputs.withLock({ $0.children }) { return children }
    let fresh = EmbeddedChildren<State>()
    // It looks at the states before a child enters it.
    let subscription = stream.connect { event in
      if case .next(let state) = event { fresh.look(at: state.value) }
      return .more
    }
    let children = outputs.withLock { outputs in
      let children = outputs.children ?? fresh
      outputs.children = children
      return children
    }
    if children !== fresh { subscription.dispose() }
    return children
  }
}
