import CAllocations
import Foundation

let usage = """
  Usage: Benchmarks [--quick] [--filter TEXT] [--readme FILE] [--svg FILE]

  Measures the library against hand-written code and OpenCombine, in turns, in one run.

    --quick          runs a fraction of the work once, and checks sums and allocations, but no times
    --filter TEXT    runs only the workloads whose names contain TEXT
    --readme FILE    replaces the figures in the rows of FILE's two tables; not with --quick or --filter
    --svg FILE       draws the outcomes as bars to FILE: with --readme, those that have a row there

  Exit code: 0; 1 if a sum is wrong or the library allocates more than it may; 64 if the options are wrong.

  """
var (isQuick, filter, files) = (false, "", [String: String]())
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
  switch argument {
  case "--quick": isQuick = true
  case "--filter", "--readme", "--svg":
    guard let value = arguments.popFirst() else {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(64)
    }
    if argument == "--filter" { filter = value } else { files[argument] = value }
  default:
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
  }
}
if files["--readme"] != nil, isQuick || !filter.isEmpty {
  FileHandle.standardError.write(Data(usage.utf8))
  exit(64)
}

let all = [
  subjects(), wideSubjects(), operators(), subscriptions(), viewModels(), wideViewModels(), modes(), children(),
  rows(), lists(), pages(),
]
let workloads = all.joined().filter {
  filter.isEmpty || $0.name.contains(filter)
}
var outcomes: [Outcome] = []
var complaints: [String] = []
for workload in workloads {
  do {
    let outcome = try measure(workload, repetitions: isQuick ? 1 : 9, scale: isQuick ? 0.05 : 1)
    outcomes.append(outcome)
    if let allowed = workload.allocations, let seen = outcome.result(of: Workload.ours)?.allocations,
      seen > allowed + 0.01
    {
      complaints.append("\(workload.name): \(Report.decimal(seen)) allocations, more than \(Report.decimal(allowed))")
    }
  } catch {
    complaints.append("\(error)")
  }
}
print(Report.all.text(outcomes))
if allocations_in_use() > 0, filter.isEmpty {
  let bytes = bytesPerQueuedAction(isQuick ? 50_000 : 1_000_000) { Int(allocations_in_use()) }
  print(
    "\nbytes for each queued action: limit \(Report.number(bytes.limit)), RxViewModel \(Report.number(bytes.ours)), goal ≤ 100"
  )
  if bytes.ours > 110 { complaints.append("a queued action takes \(Report.number(bytes.ours)) bytes") }
}
if allocations_in_use() > 0, filter.isEmpty || "memory".contains(filter) {
  for (name, bytes, goal) in memoryOfIdleThings(isQuick ? 10_000 : 100_000, inUse: { Int(allocations_in_use()) }) {
    print("bytes for \(name): \(Report.number(bytes))" + (goal.map { ", goal ≤ \($0)" } ?? ""))
  }
}
if filter.isEmpty || "inspector".contains(filter) {
  for (name, part) in costOfInspection(seconds: isQuick ? 1 : 20) {
    print("50 actions a second beside a state of 100 KB, \(name): \(Report.decimal(part * 100)) % of a core")
  }
}
var drawn = outcomes
if let file = files["--readme"] {
  let page = try String(contentsOfFile: file, encoding: .utf8)
  try Report.readme(page, with: outcomes).write(toFile: file, atomically: true, encoding: .utf8)
  drawn = Report.listed(outcomes, in: page)
}
if let file = files["--svg"] { try Chart.svg(drawn).write(toFile: file, atomically: true, encoding: .utf8) }
for complaint in complaints { FileHandle.standardError.write(Data("Benchmarks: \(complaint)\n".utf8)) }
exit(complaints.isEmpty ? 0 : 1)
