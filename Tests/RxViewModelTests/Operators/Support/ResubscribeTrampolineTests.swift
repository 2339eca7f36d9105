import Testing

@testable import RxViewModel

// contract 1.6
@Suite struct ResubscribeTrampolineTests {
  @Test func aSourceThatEndsWhileItIsConnectedLeavesTheNextToTheConnectingThread() {
    var trampoline = ResubscribeTrampoline()
    trampoline.connecting()
    let (endedGoesOn, connectedGoesOn) = (trampoline.ended(), trampoline.connected())
    #expect(!endedGoesOn)
    #expect(connectedGoesOn)
  }

  @Test func aSourceThatEndsLaterGoesOnItself() {
    var trampoline = ResubscribeTrampoline()
    trampoline.connecting()
    let (connectedGoesOn, endedGoesOn) = (trampoline.connected(), trampoline.ended())
    #expect(!connectedGoesOn)
    #expect(endedGoesOn)
  }

  @Test func eachConnectionStartsFresh() {
    var trampoline = ResubscribeTrampoline()
    trampoline.connecting()
    _ = trampoline.ended()
    trampoline.connecting()
    let goesOn = trampoline.connected()
    #expect(!goesOn)
  }
}
