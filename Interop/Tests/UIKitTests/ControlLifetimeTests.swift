import Dispatch
import RxViewModel
import RxViewModelTesting
import Testing
import UIKit

// contract 3.6: the threads, the subscriptions and the end of the streams of controls
@MainActor struct ControlLifetimeTests {
  /// A stream of `view`. Each kind of view has another kind of stream.
  private func stream(_ view: UIView) -> Observable<String> {
    switch view {
    case let field as UITextField: field.edits
    case let textView as UITextView: textView.edits
    case let control as UISwitch: control.values { "\($0.isOn)" }
    case let control as UIControl: control.events(.touchUpInside).map { "tap" }
    default: preconditionFailure("a view without a stream")
    }
  }

  private nonisolated static let views: [@MainActor () -> UIView] = [
    { UITextField() }, { UITextView() }, { UISwitch() }, { UIButton() },
  ]

  @Test(arguments: 0..<4) func theReleaseOfTheControlCompletesItsStreams(_ kind: Int) {
    var view: UIView? = Self.views[kind]()
    weak let released = view
    let subscribers = [stream(view!).test(), stream(view!).test()]
    #expect(!subscribers[0].isCompleted && !subscribers[1].isCompleted)
    view = nil
    #expect(released == nil)
    #expect(subscribers[0].isCompleted && subscribers[1].isCompleted)
  }

  @Test func aStreamOfAReleasedControlCompletesAtOnce() {
    var field: UITextField? = UITextField()
    let (edits, touches) = (field!.edits, field!.events(.touchDown))
    field = nil
    #expect(edits.test().isCompleted && edits.test().values.isEmpty)
    #expect(touches.test().isCompleted)
  }

  @Test(arguments: 0..<4) func aReleaseOffTheMainActorCompletesOnIt(_ kind: Int) async {
    let (view, end) = (Holder(Self.views[kind]()), Holder(false))
    let subscription = stream(view.value!).subscribe(onCompleted: { end.value = isOnMainActor() })
    await Task.detached { view.value = nil }.value
    await mainQueue()
    #expect(end.value == true)
    withExtendedLifetime(subscription) {}
  }

  @Test func subscribersAreIndependent() {
    let field = UITextField()
    let first = field.edits.test()
    field.type("a")
    let second = field.edits.test()
    first.dispose()
    field.type("ab")
    #expect(first.values == ["", "a"])
    #expect(second.values == ["a", "ab"])
    second.dispose()
    #expect(field.actionCount == 0)
    #expect(!second.isCompleted)
  }

  @Test func aTextThatTheFirstCallbackSetsIsNoEdit() {
    let field = UITextField()
    field.text = "abcdef"
    let texts = Holder<[String]>([])
    let subscription = field.edits.subscribe(onNext: { text in
      MainActor.assumeIsolated {
        texts.value!.append(text)
        field.text = String(text.prefix(3))
      }
    })
    #expect(texts.value == ["abcdef"])
    subscription.dispose()
    #expect(field.actionCount == 0)
  }

  @Test func aDisposeInsideTheCallbackCutsOff() {
    let button = UIButton()
    let (subscription, taps) = (SerialDisposable(), Holder(0))
    subscription.replace(
      with: button.taps.subscribe(onNext: {
        taps.value! += 1
        subscription.dispose()
      }))
    let others = button.taps.test()
    button.sendActions(for: .touchUpInside)
    button.sendActions(for: .touchUpInside)
    #expect(taps.value == 1 && others.values.count == 2)
    others.dispose()
    #expect(button.actionCount == 0)
  }

  @Test func aDisposeInsideTheReplayLeavesNothingBehind() {
    let (field, textView) = (UITextField(), UITextView())
    #expect(field.edits.take(1).test().isCompleted)
    #expect(textView.edits.take(1).test().isCompleted)
    #expect(field.actionCount == 0 && textView.interactions.isEmpty)
  }

