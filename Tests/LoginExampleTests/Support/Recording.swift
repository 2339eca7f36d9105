import RxViewModel

/// Records the elements of a stream, which a test awaits one by one.
///
/// The time limit of the test bounds each wait: it cancels the test's task.
final class Recording<Element: Sendable>: Sendable {
  struct Ended: Error {}

  private let elements: AsyncStream<Element>
  private let subscriptions = DisposeBag()

  init(_ source: some ObservableType<Element>) {
    let (elements, continuation) = AsyncStream.makeStream(of: Element.self)
    self.elements = elements
    source.subscribe { event in
      switch event {
      case .next(let element): continuation.yield(element)
      case .error, .completed: continuation.finish()
      }
    }.disposed(by: subscriptions)
  }

  /// Waits for the next element. Throws if the stream has ended.
  func next() async throws -> Element {
    for await element in elements { return element }
    throw Ended()
  }

  /// Waits for the next `count` elements.
  func next(_ count: Int) async throws -> [Element] {
    var all: [Element] = []
    while all.count < count { all.append(try await next()) }
    return all
  }

  /// Waits for the elements up to and including the first one that satisfies `isLast`.
  func next(through isLast: (Element) -> Bool) async throws -> [Element] {
    var all: [Element] = []
    while true {
      all.append(try await next())
      if isLast(all[all.count - 1]) { return all }
    }
  }

  /// Waits for the end of the stream, and returns the remaining elements.
  func rest() async -> [Element] {
    var all: [Element] = []
    for await element in elements { all.append(element) }
    return all
  }
}
