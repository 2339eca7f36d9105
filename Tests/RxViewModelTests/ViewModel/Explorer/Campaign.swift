import Foundation
import RxViewModelTesting

/// A set of scenarios. The explorer runs each in every order, or in one random order.
enum Campaign: String, CaseIterable {
  case twoActions, twoThatAreCancelled, twoAndTheTurnsOfTheScheduler, threeActions, threeThatAreCancelled, sharedLanes,
    batches, children,
    sample, provoked, sampleOfChildren, provokedChildren
  /// All mixes of up to as many actions as the environment variable `EXPLORE` says.
  case all

  /// The campaigns that take seconds. If `EXPLORE` is set, only `all`, which takes minutes.
  static var ofTheStressTests: [Campaign] {
    let requested = ProcessInfo.processInfo.environment["EXPLORE"] != nil
    return requested ? [.all] : allCases.filter { $0 != .all && $0 != .twoAndTheTurnsOfTheScheduler }
  }

  /// The campaigns that run a few of their orders in every run of the tests.
  static let sampled: [Campaign] = [.sample, .provoked, .sampleOfChildren, .provokedChildren]

  /// The modes without two that other campaigns try, for campaigns of which each mode makes many more scenarios.
  private static let fewerKinds = Mode.Kind.allCases.filter { ![.keptDebounced, .joinWithKey].contains($0) }

  /// Runs the scenarios.
  ///
  /// - Parameter count: The number of random orders. By default as many as the campaign has.
  func run(_ explorer: inout Explorer, count: Int? = nil) {
    switch self {
    case .twoActions:
      let scripts: [EffectScript] = ["j", "mc", "[m]c", "e", "t", "mmc"]
      for plans in Self.mixes([scripts, scripts]) {
        explorer.explore(Scenario(plans: plans))
        if plans.contains(where: \.script.canFail) { explorer.explore(Scenario(plans: plans.map(\.recovering))) }
      }
    case .twoThatAreCancelled:
      for plans in Self.mixes([["[m]c", "mc"], ["j", "mc"]]) {
        for cancelled: Set<Int> in [[0], [0, 1]] {
          explorer.explore(Scenario(plans: plans, cancellations: [cancelled]))
        }
        explorer.explore(Scenario(plans: plans, clears: true))
      }
    case .twoAndTheTurnsOfTheScheduler:
      for plans in Self.mixes([["j", "mc"], ["[m]c"]], Self.fewerKinds) {
        explorer.explore(Scenario(plans: plans, turns: true))
      }
    case .threeActions:
      for script: EffectScript in ["[m]c", "e"] {
        for plans in Self.mixes([[script], [script], [script]], Self.fewerKinds) {
          explorer.explore(Scenario(plans: script.canFail ? plans.map(\.recovering) : plans))
        }
      }
    case .threeThatAreCancelled:
      for plans in Self.mixes([["[m]c"], ["[m]c"], ["[m]c"]], Self.fewerKinds) {
        for cancelled: Set<Int> in [[0], [0, 1]] {
          explorer.explore(Scenario(plans: plans, cancellations: [cancelled], isAtOnce: true))
        }
      }
    case .sharedLanes:
      for plans in Self.mixes(
        [["[m]c"], ["j", "mc"], ["mc"]], Self.fewerKinds.filter(Mode.Kind.withLane.contains), lane: "list")
      {
        explorer.explore(Scenario(plans: plans))
        explorer.explore(Scenario(plans: plans, cancellations: [[0, 1]], isAtOnce: true))
      }
    case .batches:
      exploreBatches(&explorer)
    case .children:
      exploreChildren(&explorer)
    case .sampleOfChildren:
      var random = SplitMix64(seed: 5)
      for _ in 0..<(count ?? 3_000) { explorer.sample(.randomWithChildren(using: &random), &random) }
    case .provokedChildren:
      var random = SplitMix64(seed: 6)
      for _ in 0..<(count ?? 6_000) { provoke(&explorer, &random, hasChildren: true) }
    case .sample:
      var random = SplitMix64(seed: 2)
      for _ in 0..<(count ?? 3_000) { explorer.sample(.random(using: &random), &random) }
    case .provoked:
      var random = SplitMix64(seed: 3)
      for _ in 0..<(count ?? 6_000) { provoke(&explorer, &random) }
    case .all:
      exploreAll(&explorer)
      var random = SplitMix64(seed: 4)
      for _ in 0..<200_000 {
        explorer.sample(.random(using: &random), &random)
        provoke(&explorer, &random)
      }
    }
  }

  /// Batches of two and three in a sequence of three actions, with cancellations.
  private func exploreBatches(_ explorer: inout Explorer) {
    let scripts: [EffectScript] = ["[m]c", "e", "j"]
    for (first, second) in scripts.flatMap({ first in scripts.map { (first, $0) } }) {
      let plans = [Plan(.sequence, first), Plan(.sequence, second), Plan(.sequence, "[m]c")]
      for batch in [0..<2, 1..<3, 0..<3] {
        for cancelled: [Set<Int>] in [[], [[0]], [[1]], [[2]], [[0, 1]]] {
          explorer.explore(Scenario(plans: plans, cancellations: cancelled, batch: batch))
        }
      }
    }
  }

  /// Two actions of a child or of its child, with each mode, and one that removes or replaces either of them: the view model's own, or an
  /// action of the child itself.
  private func exploreChildren(_ explorer: inout Explorer) {
    for (kind, change) in Mode.Kind.allCases.flatMap({ kind in ChildChange.allCases.map { (kind, $0) } }) {
      for (level, script) in [(1, "mmc"), (2, "mmc"), (2, "[m]c"), (1, "me")] as [(Int, EffectScript)] {
        let own = [Plan(kind, script).at(level: level), Plan(kind, "mc").at(level: level)]
        explorer.explore(Scenario(plans: own + [Plan(.parallel, "j").at(change)]))
        explorer.explore(Scenario(plans: [own[0].at(level: level, change).recovering, Plan(kind, "mc").at(level: 2)]))
      }
    }
  }

