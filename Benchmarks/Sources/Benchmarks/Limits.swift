import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Hand-written code for the same jobs, specialized and without a library.

/// A mutex behind a pointer.
final class Mutex: @unchecked Sendable {  // Sendable: the mutex may be used from any thread.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() { pthread_mutex_init(mutex, nil) }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inline(__always)
  func withLock<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}

/// Closures in an array under a lock, called outside the lock.
final class HandSubject {
  private let mutex = Mutex()
  @exclusivity(unchecked) private var closures: [(id: Int, call: (Int) -> Void)] = []
  @exclusivity(unchecked) private var nextID = 0
  @exclusivity(unchecked) private var value: Int

  init(value: Int = 0) { self.value = value }

  func send(_ element: Int) {
    let closures = mutex.withLock { () -> [(id: Int, call: (Int) -> Void)] in
      value = element
      return self.closures
    }
    for closure in closures { closure.call(element) }
  }

  func subscribe(_ closure: @escaping (Int) -> Void) -> Int {
    mutex.withLock {
      nextID += 1
      closures.append((nextID, closure))
      return nextID
    }
  }

  func remove(_ id: Int) {
    mutex.withLock {
      // The ids ascend, so a binary search finds the closure.
      var (low, high) = (0, closures.count)
      while low < high {
        let middle = (low + high) / 2
        if closures[middle].id < id { low = middle + 1 } else { high = middle }
      }
      _ = closures.remove(at: low)
    }
  }
}

/// The five operators, hand-written: closures that call each other.
func handChain(_ sink: @escaping (Int) -> Void) -> (Int) -> Void {
  var (last, sum): (Int?, Int) = (nil, 0)
  let distinct: (Int) -> Void = {
    if last != $0 {
      last = $0
      sink($0)
    }
  }
  let scan: (Int) -> Void = {
    sum &+= $0
    distinct(sum)
  }
  let map2: (Int) -> Void = { scan($0 &* 2) }
  let filter: (Int) -> Void = { if $0 & 1 == 0 || $0 > 0 { map2($0) } }
  return { filter($0 &+ 1) }
}

/// Combines the latest elements of two sources under a lock.
final class HandLatest {
  private let mutex = Mutex()
  @exclusivity(unchecked) private var (a, b): (Int?, Int?) = (nil, nil)
  private let sink: (Int) -> Void

  init(_ sink: @escaping (Int) -> Void) { self.sink = sink }

  func sendA(_ element: Int) {
    if let b = mutex.withLock({ () -> Int? in
      a = element
      return b
    }) {
      sink(element &+ b)
    }
  }

  func sendB(_ element: Int) {
    if let a = mutex.withLock({ () -> Int? in
      b = element
      return a
    }) {
      sink(a &+ element)
    }
  }
}

/// Merges inner streams. A dictionary under the lock holds the subscription of each until its end, so that it can be disposed.
final class HandMerge {
  final class Subscription {
    var isDisposed = false
  }

  private let mutex = Mutex()
  @exclusivity(unchecked) private var active: [Int: Subscription] = [:]
  @exclusivity(unchecked) private var nextID = 0
  private let sink: (Int) -> Void

  init(_ sink: @escaping (Int) -> Void) { self.sink = sink }

  func send(_ element: Int, _ transform: (Int) -> (@escaping (Int) -> Void) -> Void) {
    let subscription = Subscription()
    let id = mutex.withLock { () -> Int in
      nextID += 1
      active[nextID] = subscription
      return nextID
    }
    transform(element)({ [sink] value in if !subscription.isDisposed { sink(value) } })
    _ = mutex.withLock { active.removeValue(forKey: id) }
  }
}

/// A hand-written view model with one `DispatchQueue.async` for each action.
final class HandViewModel: @unchecked Sendable {  // Sendable: the mutex guards the variables.
  private let queue = DispatchQueue(label: "hand")
  private let mutex = Mutex()
  private var state = 0
  private var observers: [@Sendable (Int) -> Void] = []

  func subscribe(_ observer: @escaping @Sendable (Int) -> Void) {
    mutex.withLock { observers.append(observer) }
    observer(mutex.withLock { state })
  }

  func execute(_ action: Int) {
    queue.async { [self] in
      let (state, observers) = mutex.withLock { () -> (Int, [@Sendable (Int) -> Void]) in
        self.state += action
        return (self.state, self.observers)
      }
      for observer in observers { observer(state) }
    }
  }

  func suspend() { queue.suspend() }
  /// Resumes the queue, and returns when it has run all actions.
  func finish() {
    queue.resume()
    queue.sync {}
  }
}
