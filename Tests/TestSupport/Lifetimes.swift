import Foundation

/// Makes objects and counts those that are alive.
final class Lifetimes: Sendable {
  final class Object: Sendable {
    private let count: Count
    private let onTouch: @Sendable () -> Void

    fileprivate init(_ count: Count, _ onTouch: @escaping @Sendable () -> Void) {
      (self.count, self.onTouch) = (count, onTouch)
      count.change(by: 1)
    }

    func touch() { onTouch() }

    deinit {
      count.change(by: -1)
    }
  }

  fileprivate final class Count: @unchecked Sendable {  // Sendable: every access holds the condition's lock.
    private let condition = NSCondition()
    private var alive = 0

    var value: Int { condition.withLock { alive } }

    func change(by difference: Int) {
      condition.withLock { alive += difference }
      condition.broadcast()
    }

    func waitForNone(until limit: Date) -> Bool {
      condition.withLock {
        while alive > 0 {
          if !condition.wait(until: limit) { return alive == 0 }
        }
        return true
      }
    }
  }

  private let count = Count()

  var alive: Int { count.value }

  func make(onTouch: @escaping @Sendable () -> Void = {}) -> Object {
    Object(count, onTouch)
  }

  /// Waits until no object is alive. False if one is still alive after the bound. Blocks: call it inside `onThread`.
  func waitForNone() -> Bool {
    count.waitForNone(until: Date(timeIntervalSinceNow: Double(waitLimit)))
  }
}
