/// Counts objects that are alive.
final class Lifetimes: Sendable {
  final class Object: Sendable {
    private let alive: Locked<Int>

    fileprivate init(_ alive: Locked<Int>) {
      self.alive = alive
      alive.mutate { $0 += 1 }
    }

    func touch() {}

    deinit {
      alive.mutate { $0 -= 1 }
    }
  }

  private let count = Locked(0)

  var alive: Int { count.value }

  func make() -> Object {
    Object(count)
  }
}
