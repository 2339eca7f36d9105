import Testing

@testable import RxViewModel

@Suite struct ConnectingTests {
  @Test func theStepsAreTakenInTheOrderOfNestedCalls() {
    let log = Locked<[String]>([])
    let (inner, outer) = (Disposables.create {}, Disposables.create {})
    let connecting = Connecting.nested {
      log.mutate { $0.append("outer begins") }
      return .nested {
        log.mutate { $0.append("inner begins") }
        return .step { .done(inner) }
      } then: { subscription in
        #expect(subscription === inner)
        log.mutate { $0.append("inner ends") }
        return .done(subscription)
      }
    } then: { subscription in
      #expect(subscription === inner)
      log.mutate { $0.append("outer ends") }
      return .done(outer)
    }
    #expect(log.value == [])
    #expect(connecting.finish() === outer)
    #expect(log.value == ["outer begins", "inner begins", "inner ends", "outer ends"])
  }

  @Test func oneSubscriptionFollowsAnother() {
    let (first, second) = (Disposables.create {}, Disposables.create {})
    #expect(Connecting.done(first).then { .done(second) }.finish() === second)
  }

  // contract 1.6
  @Test func neitherStepsNorNestsNeedTheStack() async {
    let count = await onThread(stackSize: smallStack) {
      let count = Locked(0)
      func steps(_ left: Int) -> Connecting {
        if left == 0 { return .done(NopDisposable.shared) }
        return left % 2 == 0
          ? .step { steps(left - 1) }
          : .nested {
            steps(left - 1)
          } then: {
            count.mutate { $0 += 1 }
            return .done($0)
          }
      }
      _ = steps(100_000).finish()
      return count.value
    }
    #expect(count == 50_000)
  }

  @Test func oneSubscriptionFollowsAnotherThatTakesSteps() {
    let (log, second) = (Locked<[Int]>([]), Disposables.create {})
    let first = Connecting.step {
      log.mutate { $0.append(1) }
      return .done(NopDisposable.shared)
    }
    let both = first.then {
      log.mutate { $0.append(2) }
      return .done(second)
    }
    #expect(log.value == [])
    #expect(both.finish() === second)
    #expect(log.value == [1, 2])
  }

  @Test func aChainIsCutAtEvery63Operators() {
    var stream = PublishSubject<Int>().asObservable()
    var depths: [UInt8] = []
    for step in 0..<200 {
      stream = step % 2 == 0 ? stream.map { $0 } : stream.take(1)
      depths.append(stream.depth)
      #expect(stream.isLong == (step >= 63))
    }
    #expect(depths[62] == 63)
    #expect(depths[63] == 65)
    #expect(depths.max() == 127)
    #expect(depths[126] == 65)
  }
}