  @Test func theReleaseOfTheControlInsideItsEventCompletesItsStreams() {
    let button = Holder(UIButton())
    let taps = Holder(0)
    let subscription = button.value!.taps.subscribe(
      onNext: {
        button.value = nil
        taps.value! += 1
      }, onCompleted: { taps.value! += 10 })
    button.value?.sendActions(for: .touchUpInside)
    #expect(taps.value == 11)
    withExtendedLifetime(subscription) {}
  }

  @Test func anEventInsideTheCallbackComesAfterIt() {
    let field = UITextField()
    let log = Holder<[String]>([])
    let subscription = field.edits.bind { [weak field] text in
      log.value!.append("begin \(text)")
      if text.count < 3 { field?.type(text + "x") }
      log.value!.append("end \(text)")
    }
    #expect(
      log.value == ["begin ", "end ", "begin x", "end x", "begin xx", "end xx", "begin xxx", "end xxx"])
    withExtendedLifetime((field, subscription)) {}
  }

  @Test func anEventInsideTheReplayIsEmitted() {
    let (control, textView) = (UISwitch(), UITextView())
    let toggles = control.values { $0.isOn }.do(onNext: { [weak control] isOn in
      MainActor.assumeIsolated { if !isOn { control?.toggle(true) } }
    }).test()
    let edits = textView.edits.do(onNext: { [weak textView] text in
      MainActor.assumeIsolated { if text.isEmpty { textView?.type("a") } }
    }).test()
    #expect(toggles.values == [false, true] && edits.values == ["", "a"])
    withExtendedLifetime((control, textView)) {}
  }

  @Test func aDisposeOnAnotherThreadRemovesTheAction() async {
    let (field, textView) = (UITextField(), UITextView())
    let (edits, changes) = (field.edits.test(), textView.edits.test())
    await Task.detached {
      edits.dispose()
      changes.dispose()
    }.value
    field.type("after")
    textView.type("after")
    await mainQueue()
    #expect(edits.values == [""] && changes.values == [""])
    #expect(field.actionCount == 0 && textView.interactions.isEmpty)
  }

  @Test func aSubscriptionOffTheMainActorBeginsOnIt() async {
    let field = UITextField()
    let (edits, threads) = (field.edits, Holder<[Bool]>([]))
    let observer = await Task.detached { edits.do(onNext: { _ in threads.value!.append(isOnMainActor()) }).test() }
      .value
    await mainQueue()
    field.type("a")
    #expect(observer.values == ["", "a"])
    #expect(threads.value == [true, true])
    withExtendedLifetime(observer) {}
  }

  @Test func aSubscriptionOffTheMainActorThatIsDisposedBeforeItBeginsNeverEmits() async {
    let field = UITextField()
    let edits = field.edits
    let isDone = DispatchSemaphore(value: 0)
    let values = Holder<[String]>([])
    // This test is on the main actor, so the subscription cannot begin meanwhile.
    DispatchQueue.global().async {
      edits.subscribe(onNext: { values.value!.append($0) }).dispose()
      isDone.signal()
    }
    #expect(isDone.wait(timeout: .now() + .seconds(180)) == .success)
    await mainQueue()
    #expect(values.value == [] && field.actionCount == 0)
  }

  @Test func aSubscriptionRetainsItsSubscriberNoLongerThanTheControl() {
    var view: UITextView? = UITextView()
    var subscriber: Holder<Int>? = Holder(0)
    weak let released = subscriber
    let subscription = view!.edits.subscribe(onNext: { [subscriber] in subscriber?.value = $0.count })
    subscriber = nil
    #expect(released != nil)
    view = nil
    #expect(released == nil)
    withExtendedLifetime(subscription) {}
  }
}

/// Accessed by one thread at a time.
private final class Holder<Value>: @unchecked Sendable {  // Sendable: the tests await the threads that access it.
  var value: Value?

  init(_ value: Value) { self.value = value }
}

/// Returns after the main queue has run the work that was on it at the call.
private func mainQueue() async {
  await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
}

private let mainKey: DispatchSpecificKey<Void> = {
  let key = DispatchSpecificKey<Void>()
  DispatchQueue.main.setSpecific(key: key, value: ())
  return key
}()

private func isOnMainActor() -> Bool {
  DispatchQueue.getSpecific(key: mainKey) != nil
}
