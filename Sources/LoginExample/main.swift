let console = StandardConsole()
console.leave(with: await Program.run(Array(CommandLine.arguments.dropFirst()), on: console))
