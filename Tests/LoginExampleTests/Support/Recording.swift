import RxViewModel

/// The elements of a stream from now on, to be awaited one by one.
///
/// A wait is bounded by the time limit of its test, which cancels it.
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

  /// The next element; throws if the stream has ended.
  func next() async throws -> Element {
    for await element in elements { return element }
    throw Ended()
  }

  /// As many elements as asked for.
  func next(_ count: Int) async throws -> [Element] {
    var all: [Element] = []
    while all.count < count { all.append(try await next()) }
    return all
  }

  /// The elements up to the first one that satisfies `isLast`, with it.
  func next(through isLast: (Element) -> Bool) async throws -> [Element] {
    var all: [Element] = []
    while true {
      all.append(try await next())
      if isLast(all[all.count - 1]) { return all }
    }
  }

  /// What is left of a stream that ends.
  func rest() async -> [Element] {
    var all: [Element] = []
    for await element in elements { all.append(element) }
    return all
  }
}
