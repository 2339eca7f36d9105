import Testing

@testable import RxViewModelTesting

// contract 4.6
struct TapeTests {
  @Test func anOrderIsWrittenAndReadAsText() {
    for (numbers, text) in [
      ([], ""), ([0], "0"), ([0, 1, 0], "0-1-0"), ([12, 0, 0, 0, 0, 3], "12-0-0-0-0-3"),
      ([1] + Array(repeating: 0, count: 47), "1-0x47"),
    ] as [([Int], String)] {
      #expect(OrderText.text(of: numbers) == text)
      #expect(OrderText.numbers(of: text) == numbers)
    }
    #expect(OrderText.numbers(of: "0x2-1") == [0, 0, 1])
    for text in ["a", "-", "1-", "1--2", "-1", "+1", "1.2", "0x", "0xa", "1 2", "0x2000000", "99999999999999999999"] {
      #expect(OrderText.numbers(of: text) == nil, "\(text)")
    }
  }
}
