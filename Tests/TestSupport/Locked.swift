extension Locked {
  /// Stores a value, and returns the one before.
  func exchange(for value: Value) -> Value {
    mutate { stored in
      defer { stored = value }
      return stored
    }
  }
}

extension Locked<Int> {
  /// Adds one, and returns the new count.
  @discardableResult
  func increment() -> Int {
    mutate { count in
      count += 1
      return count
    }
  }
}

extension Locked where Value: RangeReplaceableCollection {
  func append(_ element: Value.Element) {
    mutate { $0.append(element) }
  }
}
