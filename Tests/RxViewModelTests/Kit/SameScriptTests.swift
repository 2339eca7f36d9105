import Testing

@testable import TestSupport

@Suite(.stress, .ownThread) struct SameScriptTests {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theSameScriptGivesTheSameEventsAThousandTimes() async {
    await AsyncVirtualTimeTests().sameEvents(times: 1_000)
  }
}
