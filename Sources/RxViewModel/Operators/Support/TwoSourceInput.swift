/// An event of one of the two sources of an operator.
@usableFromInline
enum TwoSourceInput<A: Sendable, B: Sendable>: Sendable {
  case a(Event<A>)
  case b(Event<B>)
}
