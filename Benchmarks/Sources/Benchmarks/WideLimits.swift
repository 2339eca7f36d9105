import Dispatch

/// A state like that of a screen: twelve fields that are counted references, and a number.
struct WideState: Sendable {
  var number = 0
  var name = fresh("name"), email = fresh("email"), street = fresh("street"), city = fresh("city")
  var country = fresh("country"), title = fresh("title"), note = fresh("note"), query = fresh("query")
  var rows = [1, 2, 3], selection = [1], errors = [fresh("error")]
  var counts = ["one": 1, "two": 2]
}

/// A state of two strings and a number.
struct FormState: Sendable {
  var number = 0
  var name = fresh("name")
  var password = fresh("password")
}

/// An action that changes a ``FormState``.
struct FormAction: Sendable {
  let name: String
}

/// A string that is stored on the heap.
func fresh(_ name: String) -> String {
  name + String(repeating: "-", count: 32)
}

/// The last element and an array of closures under a lock. The closures are called outside the lock.
final class HandValueSubject<Element> {
  private let mutex = Mutex()
  @exclusivity(unchecked) private var closures: [(Element) -> Void] = []
  @exclusivity(unchecked) private var value: Element?
  private let keepsValue: Bool

  init(keepsValue: Bool) {
    self.keepsValue = keepsValue
  }

  @inline(__always)
  func send(_ element: Element) {
    var displaced: Element?
    let closures = mutex.withLock { () -> [(Element) -> Void] in
      if keepsValue {
        displaced = element
        swap(&displaced, &value)
      }
      return self.closures
    }
    for closure in closures { closure(element) }
  }

  func subscribe(_ closure: @escaping (Element) -> Void) {
    mutex.withLock { closures.append(closure) }
  }
}

/// A hand-written view model with a mailbox: the actions under a lock, one `DispatchQueue.async` for all actions that have arrived by
/// then, and a mapper for each action.
// Sendable: the mutex guards the variables.
final class HandMailbox<Action: Sendable, State: Sendable>: @unchecked Sendable {
  typealias Mapper = (inout State) -> Void

  private let queue = DispatchQueue(label: "mailbox")
  private let mutex = Mutex()
  @exclusivity(unchecked) private var actions: [Action] = []
  @exclusivity(unchecked) private var isScheduled = false
  @exclusivity(unchecked) private var state: State
  @exclusivity(unchecked) private var observers: [@Sendable (State) -> Void] = []
  private let mapper: @Sendable (Action) -> Mapper

  init(_ state: State, _ mapper: @escaping @Sendable (Action) -> Mapper) {
    self.state = state
    self.mapper = mapper
  }

  func subscribe(_ observer: @escaping @Sendable (State) -> Void) {
    mutex.withLock { observers.append(observer) }
    observer(mutex.withLock { state })
  }

  func execute(_ action: Action) {
    let isFirst = mutex.withLock { () -> Bool in
      actions.append(action)
      defer { isScheduled = true }
      return !isScheduled
    }
    if isFirst { queue.async { self.drain() } }
  }

  private func drain() {
    var batch: [Action] = []
    while true {
      batch.removeAll(keepingCapacity: true)
      let isOver = mutex.withLock { () -> Bool in
        swap(&batch, &actions)
        isScheduled = !batch.isEmpty
        return batch.isEmpty
      }
      if isOver { return }
      for action in batch {
        let mapper = mapper(action)
        let (state, observers) = mutex.withLock { () -> (State, [@Sendable (State) -> Void]) in
          mapper(&self.state)
          return (self.state, self.observers)
        }
        for observer in observers { observer(state) }
      }
    }
  }
}

/// A hand-written view model with one `DispatchQueue.async` for each action.
// Sendable: the mutex guards the variables.
final class HandQueueViewModel<Action: Sendable, State: Sendable>: @unchecked Sendable {
  private let queue = DispatchQueue(label: "hand")
  private let mutex = Mutex()
  @exclusivity(unchecked) private var state: State
  @exclusivity(unchecked) private var observers: [@Sendable (State) -> Void] = []
  private let change: @Sendable (inout State, Action) -> Void

  init(_ state: State, _ change: @escaping @Sendable (inout State, Action) -> Void) {
    self.state = state
    self.change = change
  }

  func subscribe(_ observer: @escaping @Sendable (State) -> Void) {
    mutex.withLock { observers.append(observer) }
    observer(mutex.withLock { state })
  }

  func execute(_ action: Action) {
    queue.async { [self] in
      let (state, observers) = mutex.withLock { () -> (State, [@Sendable (State) -> Void]) in
        change(&self.state, action)
        return (self.state, self.observers)
      }
      for observer in observers { observer(state) }
    }
  }
}
