import Foundation

/// A value that threads share.
final class Locked<Value>: @unchecked Sendable {  // Sendable: every access holds the lock.
  private let lock = NSLock()
  private var stored: Value

  init(_ value: Value) {
    stored = value
  }

  var value: Value {
    lock.withLock { stored }
  }

  @discardableResult
  func mutate<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&stored) }
  }
}

/// How many seconds a test waits for what other threads do, until it fails: the one bound of these tests.
///
/// It is there to end a test that hangs. A machine that is busy with other things takes many times longer than a quiet one.
let waitLimit = 180

/// Something to wait for, with a bound.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func fire() {
    semaphore.signal()
  }

  /// False if it has not come within the bound. Blocks: to be called inside `onThread`.
  func wait() -> Bool {
    semaphore.wait(timeout: .now() + .seconds(waitLimit)) == .success
  }
}

/// Waits, on a thread of its own, until the condition holds. False if it does not within the limit.
///
/// For what a sender has handed over: it is delivered behind its back (contract 1.10).
func eventually(_ condition: @escaping @Sendable () -> Bool) async -> Bool {
  await onThread {
    let deadline = Date(timeIntervalSinceNow: Double(waitLimit))
    while !condition() {
      if Date() > deadline { return false }
      sched_yield()
    }
    return true
  }
}

/// Runs `body`, which may block, on a thread of its own.
func onThread<Result: Sendable>(
  stackSize: Int = 8 << 20, _ body: @escaping @Sendable () -> Result
) async -> Result {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: body()) }
    thread.stackSize = stackSize
    thread.start()
  }
}

/// Runs `body` on another thread and blocks until it has returned. False if it has not within the bound.
@discardableResult
func onOtherThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  let done = Signal()
  Thread {
    body()
    done.fire()
  }.start()
  return done.wait()
}

/// Runs `body` on several threads at once, each with its number, and waits for all.
func race(threads: Int = 2, _ body: @escaping @Sendable (Int) -> Void) async {
  await withTaskGroup(of: Void.self) { group in
    for number in 0..<threads {
      group.addTask { await onThread { body(number) } }
    }
  }
}

/// The stack that most threads of a phone have.
let smallStack = 512 << 10

struct TestError: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String = "test error") {
    self.description = description
  }
}
