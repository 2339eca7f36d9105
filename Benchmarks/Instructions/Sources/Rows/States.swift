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
  var number: Int { get set }
}

extension Int: Counted {
  var number: Int {
    get { self }
    set { self = newValue }
  }
}

extension Wide: Counted {}

enum Act: Codable, Sendable {
  case add, three, spin, fail, never, long
}

// View models that do what their action says. Two classes, because users' are not generic.

// Sendable: `source` is set before the first action.
final class Numbers: RxViewModel<Act, Int>, @unchecked Sendable {
  var source: PublishSubject<StateMapper<Int>>?

  override func createInitialState() -> Int { 0 }
  override func showSpinner(_ action: Act) -> Bool { if case .spin = action { true } else { false } }
  override func handleError(_ error: any Error, action: Act?) -> Bool { true }

  // Not `Effect`, which older checkouts do not have.
  override func createObservable(_ action: Act) -> Observable<StateMapper<Int>> {
    switch action {
    case .add, .spin: .mutate { $0.number += 1 }
    case .three: Observable.from([1, 2, 3]).mutate { $0.number += $1 }
    case .fail: .error(Failure())
    case .never: .never()
    case .long: source!.asObservable()
    }
  }
}

// Sendable: `source` is set before the first action.
final class Wides: RxViewModel<Act, Wide>, @unchecked Sendable {
  var source: PublishSubject<StateMapper<Wide>>?

  override func createInitialState() -> Wide { Wide() }
  override func showSpinner(_ action: Act) -> Bool { if case .spin = action { true } else { false } }
  override func handleError(_ error: any Error, action: Act?) -> Bool { true }

  override func createObservable(_ action: Act) -> Observable<StateMapper<Wide>> {
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

/// The state of a screen with a form, which is an optional child.
struct Sheet: Counted {
  struct Form: Sendable {
    var (name, note, list) = (text("name"), text("note"), [1, 2, 3])
    var number = 0
  }

  var wide = Wide()
  var form: Form? = Form()

  var number: Int {
    get { form!.number }
    set { form!.number = newValue }
  }
}

enum SheetAction: Sendable {
  case form(Int)
  /// The same mapper by hand.
  case byHand
}

struct AddToForm: Feature {
  func createObservable(_ action: Int, context: FeatureContext<Self>) -> Observable<StateMapper<Sheet.Form>> {
    .mutate { $0.number += action }
  }
}

// Sendable: it stores nothing.
final class Sheets: RxViewModel<SheetAction, Sheet>, @unchecked Sendable {
  override func createInitialState() -> Sheet { Sheet() }

  override func child(for action: SheetAction) -> ChildAction<SheetAction, Sheet>? {
    if case .form(let number) = action { .init(AddToForm(), number, at: \.form, as: SheetAction.form) } else { nil }
  }

  override func createObservable(_ action: SheetAction) -> Observable<StateMapper<Sheet>> {
    .mutate { $0.form?.number += 1 }
  }
}

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
