import Testing

@Suite struct ExplorerTests {
  @Test func probe() {
    let clock = ContinuousClock()
    var explorer = Explorer()
    var start = clock.now
    func report(_ name: String) {
      print("interleavings", name, explorer.count, clock.now - start)
      for f in explorer.faults.prefix(3) { print("   FAULT", f) }
      explorer = Explorer()
      start = clock.now
    }
    let kinds = Mode.Kind.allCases
    for a in kinds { for b in kinds { for s in ["j", "mc", "[m]c", "e", "mmc", "x", "c", "t"] as [Script] { for t in ["j", "mc", "[m]c", "e", "mmc", "x","c", "t"] as [Script] {
      explorer.explore(Scenario(plans: [Plan(a, s), Plan(b, t)]))
    } } } }
    report("pairs")
    for a in kinds { for b in kinds { for s in ["j", "mc", "mmc"] as [Script] { for t in ["j", "mc"] as [Script] {
      for c in [[0], [1], [0, 1]] as [Set<Int>] { for clears in [false, true] {
      explorer.explore(Scenario(plans: [Plan(a, s), Plan(b, t)], cancellations: [c], clears: clears)) }}
    } } } }
    report("pairs cancel")
    for a in kinds { for b in kinds { for s in ["j", "mc", "mmc"] as [Script] { for t in ["j", "mc"] as [Script] {
      explorer.explore(Scenario(plans: [Plan(a, s), Plan(b, t)], turns: true))
    } } } }
    report("pairs turns")
    for a in kinds { for b in kinds { for c in kinds { for s in ["[m]c", "m"] as [Script] {
      for x in [[0], [1], [2], [0, 1], [1,2], [0,1,2]] as [Set<Int>] {
      explorer.explore(Scenario(plans: [Plan(a, s), Plan(b, s), Plan(c, s)], cancellations: [x])) }
    } } } }
    report("triples cancel")
    for s in ["[m]c", "m", "e", "j", "[e]"] as [Script] { for t in ["[m]c", "m", "e", "j", "[e]"] as [Script] { for u in ["[m]c", "m", "e", "j", "[e]"] as [Script] {
      for x in [[], [[0]], [[1]], [[2]], [[0, 1]], [[1,2]], [[0,1,2]]] as [[Set<Int>]] { for batch in [0..<2, 1..<3, 0..<3] {
      explorer.explore(Scenario(plans: [Plan(.sequence, s), Plan(.sequence, t), Plan(.sequence, u)], cancellations: x, batch: batch)) } }
    } } } 
    report("batch cancel")
    var random = SystemRandomNumberGenerator()
    let scripts = ["j", "mc", "[m]c", "e", "mmc", "x", "c", "t", "[mm]", "", "[t]", "[e]", "[m]me", "mtm", "mr"] as [Script]
    for _ in 0..<10_000 {
      let count = Int.random(in: 3...5, using: &random)
      var plans = (0..<count).map { _ in
        Plan(kinds.randomElement(using: &random)!, scripts.randomElement(using: &random)!, lane: Int.random(in: 0..<4, using: &random) == 0 ? "x" : nil, spins: Bool.random(using: &random)) }
      var batch: Range<Int>?
      if Int.random(in: 0..<4, using: &random) == 0 {
        let first = Int.random(in: 0..<count - 1, using: &random)
        batch = first..<Int.random(in: first + 2...count, using: &random)
        if batch!.count > 4 { batch = nil }
      }
      for i in batch ?? 0..<0 { plans[i].mode = Mode(kind: .sequence) }
      for i in plans.indices where plans[i].mode.kind == .parallel || plans[i].mode.isInOrder { plans[i].mode.lane = nil }
      let cancellations = (0..<Int.random(in: 0...2, using: &random)).map { _ in Set((0..<count).filter { _ in Bool.random(using: &random) }) }
      explorer.sample(Scenario(plans: plans, cancellations: cancellations, clears: Int.random(in: 0..<5, using: &random) == 0, batch: batch, turns: Bool.random(using: &random)), &random)
    }
    report("sample")
  }
}
