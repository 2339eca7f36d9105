import Testing

@testable import RxViewModel

// contract 1.4
@Suite struct CompositeDisposableTests {
  private let log = Locked<[String]>([])

  @Test func whatIsHeldIsDisposedOnceInTheOrderOfTheKeys() {
    let subscriptions = CompositeDisposable()
    let key = subscriptions.reserve()
    subscriptions.add(entry("second"))
    subscriptions.set(key, to: entry("first"))
    subscriptions.dispose()
    subscriptions.dispose()
    #expect(log.value == ["first", "second"])
    #expect(!subscriptions.isOpen)
  }

  @Test func aSubscriptionThatComesTooLateIsDisposedAtOnce() {
    let subscriptions = CompositeDisposable()
    let key = subscriptions.reserve()
    subscriptions.dispose()
    #expect(subscriptions.reserve() == nil)
    subscriptions.set(key, to: entry("late"))
    subscriptions.add(entry("added"))
    #expect(log.value == ["late", "added"])
  }

  @Test func aSourceThatHasEndedBeforeItsSubscriptionIsThereIsNotHeld() {
    let subscriptions = CompositeDisposable()
    let key = subscriptions.reserve()
    #expect(subscriptions.remove(key))
    subscriptions.set(key, to: entry("ended"))
    subscriptions.dispose()
    #expect(log.value == [])
  }

  @Test func removeSaysWhetherItWasTheLastOne() {
    let subscriptions = CompositeDisposable()
    let (first, second) = (subscriptions.reserve(), subscriptions.reserve())
    #expect(!subscriptions.remove(first))
    #expect(!subscriptions.remove(first))
    #expect(subscriptions.remove(second))
    #expect(!subscriptions.remove(nil))
  }

  @Test func oneKeyIsDisposedAlone() {
    let subscriptions = CompositeDisposable()
    let key = subscriptions.reserve()
    subscriptions.set(key, to: entry("one"))
    subscriptions.add(entry("other"))
    subscriptions.dispose(key)
    subscriptions.dispose(key)
    #expect(log.value == ["one"])
    #expect(subscriptions.isOpen)
  }

  @Test func onlyNoMoreDisposes() {
    let subscriptions = CompositeDisposable()
    subscriptions.add(entry("held"))
    #expect(subscriptions.dispose(unlessWanted: .more) == .more)
    #expect(subscriptions.dispose(unlessWanted: .pending) == .pending)
    #expect(log.value == [])
    #expect(subscriptions.dispose(unlessWanted: .noMore) == .noMore)
    #expect(log.value == ["held"])
  }

  @Test func theSerializerIsClosedBeforeTheSourcesAreDisposed() {
    let serializer = EventSerializer<Int> { _ in .more }
    let subscriptions = CompositeDisposable(closing: serializer)
    let wasOpen = Locked<Bool?>(nil)
    subscriptions.add(Disposables.create { wasOpen.mutate { $0 = serializer.isOpen } })
    subscriptions.dispose()
    #expect(wasOpen.value == false)
  }

  @Test func nestedOnesAreDisposedInTheOrderOfRecursiveCalls() {
    let (outer, inner, innermost) = (
      CompositeDisposable(), CompositeDisposable(), CompositeDisposable()
    )
    outer.add(entry("1"))
    outer.add(inner)
    outer.add(entry("5"))
    inner.add(entry("2"))
    inner.add(innermost)
    inner.add(entry("4"))
    innermost.add(entry("3"))
    outer.dispose()
    #expect(log.value == ["1", "2", "3", "4", "5"])
  }

  // A dispose action sees the nodes before it disposed, and those after it not yet.
  @Test func anActionThatDisposesANodeThatStillWaitsDisposesItAtOnce() {
    let (outer, inner) = (CompositeDisposable(), CompositeDisposable())
    outer.add(
      Disposables.create { [log] in
        inner.dispose()
        log.mutate { $0.append("action") }
      })
    outer.add(inner)
    inner.add(entry("inner"))
    outer.dispose()
    #expect(log.value == ["inner", "action"])
  }

  // contract 1.6
  @Test func aDeepNestIsDisposedWithoutRecursion() async {
    let count = Locked(0)
    await onThread(stackSize: smallStack) {
      let all = (0..<50_000).map { _ in CompositeDisposable() }
      for (outer, inner) in zip(all, all.dropFirst()) { outer.add(inner) }
      all.last!.add(Disposables.create { count.mutate { $0 += 1 } })
      all[0].dispose()
    }
    #expect(count.value == 1)
  }

  private func entry(_ name: String) -> any Disposable {
    Disposables.create { [log] in log.mutate { $0.append(name) } }
  }
}

@Suite struct DisposableNodeTests {
  // contract 1.4
  @Test func aGateCutsOffBeforeItDisposes() {
    let (isCut, seen) = (Lock(false), Locked<Bool?>(nil))
    let gate = CancellationGate(
      isCut: isCut, Disposables.create { seen.mutate { $0 = isCut.withLock { $0 } } })
    gate.dispose()
    #expect(seen.value == true)
  }

  @Test func aLinkPassesTheDisposeOn() {
    let count = Locked(0)
    let link = LinkedDisposable(Disposables.create { count.mutate { $0 += 1 } })
    link.dispose()
    link.dispose()
    #expect(count.value == 1)
  }
}
