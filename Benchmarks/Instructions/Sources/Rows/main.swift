// Does one row's operation a given number of times: Rows ROW COUNT. Without arguments, prints the names of the rows.
//
// `count-instructions` counts the instructions of an operation as the difference between two runs.

let rows = viewModelRows + streamRows

let arguments = CommandLine.arguments
if arguments.count == 3, let row = rows.first(where: { $0.name == arguments[1] }), let count = Int(arguments[2]) {
  row.run(count)
} else {
  for row in rows { print(row.name) }
}
