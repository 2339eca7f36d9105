#if os(macOS) || os(Linux)
  import Foundation
  import Testing

  @testable import LoginExample
  @testable import TestSupport

  private let (enabled, disabled) = ("Sign in: enabled\n", "Sign in: disabled\n")
  private let (signedIn, wrong) = ("Signed in as admin\n", "Wrong username or password\n")
  private let unexpected = "Something unexpected came up\n"
  private let (noPair, halfAPair) = (
    "LoginExample: the input holds no pair\n", "LoginExample: the input ends inside a pair\n"
  )
  private let badLatency = "LoginExample: --latency needs a number of milliseconds\n\n\(usage)\n"

  /// The program on pipes: what it prints, and its exit code.
  @Suite(.hangLimit) struct ProgramTests {
    private func expect(
      _ input: some Sequence<UInt8>, options: [String] = [], prints output: String, _ errors: String = "",
      exitCode: Int32, _ comment: Comment? = nil
    ) async throws {
      let program = try BuiltProgram(options)
      try program.write(input)
      try program.endInput()
      #expect(await program.output.next() == output, comment)
      #expect(await program.errors.next() == errors, comment)
      #expect(await program.end() == .exit(exitCode), comment)
    }

    // The last pair determines the exit code: 0 if it signs in, 1 if it is wrong or the button is disabled, 2 after an unexpected error.
    @Test(
      arguments: [
        ("admin\nadmin\n", enabled + signedIn, 0),
        ("admin\nwrong\n", enabled + wrong, 1),
        ("adm\nadmin\n", disabled, 1),
        ("error\nerror\n", enabled + unexpected, 2),
        // The program prints the state of the button for the first pair, and for each later pair that changes it.
        ("admin\nadmin\nadmin\nadmin\n", enabled + signedIn + signedIn, 0),
        ("a\nb\nadmin\nadmin\n", disabled + enabled + signedIn, 0),
        ("admin\nadmin\n\n\n", enabled + signedIn + disabled, 1),
        // It prints nothing between the two lines of a pair. Here the pair admin and secret exists for a moment, and is enabled.
        ("bo\nsecret\nadmin\nad\n", disabled, 1),
        ("error\nerror\nadmin\nwrong\nadmin\nadmin\n", enabled + unexpected + wrong + signedIn, 0),
        // Line ends.
        ("admin\r\nadmin\r\n", enabled + signedIn, 0),
        ("admin\nadmin", enabled + signedIn, 0),
        ("admin\nadmin\r", enabled + wrong, 1),
        // NUL bytes are ordinary characters, and the limits count characters, not bytes.
        ("admin\0\nadmin\n", enabled + wrong, 1),
        ("éééé\n🇳🇱🇳🇱🇳🇱\n", disabled, 1),
        ("ééééé\n🇳🇱🇳🇱🇳🇱\n", enabled + wrong, 1),
      ] as [(String, String, Int32)])
    func pairs(input: String, output: String, exitCode: Int32) async throws {
      try await expect(input.utf8, prints: output, exitCode: exitCode)
    }

    @Test(
      arguments: [
        ("", [], "", noPair, 65),
        ("\n", [], "", halfAPair, 65),
        ("admin\nadmin\nadmin\n", [], enabled + signedIn, halfAPair, 65),
        ("", ["--latency", "-1"], "", badLatency, 64),
        ("", ["--help"], usage + "\n", "", 0),
      ] as [(String, [String], String, String, Int32)])
    func noPairs(input: String, options: [String], output: String, errors: String, exitCode: Int32) async throws {
      try await expect(input.utf8, options: options, prints: output, errors, exitCode: exitCode)
    }

    // Each invalid byte counts as one character.
    @Test func aPairThatIsNotUTF8IsWrong() async throws {
      let input: [UInt8] = [0xFF, 0xFF, 0xC3, 0x28, 0xFE, 0x0A, 0x80, 0x80, 0x80, 0x0A]
      try await expect(input, prints: enabled + wrong, exitCode: 1)
    }

    @Test(.stress) func linesOfAMegabyte() async throws {
      // A letter with half a million accents is one character.
      let letter = "e" + String(repeating: "\u{301}", count: 1 << 19)
      try await expect((letter + "\nadmin\n").utf8, prints: disabled, exitCode: 1)
      let invalid = [UInt8](repeating: 0xFF, count: 1 << 20) + [0x0A]
      try await expect(invalid + invalid, prints: enabled + wrong, exitCode: 1)
    }

    // The program does not buffer its output: each line arrives in the pipe while the input is still open.
    @Test func outputIsFlushed() async throws {
      let program = try BuiltProgram()
      for (pair, lines) in [("admin\nadmin\n", enabled + signedIn), ("a\nb\n", disabled)] {
        try program.write(pair.utf8)
        #expect(await program.output.next(lines.utf8.count) == lines)
      }
    }

    // If its output is closed, the program ends with an exit code and not by SIGPIPE, even if input remains. The program has to print more
    // than a pipe holds: a process that another test starts inherits all pipes and closes them a moment later. Until then the pipe of this
    // test still has a reader, and its buffer accepts a few lines.
    @Test(arguments: [0, enabled.utf8.count]) func outputThatIsClosed(afterBytes count: Int) async throws {
      let program = try BuiltProgram()
      if count > 0 {
        try program.write("admin\nadmin\n".utf8)
        #expect(await program.output.next(count) == enabled)
      }
      try program.output.close()
      // The write fails if the program ends before it has read all of the input.
      try? program.write(String(repeating: "admin\nadmin\n", count: 5_000).utf8)
      #expect(await program.end() == .exit(74))
      #expect(await program.errors.next() == "")
    }

    #if os(Linux)
      // Each write to /dev/full fails.
      @Test func outputThatFails() async throws {
        let program = try BuiltProgram(["--help"], output: FileHandle(forWritingAtPath: "/dev/full"))
        #expect(await program.end() == .exit(74))
        #expect(await program.errors.next() == "")
      }
    #endif

    // A failed read is an error and not the end of the input. Here the input is a directory, which cannot be read.
    @Test func inputThatCannotBeRead() async throws {
      let directory = FileHandle(fileDescriptor: open("/", O_RDONLY), closeOnDealloc: true)
      let program = try BuiltProgram(input: directory)
      #expect(await program.errors.next() == "LoginExample: can't read the input: Is a directory\n")
      #expect(await program.end() == .exit(74))
    }
  }
#endif
