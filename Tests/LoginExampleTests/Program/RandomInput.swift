import RxViewModelTesting

private let pieces: [[UInt8]] =
  ["admin\n", "admin\r\n", "error\n", "admin", "error", "a", "\n", "\r", "\r\n", "é", "e\u{301}", "😀", "🇳🇱", "\0"]
  .map { Array($0.utf8) } + [[0xFF], [0xC3], [0xF0, 0x9F], [0x80]]

func makeRandomInput(_ seed: UInt64) -> [UInt8] {
  var random = SplitMix64(seed: seed)
  return (0..<Int.random(in: 0...30, using: &random)).flatMap { _ in pieces.randomElement(using: &random)! }
}

/// A simple model of the program: what it prints for an input, and its exit code.
func expectation(_ input: [UInt8]) -> (output: String, exitCode: Int32) {
  var lines = input.split(separator: 0x0A, omittingEmptySubsequences: false)
  let unended = lines.removeLast()
  lines = lines.map { $0.last == 0x0D ? $0.dropLast() : $0 } + (unended.isEmpty ? [] : [unended])
  let texts = lines.map { String(decoding: $0, as: UTF8.self) }
  var (output, exitCode, wasEnabled) = ("", Int32(65), Bool?.none)
  for index in stride(from: 0, to: texts.count - 1, by: 2) {
    let (username, password) = (texts[index], texts[index + 1])
    let isEnabled = username.count >= 5 && password.count >= 3
    if isEnabled != wasEnabled { output += "Sign in: \(isEnabled ? "enabled" : "disabled")\n" }
    wasEnabled = isEnabled
    exitCode = 1
    guard isEnabled else { continue }
    switch (username, password) {
    case ("admin", "admin"): (output, exitCode) = (output + "Signed in as admin\n", 0)
    case ("error", "error"): (output, exitCode) = (output + "Something unexpected came up\n", 2)
    default: output += "Wrong username or password\n"
    }
  }
  return (output, texts.count % 2 == 0 ? exitCode : 65)
}
