/// First in, first out: a ring in a buffer that doubles when it is full.
///
/// Both ends are O(1), amortized. The queue is one word. It has no buffer before its first element, and once it is empty again it
/// keeps a buffer of at most 64 elements. Copies share the buffer until one of them changes.
@usableFromInline
struct Queue<Element> {
  @usableFromInline var buffer: QueueBuffer<Element>?

  @inlinable
  init() {}

  @inlinable
  var count: Int { buffer?.shape.count ?? 0 }

  @inlinable
  var isEmpty: Bool { count == 0 }

  @inlinable
  mutating func append(_ element: consuming Element) {
    if !isKnownUniquelyReferenced(&buffer) || buffer!.isFull { reallocate() }
    buffer!.append(element)
  }

  @inlinable
  mutating func popFirst() -> Element? {
    if isEmpty { return nil }
    if !isKnownUniquelyReferenced(&buffer) { reallocate() }
    let element = buffer!.popFirst()
    if buffer!.shape.count == 0, buffer!.shape.capacity > 64 { buffer = nil }
    return element
  }

  /// Makes a buffer of this queue's own that has room for another element.
  @inlinable
  @inline(never)
  mutating func reallocate() {
    guard var old = buffer.take() else {
      buffer = .make(capacity: 4)
      return
    }
    let new = QueueBuffer<Element>.make(capacity: old.isFull ? old.shape.capacity * 2 : old.shape.capacity)
    if isKnownUniquelyReferenced(&old) { new.move(from: old) } else { new.copy(from: old) }
    buffer = new
  }
}

// Sendable: the queue is a value, and its buffer is shared only by copies that do not change it.
extension Queue: @unchecked Sendable where Element: Sendable {}

extension Queue {
  @inlinable
  var first: Element? { isEmpty ? nil : self[0] }

  /// O(n).
  @inlinable
  var elements: [Element] { indices.map { self[$0] } }

  /// Offsets from the first element.
  @inlinable
  var indices: Range<Int> { 0..<count }

  /// The element at an offset from the first. O(1).
  @inlinable
  subscript(offset: Int) -> Element {
    get { buffer!.element(at: offset) }
    set {
      if !isKnownUniquelyReferenced(&buffer) { reallocate() }
      buffer!.replaceElement(at: offset, with: newValue)
    }
  }

  /// O(n).
  @inlinable
  mutating func removeAll(where isRemoved: (Element) -> Bool) {
    var kept = Queue()
    for offset in indices where !isRemoved(self[offset]) { kept.append(self[offset]) }
    self = kept
  }
}

@usableFromInline
struct QueueHeader {
  /// A power of two.
  @usableFromInline let capacity: Int
  /// The place of the first element.
  @usableFromInline var head = 0
  @usableFromInline var count = 0

  @inlinable
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The place of the element at an offset from the first.
  @inlinable
  func place(of offset: Int) -> Int { (head + offset) & (capacity - 1) }
}

/// The ring of a ``Queue``. The queue makes sure that the buffer is not shared while it changes it.
@usableFromInline
final class QueueBuffer<Element>: ManagedBuffer<QueueHeader, Element> {
  /// - Parameter capacity: A power of two.
  @inlinable
  static func make(capacity: Int) -> QueueBuffer {
    unsafeDowncast(create(minimumCapacity: capacity) { _ in QueueHeader(capacity: capacity) }, to: QueueBuffer.self)
  }

  @inlinable
  deinit {
    withUnsafeMutablePointers { header, elements in
      for offset in 0..<header.pointee.count { (elements + header.pointee.place(of: offset)).deinitialize(count: 1) }
    }
  }

  /// The header, without the run-time exclusivity check of the `header` property.
  @inlinable
  var shape: QueueHeader { withUnsafeMutablePointerToHeader { $0.pointee } }

  @inlinable
  var isFull: Bool { shape.count == shape.capacity }

  /// Appends an element. Precondition: the buffer is not full.
  @inlinable
  func append(_ element: consuming Element) {
    end.initialize(to: element)
    withUnsafeMutablePointerToHeader { $0.pointee.count += 1 }
  }

  /// The place behind the last element.
  @inlinable
  var end: UnsafeMutablePointer<Element> {
    withUnsafeMutablePointers { header, elements in elements + header.pointee.place(of: header.pointee.count) }
  }

  /// Removes the first element. Precondition: the buffer is not empty.
  @inlinable
  func popFirst() -> Element {
    withUnsafeMutablePointers { header, elements in
      let element = (elements + header.pointee.head).move()
      header.pointee.head = header.pointee.place(of: 1)
      header.pointee.count -= 1
      return element
    }
  }

  @inlinable
  func element(at offset: Int) -> Element {
    withUnsafeMutablePointers { header, elements in elements[header.pointee.place(of: offset)] }
  }

  @inlinable
  func replaceElement(at offset: Int, with element: Element) {
    withUnsafeMutablePointers { header, elements in elements[header.pointee.place(of: offset)] = element }
  }

  @inlinable
  func move(from other: QueueBuffer) {
    for _ in 0..<other.shape.count { append(other.popFirst()) }
  }

  @inlinable
  func copy(from other: QueueBuffer) {
    for offset in 0..<other.shape.count { append(other.element(at: offset)) }
  }
}
