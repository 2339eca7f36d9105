extension Observable {
  /// Maps each element to an inner stream, with at most `limit` of them subscribed at a time.
  ///
  /// - Parameter keepsWaiting: Whether an element that arrives while `limit` inner streams are running waits. If false, it is dropped.
  @inlinable
  func flatten<Result: Sendable>(
    limit: Int, keepsWaiting: Bool = true, _ transform: @escaping @Sendable (Element) throws -> Observable<Result>
  ) -> Observable<Result> {
    // Neither template: inner streams begin and end, and the number of running ones must be seen by another thread at once.
    Observable<Result> { sink, scope in
      let state = Guarded(
        BoundedFlattenState(limit: limit, keepsWaiting: keepsWaiting, transform: transform), in: scope)
      let serial = Serial<Event<Result>>(in: scope) { forward($0, to: sink) }
      let inners = Attempts<Result>(in: scope, { serial.send($0) }) { end, _, _ in
        guard case .completed = end else { return .pass }
        var dropped: BoundedFlattenState<Element, Result>.Transform?
        return serial.carryOut(state.withLock { $0.innerCompleted(&dropped) })
      }
      scope.connect(source: self) { event in
        switch event {
        case .next(let element):
          guard case .subscribe(let inner) = serial.carryOut(state.withLock { $0.arrive(element) }) else { break }
          return inners.run(inner)
        case .error(let error):
          return serial.send(.error(error))
        case .completed:
          var dropped: BoundedFlattenState<Element, Result>.Transform?
          _ = serial.carryOut(state.withLock { $0.sourceCompleted(&dropped) })
        }
        return .more
      }
    }
  }
}

extension Serial {
  /// Makes the inner stream of the element whose turn has come.
  @inlinable
  func carryOut<Outer, Element>(_ step: BoundedFlattenState<Outer, Element>.Step) -> Attempts<Element>.Step
  where Input == Event<Element> {
    switch step {
    case .wait: break
    case .complete: _ = send(.completed)
    case .makeInner(let element, let transform):
      do {
        return .subscribe(try transform(element))
      } catch {
        _ = send(.error(error))
      }
    }
    return .wait
  }
}

/// The state of one subscription: the number of subscribed inner streams, and the elements that wait for their turn.
@usableFromInline
struct BoundedFlattenState<Outer: Sendable, Element: Sendable> {
  @usableFromInline typealias Transform = @Sendable (Outer) throws -> Observable<Element>

  @usableFromInline
  enum Step {
    case makeInner(Outer, Transform)
    case wait, complete
  }

  @usableFromInline let limit: Int
  /// Whether an element that finds no free place waits. If false, it is dropped.
  @usableFromInline let keepsWaiting: Bool
  @usableFromInline var waiting = Queue<Outer>()
  @usableFromInline var running = 0
  @usableFromInline var isSourceAlive = true
  /// Nil once it will not be called again, so that a long-running inner stream does not keep the closure alive.
  @usableFromInline var transform: Transform?

  @inlinable
  init(limit: Int, keepsWaiting: Bool, transform: @escaping Transform) {
    self.limit = limit
    self.keepsWaiting = keepsWaiting
    self.transform = transform
  }

  @inlinable
  mutating func arrive(_ element: Outer) -> Step {
    if running == limit {
      if keepsWaiting { waiting.append(element) }
      return .wait
    }
    running += 1
    return .makeInner(element, transform!)
  }

  @inlinable
  mutating func sourceCompleted(_ dropped: inout Transform?) -> Step {
    isSourceAlive = false
    if waiting.isEmpty { swap(&dropped, &transform) }
    return running == 0 ? .complete : .wait
  }

  @inlinable
  mutating func innerCompleted(_ dropped: inout Transform?) -> Step {
    guard let element = waiting.popFirst() else {
      running -= 1
      return isSourceAlive || running > 0 ? .wait : .complete
    }
    let step = Step.makeInner(element, transform!)
    if !isSourceAlive, waiting.isEmpty { swap(&dropped, &transform) }
    return step
  }
}
