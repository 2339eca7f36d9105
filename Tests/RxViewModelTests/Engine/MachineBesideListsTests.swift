import RxViewModelTesting
import Testing

@testable import RxViewModel

/// A machine that takes random steps, and a plain list for each of its lanes beside it.
private final class MachineBesideLists {
  typealias Run = EngineRun<Int, Int>

  enum Status {
    case waiting, running, ending
  }

  private struct Kind {
    let mode: ExecutionMode
    /// Nil for an action without a lane.
    let lane: String?
    /// The action begins when fewer actions before it in its list are unfinished.
    var limit = Int.max
    var isOrdered = false
    var switches = false
    var drops = false
  }

  private static let kinds: [Kind] = [
    Kind(mode: .parallel, lane: nil),
    Kind(mode: .sequence("x"), lane: "x", limit: 1),
    Kind(mode: .parallel("x", limit: 2), lane: "x", limit: 2),
    Kind(mode: .parallel("x", limit: 4), lane: "x", limit: 4),
    Kind(mode: .switchLatest("x"), lane: "x", switches: true),
    Kind(mode: .switchLatest("x", after: .seconds(1)), lane: "x", limit: 0, switches: true),
    Kind(mode: .dropWhileBusy("x"), lane: "x", drops: true),
    Kind(mode: .sequence, lane: "sequence", limit: 1),
    Kind(mode: .parallel(limit: 3), lane: "limits", limit: 3),
    Kind(mode: .parallelOrdered, lane: "ordered", isOrdered: true),
    Kind(mode: .parallelDeferred, lane: "ordered", limit: 1),
  ]

  private var machine = Machine<Int, Int>()
  private var random: SplitMix64
  private let hasAscendingIDs: Bool
  private var lastID: UInt64 = 0
  private var kinds: [UInt64: Kind] = [:]
  private var status: [UInt64: Status] = [:]
  private var lists: [String: [Run]] = [:]
  /// As the table of the outputs does, this keeps the runs alive.
  private var runs: [Run] = []
  private(set) var begun = 0
  private(set) var (kept, notKept) = (0, 0)
  private(set) var faults: [String] = []

  init(seed: UInt64, hasAscendingIDs: Bool) {
    random = SplitMix64(seed: seed)
    self.hasAscendingIDs = hasAscendingIDs
    newTurn()
  }

  private func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  private func fault(_ text: String) {
    if faults.count < 3 { faults.append(text) }
  }

  // MARK: The lists

  private func waiting(_ lane: String) -> (run: Run, before: [Run])? {
    guard let list = lists[lane], let index = list.firstIndex(where: { status[$0.id] == .waiting }) else { return nil }
    return (list[index], Array(list[..<index]))
  }

  /// Whether an action of the lane waits for nothing but its turn, once those that are ending have ended.
  private func isReady(_ lane: String) -> Bool {
    waiting(lane).map { run, before in before.count { status[$0.id] != .ending } < kinds[run.id]!.limit } ?? false
  }

  private var isAnyReady: Bool { lists.keys.contains { isReady($0) } }

  // MARK: Moves

  private func accept() {
    lastID += 1
    let id = hasAscendingIDs ? lastID : UInt64.random(in: 1..<UInt64.max, using: &random)
    let kind = Self.kinds.randomElement(using: &random)!
    let run = ActionRun<Int, Int>(0, id: id, mode: kind.mode)
    kinds[id] = kind
    runs.append(run)
    machine.inputs.append(.run(run))
  }