  /// Three actions, and moves made from inside a callback, an override, a mapper or a dispose action of one of them.
  private func provoke(_ explorer: inout Explorer, _ random: inout SplitMix64, hasChildren: Bool = false) {
    let scripts: [EffectScript] = ["j", "mmc", "[m]mc", "mme", "[m]mmx", "[mm]c", "mt", "[c]", ""]
    var plans = (0..<3).map { _ in
      var plan = Plan(Mode.Kind.allCases.randomElement(using: &random)!, scripts.randomElement(using: &random)!)
      plan.recovers = Bool.random(using: &random)
      return hasChildren ? plan.withChildren(using: &random) : plan
    }
    let batch = hasChildren ? [nil, 0..<2, 1..<3, 0..<3].randomElement(using: &random)! : nil
    for index in batch ?? 0..<0 { plans[index].mode = Mode(kind: .sequence) }
    let scenario = Scenario(
      plans: plans, cancellations: [[0], [1], [0, 1], [1, 2]], batch: batch, turns: Bool.random(using: &random))
    let inside: [Move] = [
      .accept, .effect(0), .effect(1), .effect(2), .cancel(0), .cancel(1), .cancel(2), .cancel(3), .clear,
    ]
    let provocation = Provocation(
      (CallbackPoint.allCases + [.waiting]).randomElement(using: &random)!, of: Int.random(in: 0..<3, using: &random),
      (0..<Int.random(in: 1...4, using: &random)).map { _ in inside.randomElement(using: &random)! })
    let beats: [Move] = [.effect(0), .effect(1), .effect(2)]
    let moves = ([.accept, .accept, .cancel(1)] + beats + beats + beats + [.turn, .turn, .turn]).shuffled(
      using: &random)
    explorer.provoke(scenario, [.accept] + moves + [.quiet, .accept, .turn], provocation)
  }

  /// All mixes of modes for up to `EXPLORE` actions that are executed at once. Either all actions send a mapper and complete, or one of
  /// them has another effect.
  private func exploreAll(_ explorer: inout Explorer) {
    let count = ProcessInfo.processInfo.environment["EXPLORE"].flatMap { Int($0) } ?? 5
    for count in 1...max(count, 1) {
      let usual = [EffectScript](repeating: "[m]c", count: count)
      var all = [usual]
      for (position, script) in (0..<count).flatMap({ index in
        (["j", "mc", "e", "[m]"] as [EffectScript]).map { (index, $0) }
      }) {
        all.append(usual)
        all[all.count - 1][position] = script
      }
      for scripts in all {
        for plans in Self.mixes(scripts.map { [$0] }) { explorer.explore(Scenario(plans: plans, isAtOnce: true)) }
      }
      print("up to \(count) actions: \(explorer.count) orders")
    }
  }

  /// Every mix of modes with every choice of scripts.
  ///
  /// - Parameter scripts: The scripts to choose from, for each action.
  private static func mixes(
    _ scripts: [[EffectScript]], _ kinds: [Mode.Kind] = Mode.Kind.allCases, lane: String? = nil
  ) -> [[Plan]] {
    scripts.reduce([[]]) { mixes, scripts in
      mixes.flatMap { mix in
        kinds.flatMap { kind in scripts.map { mix + [Plan(kind, $0, lane: lane)] } }
      }
    }
  }
}

extension Scenario {
  /// Four or five random actions, with any modes, effects and requests.
  static func random(using random: inout some RandomNumberGenerator) -> Scenario {
    func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
    let scripts: [EffectScript] = [
      "j", "mc", "[m]c", "e", "mmc", "x", "c", "t", "[mm]", "", "[t]", "[e]", "[m]me", "mtm", "mr", "[c]", "[x]",
    ]
    let count = Int.random(in: 4...5, using: &random)
    var plans = (0..<count).map { _ in
      let kind = Mode.Kind.allCases.randomElement(using: &random)!
      let hasLane = Mode.Kind.withLane.contains(kind)
      var plan = Plan(
        kind, scripts.randomElement(using: &random)!, lane: hasLane && oneIn(3) ? "x" : nil, spins: oneIn(2))
      plan.recovers = oneIn(2)
      return plan
    }
    var batch: Range<Int>?
    if oneIn(4) {
      let first = Int.random(in: 0...count - 2, using: &random)
      batch = first..<min(Int.random(in: first + 2...count, using: &random), first + 4)
      for index in batch! { plans[index].mode = Mode(kind: .sequence) }
    }
    let cancellations = (0..<Int.random(in: 0...2, using: &random)).map { _ in
      Set((0..<count).filter { _ in Bool.random(using: &random) })
    }
    return Scenario(
      plans: plans, cancellations: cancellations, clears: oneIn(5), batch: batch, isAtOnce: oneIn(5), turns: oneIn(2))
  }
}

extension Plan {
  /// The same action, at a random level. Every third one changes the children.
  func withChildren(using random: inout some RandomNumberGenerator) -> Plan {
    let change =
      Int.random(in: 0..<3, using: &random) == 0 ? ChildChange.allCases.randomElement(using: &random)! : .none
    return at(level: Int.random(in: 0...2, using: &random), change)
  }
}

extension Scenario {
  /// Four or five random actions of a view model and its children.
  static func randomWithChildren(using random: inout some RandomNumberGenerator) -> Scenario {
    var scenario = Scenario.random(using: &random)
    scenario.plans = scenario.plans.map { $0.withChildren(using: &random) }
    return scenario
  }
}
