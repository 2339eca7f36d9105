import RxViewModel

extension OperatorCase {
  /// The operators with several sources.
  static let combining = [
    OperatorCase("startWith") { source, object in source.do(onNext: { _ in object.touch() }).startWith(-1, -2) },
    OperatorCase("concat, first") { source, object in source.concat(more(object)) },
    OperatorCase("concat, second") { source, object in more(object).concat(source) },
    OperatorCase("merge, first") { source, object in source.merge(with: more(object)) },
    OperatorCase("merge, second") { source, object in more(object).merge(with: source) },
    OperatorCase("merge in concat in merge") { source, object in
      more(object).merge(with: more(object).concat(source.merge(with: more(object))))
    },
    OperatorCase("combineLatest, first", missesReplays: true) { source, object in
      .combineLatest(source, Observable.just(0)) { element, _ in object.passing(element) }
    },
    OperatorCase("combineLatest, second") { source, object in
      .combineLatest(Observable.just(0), source) { object.passing($1) }
    },
    OperatorCase("combineLatest of three", missesReplays: true) { source, object in
      .combineLatest(Observable.just(0), source, Observable.just(0)) { _, element, _ in object.passing(element) }
    },
    OperatorCase("combineLatest of four, first", missesReplays: true) { source, object in
      .combineLatest(source, Observable.just(0), Observable.just(0), Observable.just(0)) { element, _, _, _ in
        object.passing(element)
      }
    },
    OperatorCase("combineLatest of four, last") { source, object in
      .combineLatest(Observable.just(0), Observable.just(0), Observable.just(0), source) { _, _, _, element in
        object.passing(element)
      }
    },
    OperatorCase("combineLatest to tuples") { source, object in
      Observable.combineLatest(Observable.just(0), source).map { object.passing($1) }
    },
    OperatorCase("combineLatest of an array") { source, object in
      Observable.combineLatest([Observable.just(0), source]).map { object.passing($0[1]) }
    },
    OperatorCase("merge with another type") { source, object in more(object).merge(with: OtherType(source: source)) },
    OperatorCase("zip of three") { source, object in
      .deferred {
        let partner = PublishSubject<Int>()
        return .zip(partner, partner, source.do(onNext: { partner.onNext($0) })) { object.passing($2) }
      }
    },
    OperatorCase("zip to tuples") { source, object in
      .deferred {
        let partner = PublishSubject<Int>()
        return Observable.zip(partner, source.do(onNext: { partner.onNext($0) })).map { object.passing($1) }
      }
    },
    OperatorCase("zip of an array") { source, object in
      .deferred {
        let partner = PublishSubject<Int>()
        return Observable.zip([partner.asObservable(), source.do(onNext: { partner.onNext($0) })])
          .map { object.passing($0[1]) }
      }
    },
    OperatorCase("zip") { source, object in
      .deferred {
        let partner = PublishSubject<Int>()
        return .zip(partner, source.do(onNext: { partner.onNext($0) })) { object.passing($1) }
      }
    },
    OperatorCase("withLatestFrom") { source, object in
      source.withLatestFrom(Observable.just(0)) { element, _ in object.passing(element) }
    },
    OperatorCase("takeWhen, trigger") { source, object in
      .deferred {
        let latest = BehaviorSubject(value: 0)
        return latest.takeWhen(source.do(onNext: { latest.onNext(object.passing($0)) }))
      }
    },
    OperatorCase("takePairWhen, trigger") { source, object in
      Observable.just(0).takePairWhen(source).map { object.passing($1) }
    },
  ]

  /// Another source, of negative elements only.
  private static func more(_ object: Lifetimes.Object) -> Observable<Int> {
    Observable.of(-3, -4).do(onNext: { _ in object.touch() })
  }
}

/// A source that is not an ``Observable``.
private struct OtherType: ObservableType {
  let source: Observable<Int>

  func asObservable() -> Observable<Int> { source }
}
