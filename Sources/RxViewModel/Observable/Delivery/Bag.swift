/// Values in the order of insertion, each with a key by which it is found and removed in O(log n).
@usableFromInline
struct Bag<Value> {
  /// Nil in the places of values that have been removed.
  @usableFromInline var values: [Value?] = []
  @usableFromInline var keys: [UInt64] = []
  @usableFromInline var lastKey: UInt64 = 0
  @usableFromInline var gaps = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { values.isEmpty }

  /// O(1), amortized. Copies the array of values if a caller retains it.
  @inlinable
  mutating func insert(_ value: Value) -> UInt64 {
    lastKey += 1
    keys.append(lastKey)
    values.append(value)
    return lastKey
  }

  @inlinable
  subscript(key: UInt64) -> Value? { place(of: key).flatMap { values[$0] } }

  /// Removes a value, and closes the gaps when they are more than half of the places. Returns the value, for the caller to release.
  @inlinable
  mutating func remove(_ key: UInt64) -> Value? {
    guard let place = place(of: key), let value = values[place].take() else { return nil }
    gaps += 1
    while gaps > 0, values[keys.count - 1] == nil {
      values.removeLast()
      keys.removeLast()
      gaps -= 1
    }
    if gaps * 2 > keys.count {
      keys = keys.indices.compactMap { values[$0] == nil ? nil : keys[$0] }
      values.removeAll { $0 == nil }
      gaps = 0
    }
    return value
  }

  /// Removes all values, and returns them in the places that they had. No key is used again.
  mutating func removeAll() -> [Value?] {
    defer { (values, keys, gaps) = ([], [], 0) }
    return values
  }

  @inlinable
  func place(of key: UInt64) -> Int? {
    if key > lastKey { return nil }
    // After it there are at most as many values as keys: for the value that was inserted last, the search ends immediately.
    var (low, high) = (max(0, keys.count - 1 - Int(lastKey - key)), keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low < keys.count && keys[low] == key ? low : nil
  }
}
