import RxViewModel
import Testing

/// An operator on integers, for the suites that run over every one of them. A new operator is a line here.
struct AnyOperator: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Passes elements on in some form; the closures given to it hold `object`.
  let apply: @Sendable (Observable<Int>, Lifetimes.Object) -> Observable<Int>

  init(_ name: String, _ apply: @escaping @Sendable (Observable<Int>, Lifetimes.Object) -> Observable<Int>) {
    testDescription = name
    self.apply = apply
  }

  static let all = [
    AnyOperator("map") { source, object in
      source.map {
        object.touch()
        return $0
      }
    },
    AnyOperator("compactMap") { source, object in
      source.compactMap {
        object.touch()
        return $0
      }
    },
    AnyOperator("filter") { source, object in
      source.filter { _ in
        object.touch()
        return true
      }
    },
    AnyOperator("scan") { source, object in
      source.scan(0) {
        object.touch()
        return $1
      }
    },
    AnyOperator("distinctUntilChanged") { source, object in
      source.distinctUntilChanged { _, _ in
        object.touch()
        return false
      }
    },
    AnyOperator("flatMap of just") { source, object in
      source.flatMap {
        object.touch()
        return Observable.just($0)
      }
    },
    AnyOperator("flatMap of of") { source, object in
      source.flatMap {
        object.touch()
        return Observable.of($0)
      }
    },
    AnyOperator("flatMap of create") { source, object in
      source.flatMap { number in
        Observable.create { observer in
          object.touch()
          observer.onNext(number)
          observer.onCompleted()
          return Disposables.create { object.touch() }
        }
      }
    },
    AnyOperator("startWith") { source, object in
      source.map {
        object.touch()
        return $0
      }.startWith(0)
    },
    AnyOperator("merge") { source, object in
      source.merge(
        with: source.filter { _ in
          object.touch()
          return false
        })
    },
    AnyOperator("concat") { source, object in
      Observable<Int>.empty().concat(source.do(onNext: { _ in object.touch() }))
    },
    AnyOperator("combineLatest") { source, object in
      .combineLatest(Observable.just(1), source) {
        object.touch()
        return $0 * $1
      }
    },
    AnyOperator("withLatestFrom") { source, object in
      source.withLatestFrom(Observable.just(1)) {
        object.touch()
        return $0 * $1
      }
    },
    AnyOperator("observe(on:)") { source, object in
      source.observe(on: ImmediateScheduler()).do(onNext: { _ in object.touch() })
    },
    AnyOperator("do") { source, object in
      source.do(
        onNext: { _ in object.touch() }, onCompleted: { object.touch() }, onSubscribe: { object.touch() })
    },
    AnyOperator("deferred") { source, object in .deferred { source.do(onNext: { _ in object.touch() }) } },
  ]
}
