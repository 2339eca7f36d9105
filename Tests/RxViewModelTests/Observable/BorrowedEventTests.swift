import Testing

@testable import RxViewModel

@Suite struct BorrowedEventTests {
  // contract 1.9: the event lends the element and neither copies nor releases it
  @Test func aBorrowedEventNeitherRetainsNorReleasesItsElement() {
    final class Object: Sendable {}
    weak var weakObject: Object?
    do {
      let object = Object()
      weakObject = object
      Event.withNext(object) { pointer in
        Event.borrow(pointer) { event in
          event.visit {
            #expect($0 === object)
          } error: { _ in
          } completed: {
          }
          #expect(!event.isTerminal)
        }
        // A copy of the event retains the element, as any copy does.
        var kept: Event<Object>? = pointer.pointee
        kept = nil
        _ = kept
      }
      #expect(weakObject != nil)
    }
    #expect(weakObject == nil)
  }
}
