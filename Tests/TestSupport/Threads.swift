import Foundation

/// A value that threads share, guarded by a lock.
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

/// The number of seconds for which a test waits for other threads before it fails. All tests use this bound.
///
/// It ends tests that hang. It is long because a busy machine takes many times longer than an idle one.
let waitLimit = 180

/// A semaphore whose `wait` has a bound.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func fire() {
    semaphore.signal()
  }

  /// Waits for a call of `fire()`. False if there is none within the bound. Blocks: call it inside `onThread`.
  func wait() -> Bool {
    semaphore.wait(timeout: .now() + .seconds(waitLimit)) == .success
  }
}

/// Waits, on a thread of its own, until the condition holds. False if it does not hold within the bound.
///
/// For work on a queue or in a task, which the library does not wait for.
func eventually(_ condition: @escaping @Sendable () -> Bool) async -> Bool {
  await onThread { waitUntil(condition) }
}

/// Waits until the condition holds. False if it does not hold within the bound. Blocks: call it inside `onThread`.
func waitUntil(_ condition: () -> Bool) -> Bool {
  let deadline = Date(timeIntervalSinceNow: Double(waitLimit))
  while !condition() {
    if Date() > deadline { return false }
    sched_yield()
  }
  return true
}

/// Lets the main actor run other work until the condition holds, or the bound of the tests has passed.
@MainActor
func settle(until isDone: @MainActor () -> Bool) async {
  let deadline = ContinuousClock.now + .seconds(waitLimit)
  while !isDone(), .now < deadline { await Task.yield() }
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

/// Runs `body` on another thread and blocks until it has returned. False if it has not returned within the bound.
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

/// The stack size of most threads on a phone.
let smallStack = 512 << 10

struct TestError: Error, Equatable, CustomStringConvertible {
  var description: String

  init(_ description: String = "test error") {
    self.description = description
  }
}
