import RxViewModel
import Testing

@testable import TestSupport

/// A subscriber sends, subscribes or disposes from inside its callback.
struct ReentrancyTests {
  // contract 1.2: no recursion, no lost element, the same order for all subscribers
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func sending(from operation: OperatorCase, of kind: SourceCase) {
    let (source, object, bag) = (kind.make(), Lifetimes().make(), DisposeBag())
    let first = Recorder<Int> { event in
      guard case .next(let number) = event, (0..<16).contains(number) else { return }
      // Each callback sends two elements, which makes a tree.
      source.send(2 * number + 1, 2 * number + 2)
    }
    let second = Recorder<Int>()
    let stream = operation.apply(source.stream, object)
    stream.subscribe(first).disposed(by: bag)
    stream.subscribe(second).disposed(by: bag)
    source.send(0)
    #expect(first.sent == Array(0...32))
    // A producer that sends to one observer after the other is not a subject: the second observer gets all elements, but in another order.
    #expect((kind == .create ? second.sent.sorted() : second.sent) == Array(0...32) && first.faults == [])
    #expect(second.faults == [])
    bag.dispose()
  }

  // contract 1.2, 1.5: a new subscriber gets each later event once
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func subscribing(inside operation: OperatorCase, of kind: SourceCase) {
    let (source, object, bag, late) = (kind.make(), Lifetimes().make(), DisposeBag(), Recorder<Int>())
    let first = Recorder<Int> { event in
      guard case .next(1) = event else { return }
      source.send(2)
      operation.apply(source.stream, object).subscribe(late).disposed(by: bag)
      source.send(3)
    }
    operation.apply(source.stream, object).subscribe(first).disposed(by: bag)
    source.send(0, 1, 4)
    #expect(first.sent == [0, 1, 2, 3, 4])
    switch kind {
    case .publish: #expect(late.sent == [3, 4])
    // The producer sent 2 before the second observer subscribed. It waits for the first observer only.
    case .create: #expect(late.sent == [3, 4])
    case .behavior: #expect(late.sent == [2, 3, 4])
    case .replay: #expect(late.sent == (operation.missesReplays ? [2, 3, 4] : [1, 2, 3, 4]))
    }
    #expect(first.faults == [] && late.faults == [])
    bag.dispose()
  }

  // contract 1.4: a dispose cuts off waiting elements too
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func disposing(inside operation: OperatorCase, of kind: SourceCase) {
    let (source, object, serial) = (kind.make(), Lifetimes().make(), SerialDisposable())
    let recorder = Recorder<Int> { event in
      guard case .next(1) = event else { return }
      source.send(2)
      serial.dispose()
      serial.dispose()
      source.send(3)
    }
    serial.replace(with: operation.apply(source.stream, object).subscribe(recorder))
    source.send(0, 1, 4)
    source.send(.completed)
    #expect(recorder.sent == [0, 1] && recorder.end == nil && recorder.faults == [])
  }

  // contract 1.4: one subscriber disposes the next before its turn
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func disposingAnother(below operation: OperatorCase, of kind: SourceCase) {
    let (source, object, serial, second) = (kind.make(), Lifetimes().make(), SerialDisposable(), Recorder<Int>())
    let stream = operation.apply(source.stream, object)
    let first = stream.subscribe { event in
      if case .next(1) = event { serial.dispose() }
    }
    serial.replace(with: stream.subscribe(second))
    source.send(0, 1, 2)
    #expect(second.sent == [0])
    first.dispose()
  }

  // contract 1.1
  @Test(arguments: OperatorCase.all, SourceCase.allCases)
  func ending(inside operation: OperatorCase, of kind: SourceCase) {
    for end in ["completed", "error"] {
      let (source, object) = (kind.make(), Lifetimes().make())
      @Sendable func finish() { source.send(end == "error" ? .error(TestError()) : .completed) }
      let recorder = Recorder<Int> { event in
        switch event {
        case .next(1):
          source.send(2)
          finish()
          source.send(3)
        case .next: break
        case .error, .completed:
          source.send(4)
          finish()
        }
      }
      let subscription = operation.apply(source.stream, object).subscribe(recorder)
      source.send(0, 1, 5)
      #expect(recorder.sent == [0, 1, 2] && recorder.end == end && recorder.faults == [])
      subscription.dispose()
    }
  }

  // contract 1.4: an operator further down ends the subscription from inside a replay
  @Test(arguments: OperatorCase.all.filter { !$0.missesReplays })
  func endingAReplayFromBelow(_ operation: OperatorCase) {
    let (replay, stop, object) = (ReplaySubject<Int>(bufferSize: 10), PublishSubject<Int>(), Lifetimes().make())
    (0..<10).forEach(replay.onNext)
    let recorder = Recorder<Int> { event in
      if case .next(3) = event { stop.onError(TestError()) }
    }
    let subscription = stop.merge(with: operation.apply(replay.asObservable(), object)).subscribe(recorder)
    #expect(recorder.sent == [0, 1, 2, 3] && recorder.end == "error")
    #expect(replay.hasObservers == operation.outlivesDispose && !stop.hasObservers)
    subscription.dispose()
  }
}
