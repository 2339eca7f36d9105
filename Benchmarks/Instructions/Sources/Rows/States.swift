import RxViewModel

/// A state as apps have it: twelve counted references and a number.
struct Wide: Sendable, Equatable {
  var (a, b, c, d) = (text("a"), text("b"), text("c"), text("d"))
  var (e, f, g, h) = (text("e"), text("f"), text("g"), text("h"))
  var (i, j, k, l) = ([1], [2], [3], [4])
  var number = 0
}

/// A string that is too long to be stored inline.
private func text(_ name: String) -> String { "\(name), a text of more than fifteen bytes" }

protocol Counted: Sendable {
  static var zero: Self { get }
  var number: Int { get set }
}

extension Int: Counted {
  var number: Int {
    get { self }
    set { self = newValue }
  }
}

extension Wide: Counted { static var zero: Wide { Wide() } }

enum Act: Sendable {
  case add, three, spin, fail, never, long
}

/// A view model that does what its action says.
class Counting<State: Counted>: RxViewModel<Act, State>, @unchecked Sendable {  // Sendable: `source` is set before the first action.
  var source: PublishSubject<StateMapper<State>>?

  override func createInitialState() -> State { .zero }
  override func showSpinner(_ action: Act) -> Bool { if case .spin = action { true } else { false } }
  override func handleError(_ error: any Error, action: Act?) -> Bool { true }

  override func createObservable(_ action: Act) -> Observable<StateMapper<State>> {
    switch action {
    case .add, .spin: .mutate { $0.number += 1 }
    case .three: Observable.from([1, 2, 3]).mutate { $0.number += $1 }
    case .fail: .error(Failure())
    case .never: .never()
    case .long: source!.asObservable()
    }
  }
}

struct Failure: Error {}

// For an element that only a generic `Counting` makes, a concrete subclass is what users write.
final class Numbers: Counting<Int>, @unchecked Sendable {}  // Sendable: as its superclass.
final class Wides: Counting<Wide>, @unchecked Sendable {}  // Sendable: as its superclass.

/// Runs its work when it is told to, on the calling thread.
final class Hand: Scheduler, @unchecked Sendable {  // Sendable: one thread uses it.
  private var work: [@Sendable () -> Void] = []

  func schedule(_ work: @escaping @Sendable () -> Void) { self.work.append(work) }

  func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Disposable {
    Disposables.create()
  }

  func run() {
    while !work.isEmpty {
      var due: [@Sendable () -> Void] = []
      swap(&due, &work)
      for work in due { work() }
    }
  }
}
