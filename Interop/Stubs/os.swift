// The declarations of os that the library uses, with the same signatures. They are only type-checked: see .ci/platforms.

public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {  // Sendable: it is never made.
  public init(uncheckedState initialState: State) {}
  public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result { fatalError() }
}
