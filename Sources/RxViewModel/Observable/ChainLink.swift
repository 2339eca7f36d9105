/// Connects two parts of a long chain of operators, so that releasing the chain does not overflow the stack (contract
/// 1.6).
///
/// Each operator retains its source, so releasing an operator releases its source from inside its `deinit`. A link ends this recursion:
/// ``ReleaseQueue`` releases the link's value in a loop.
@usableFromInline
final class ChainLink<Value: Sendable>: @unchecked Sendable {  // Sendable: written in init and deinit only.
  @usableFromInline
  final class Box: Sendable {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
      self.value = value
    }
  }

  @exclusivity(unchecked)
  @usableFromInline var box: Box?

  @inlinable
  init(_ value: Value) {
    box = Box(value)
  }

  @inlinable
  deinit {
    var box: AnyObject? = self.box.take()
    ReleaseQueue.release(&box)
  }

  @inlinable
  var value: Value { box!.value }
}

/// The objects that each thread still has to release.
///
/// This does not use a ``DeliveryQueue``, because each thread releases its own objects before it continues, and never another thread's.
@usableFromInline
enum ReleaseQueue {
  private struct Releasing {
    let thread: ThreadID
    var waiting: [AnyObject] = []
  }

  /// One for each thread that is releasing an object.
  private static let releasing = Lock<[Releasing]>([])

  /// Releases an object at once or, if this thread is releasing another object, after that one.
  @usableFromInline
  static func release(_ object: inout AnyObject?) {
    let thread = ThreadID.current
    let isNested = releasing.withLock { all -> Bool in
      if let index = all.firstIndex(where: { $0.thread == thread }) {
        all[index].waiting.append(object.take()!)
        return true
      }
      all.append(Releasing(thread: thread))
      return false
    }
    if isNested { return }
    repeat {
      // The `deinit` of this object adds further objects to the queue.
      object = nil
      object = next(on: thread)
    } while object != nil
  }

  private static func next(on thread: ThreadID) -> AnyObject? {
    releasing.withLock { all in
      let index = all.firstIndex { $0.thread == thread }!
      if let object = all[index].waiting.popLast() { return object }
      all.remove(at: index)
      return nil
    }
  }
}
