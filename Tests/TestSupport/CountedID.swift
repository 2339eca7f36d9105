/// Counts calls.
final class CallCount: @unchecked Sendable {  // Sendable: only the main actor uses it.
  var count = 0
}

/// An id that counts how often it is compared or hashed.
final class CountedID: Hashable, Sendable {
  let number: Int
  private let calls: CallCount
  private let onRelease: @Sendable () -> Void

  init(_ number: Int, _ calls: CallCount = CallCount(), onRelease: @escaping @Sendable () -> Void = {}) {
    (self.number, self.calls, self.onRelease) = (number, calls, onRelease)
  }

  deinit { onRelease() }

  static func == (left: CountedID, right: CountedID) -> Bool {
    left.calls.count += 1
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) {
    calls.count += 1
    hasher.combine(number)
  }
}