  /// Ends a few actions, as a request to cancel does.
  private func endSome() {
    if !machine.ends.isEmpty { return }
    let all = runs.filter { status[$0.id] == .waiting || status[$0.id] == .running || $0.stage == .queued }
    for run in all.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)) {
      if status[run.id] != nil { status[run.id] = .ending }
      machine.end(run, .cancelled)
    }
  }

  private func passQuietTime() {
    let waiting = runs.filter { kinds[$0.id]!.limit == 0 && status[$0.id] == .waiting }
    if let run = waiting.randomElement(using: &random) { machine.inputs.append(.quiet(run)) }
  }

  private func newTurn() {
    machine.renew()
    machine.allowance.pieces = Int.random(in: 1...6, using: &random)
    machine.allowance.ends = Int.random(in: 1...4, using: &random)
    machine.allowance.releases = Int.random(in: 1...4, using: &random)
    machine.waiting = machine.inputs.count
  }

  private func admit(_ run: Run) {
    let kind = kinds[run.id]!
    guard let lane = kind.lane else {
      if !machine.admit(run) { fault("parallel waits") }
      status[run.id] = .running
      machine.beginning = (run, .announce)
      return
    }
    let others = lists[lane, default: []]
    if kind.drops, !others.isEmpty {
      if machine.admit(run) || run.stage != .ending { fault("dropWhileBusy is not dropped") }
      return
    }
    if kind.switches { for other in others { status[other.id] = .ending } }
    let isFree = !others.contains { status[$0.id] == .waiting } && others.count < kind.limit
    let begins = kind.isOrdered || isFree
    lists[lane, default: []].append(run)
    status[run.id] = begins ? .running : .waiting
    if machine.admit(run) != begins { fault("\(kind.mode) begins \(!begins) behind \(others.count)") }
    if begins { machine.beginning = (run, .announce) }
  }

  /// Does the machine's next step. Returns false at the end of the turn.
  private func step() -> Bool {
    switch machine.next(isInside: false) {
    case .end:
      let (run, _) = machine.ends.popFirst()!
      machine.allowance.ends -= 1
      if !machine.hasEnded(run, isDisturbed: chance(50)) { machine.allowance.releases -= 1 }
      status[run.id] = nil
      if let lane = kinds[run.id]!.lane {
        lists[lane]?.removeAll { $0 === run }
        if lists[lane]?.isEmpty == true { lists[lane] = nil }
      }
    case .begin:
      let (run, _) = machine.beginning.take()!
      begun += 1
      run.place = .loading(at: 0)
      if status[run.id] == .waiting {
        let (first, before) = waiting(kinds[run.id]!.lane!)!
        if first !== run || before.count >= kinds[run.id]!.limit { fault("\(run.id) begins too early") }
        status[run.id] = .running
      } else if status[run.id] != .running {
        fault("\(run.id) begins although it is \(String(describing: status[run.id]))")
      }
    case .release:
      machine.allowance.pieces -= 1
      guard let run = machine.releasing, run === lists["ordered"]?.first else {
        fault("held events of another than the first are released")
        return false
      }
      _ = run.held.popFirst()
    case .stopLoading:
      _ = machine.jobs.popFirst()
      machine.allowance.releases -= 1
    case .input:
      machine.waiting -= 1
      machine.allowance.pieces -= 1
      switch machine.inputs.popFirst()! {
      case .run(let run): if run.stage == .queued { admit(run) }
      case .quiet(let run):
        let begins = status[run.id] == .waiting
        machine.quietTimeIsOver(for: run)
        if begins { status[run.id] = .running }
      default: break
      }
    case .finishTurn: return false
    case .cancel, .fold, .receive: fault("unexpected step")
    }
    return true
  }

  /// Reading changes the lanes, so this is not called after each step.
  private func compare() {
    let expected = machine.beginning != nil || isAnyReady
    if machine.keepsAlive != expected { fault("keepsAlive is not \(expected)") }
    if expected { kept += 1 } else { notKept += 1 }
    if machine.lanes.count != lists.count { fault("\(machine.lanes.count) lanes instead of \(lists.count)") }
    for lane in machine.lanes.values {
      let list = lists[kinds[lane.first!.id]!.lane!]!
      let order = Array(sequence(first: lane.first!, next: { $0.next }))
      if !order.elementsEqual(list, by: ===) { fault("another order") }
      if lane.isReady != isReady(kinds[lane.first!.id]!.lane!) { fault("isReady") }
      let candidate = waiting(kinds[lane.first!.id]!.lane!).flatMap { run, before in
        before.count < kinds[run.id]!.limit ? run : nil
      }
      if lane.candidate !== candidate { fault("candidate") }
      let before = list.firstIndex { status[$0.id] == .waiting } ?? list.count
      if lane.ahead != before { fault("ahead is \(lane.ahead) instead of \(before)") }
    }
  }

  func run(moves: Int) {
    for _ in 0..<moves where faults.isEmpty {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3: accept()
      case 3: endSome()
      case 4: passQuietTime()
      case 5:
        let ordered = (lists["ordered"] ?? []).filter { kinds[$0.id]!.isOrdered && status[$0.id] == .running }
        if let run = ordered.randomElement(using: &random), machine.isHeld(run) { run.held.append(.completed) }
      default:
        if step() {
          if chance(20) { compare() }
        } else {
          compare()
          newTurn()
        }
      }
    }
    // Until nothing is left to do. Then no action may wait for its turn.
    for _ in 0..<100_000 where faults.isEmpty {
      if step() { continue }
      compare()
      if machine.isIdle, machine.inputs.isEmpty {
        if isAnyReady { fault("an action whose turn has come waits") }
        if let first = lists["ordered"]?.first, status[first.id] == .running, !first.held.isEmpty {
          fault("the first ordered action holds events")
        }
        return
      }
      newTurn()
    }
    if faults.isEmpty { fault("no end") }
  }
}

// contract 2, execution modes, and 2.9: lanes of all modes, in turns that end between any two steps
@Suite struct MachineBesideListsTests {
  @Test(arguments: [true, false]) func aMachineDoesWhatPlainListsDo(hasAscendingIDs: Bool) {
    var (begun, kept, notKept) = (0, 0, 0)
    for seed in 0..<400 as Range<UInt64> {
      let machine = MachineBesideLists(seed: seed, hasAscendingIDs: hasAscendingIDs)
      machine.run(moves: 300)
      (begun, kept, notKept) = (begun + machine.begun, kept + machine.kept, notKept + machine.notKept)
      #expect(machine.faults == [], "seed \(seed)")
      if !machine.faults.isEmpty { return }
    }
    #expect(begun > 1_000 && kept > 1_000 && notKept > 1_000)
  }
}
