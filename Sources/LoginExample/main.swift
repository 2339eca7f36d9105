// The login screen in a terminal. The folder Login is the part to copy: the view model, and what it needs. The folder Terminal only shows
// it, line by line.
import Foundation

// A write to a closed pipe fails with an error, for which the program has an exit code.
signal(SIGPIPE, SIG_IGN)
Task { Console.leave(with: await run(Array(CommandLine.arguments.dropFirst()))) }
// Runs the main actor on the main thread, which gets the signals. An `await` here would move it to a thread of Dispatch, which blocks them.
RunLoop.main.run()
