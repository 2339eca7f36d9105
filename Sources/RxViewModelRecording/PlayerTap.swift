import Foundation
import RxViewModel

/// A view model that a recording is played to. Only the thread that plays uses it.
package protocol PlayedModel: AnyObject, Sendable {
  var model: Int { get }
  /// The name of the view model's type.
  var name: String { get }
  var isReleased: Bool { get }
  /// The newest state as text.
  var stateText: String { get }
  /// Executes the action of the entry. Returns false if it cannot be decoded.
  func execute(_ entry: Entry) -> Bool
  /// Hands the input that has waited for this mark to the view model. Returns false if there is none.
  func release(_ entry: Entry) -> Bool
  /// Before the view model takes an input: the requests to cancel that come while it handles it.
  func expect(_ cancellations: [Entry])
  /// Makes a request that the view model has not met while it handled an input.
  func cancel(_ entry: Entry)
  func resume(_ entry: Entry)
  /// Compares the next state since the last input.
  func compare(_ entry: Entry)
  func clear()
  func hasEnded(_ action: Int?) -> Bool
}

/// Lets a view model take what a recording has, in its order.
// Sendable: only the thread that plays uses it.
final class PlayerTap<A: Codable & Sendable, S: Sendable>: EngineTap, PlayedModel, @unchecked Sendable {
  private enum Key: Equatable {
    case own(model: Int, action: Int)
    case event(Int)
    case quiet(Int)
    case call, failure
  }

  private struct Held {
    let key: Key
    /// The number and the text of an action.
    let action: (id: UInt64, text: JSON?)?
    let later: @Sendable () -> Void
  }

  let model: Int
  private let playback: Playback
  private let codes: Codes
  weak var viewModel: RxViewModel<A, S>?
  private let turn: EffectOrigin
  private var origins: [UInt64: EffectOrigin] = [:]
  private var ended: Set<Int> = []
  /// The numbers that the recording has for the engine's.
  private var numbers: [UInt64: Int] = [:]
  private var own: [UInt64: any WorkOrigin] = [:]
  private var held: [Held] = []
  private var allowed: [Key] = []
  private var isIssuing = false
  private var nextNumber: Int?
  private var batches: [Int: AnyObject] = [:]
  private var stopped: [Int: (number: Int, rest: AnyObject)] = [:]
  private var cancellations: [Entry] = []
  /// Whether the view model has taken the input that they come after.
  private var hasTakenTheirs = false
  private var hasTaken = false
  private var states: [String] = []
  private(set) var stateText = ""

  init(_ playback: Playback, _ model: Int, _ codes: Codes) {
    (self.playback, self.model, self.codes) = (playback, model, codes)
    turn = EffectOrigin(model: model, action: 0)
  }

  // MARK: Calls of the engine

  func open<State>(_ state: State, isFollowed: Bool) -> State {
    let state = recorded(state, isFollowed: isFollowed)
    if isFollowed {
      fold(state)
      if isRestart { states = [] }
    }
    return state
  }

  /// At a restart point, the state holds the elements of the sources already.
  private var isRestart: Bool { entry?.isRestart == true }

  private var entry: Entry? { playback.entries.first { $0.kind == .model && $0.model == model } }

  private func recorded<State>(_ state: State, isFollowed: Bool) -> State {
    guard isFollowed == isRestart, let json = entry?.fields[2], json != .null, let type = S.self as? any Decodable.Type
    else { return state }
    return (try? codes.decode(type, json)) as? State ?? state
  }

  func close() {}

  func rest() {}

  func accept(_ id: UInt64) {
    if let number = nextNumber {
      numbers[id] = number
      nextNumber = nil
    } else if let origin = Taps.origin {
      own[id] = origin
    }
  }

  func send(_ id: UInt64) {}

  func cancel(_ running: [UInt64], after looks: Int?) -> Bool { looks == nil || isIssuing || !playback.holds }

  func take(_ input: TappedInput, later: @escaping @Sendable () -> Void) -> Bool {
    let key: Key
    var heldAction: (id: UInt64, text: JSON?)?
    switch input {
    case .action(let id, let action, _, _, _):
      if numbers[id] != nil { return taking() }
      guard playback.holds, let origin = own.removeValue(forKey: id) else {
        numbers[id] = playback.freshNumber()
        return taking()
      }
      key = .own(model: origin.model, action: origin.action)
      let text = codes.encode(action as! A, within: .max)
      heldAction = (id, try? Coding.value(JSON.self, from: Data(text.utf8)))
    case .event(let id): key = .event(number(of: id))
    case .quiet(let id): key = .quiet(number(of: id))
    case .call: key = .call
    case .failure: key = .failure
    case .resume, .pause: return taking()
    }
    if !playback.holds { return taking() }
    if heldAction == nil, let index = allowed.firstIndex(of: key) {
      allowed.remove(at: index)
      return taking()
    }
    held.append(Held(key: key, action: heldAction, later: later))
    return false
  }

  private func taking() -> Bool {
    // The text of a recording that is written by hand may leave out the first state.
    if hasTaken, playback.hasStates, let text = states.first {
      playback.departInState("the recording does not have the state \(text)")
    }
    (hasTaken, hasTakenTheirs, states) = (true, true, [])
    return true
  }

  func cancelled(after looks: Int) -> [UInt64] {
    if !hasTakenTheirs { return [] }
    let isDue = { (entry: Entry) in entry.fields[1].integer ?? 0 <= looks }
    let due = cancellations.prefix(while: isDue)
    cancellations.removeFirst(due.count)
    return due.flatMap { ids($0) }
  }

  func fold(_ state: Any) {
    guard let state = state as? S else { return }
    stateText = logText(of: codes.redacted(state))
    states.append(stateText)
  }

  func end(_ id: UInt64) {
    origins.removeValue(forKey: id)?.isOver = true
    ended.insert(number(of: id))
  }

  func origin(of id: UInt64) -> any WorkOrigin {
    if id == 0 { return turn }
    if let origin = origins[id] { return origin }
    let origin = EffectOrigin(model: model, action: number(of: id))
    origins[id] = origin
    return origin
  }

  private func number(of id: UInt64) -> Int {
    let number = Int(truncatingIfNeeded: id)
    return number < 0 ? number : numbers[id] ?? number
  }

  // MARK: Calls of the player

  func execute(_ entry: Entry) -> Bool {
    // The number, the origin of an action that no turn has taken, the action, its mode, its batch.
    let fields = entry.kind == .gone ? [entry.fields[0]] + entry.fields.dropFirst(2) : entry.fields
    guard let viewModel, let action = try? codes.decode(A.self, fields[1]) else { return false }
    let mode = fields.count > 2 ? try? codes.decode(TappedMode.self, fields[2]) : nil
    var batch: AnyObject?
    if fields.count > 3, let key = fields[3].integer {
      batch = self.batch(key, of: entry)
    }
    nextNumber = entry.action
    viewModel.execute(action, mode, batch: batch)
    nextNumber = nil
    if entry.kind == .gone { cancelActions(ids([entry.action ?? 0])) }
    return true
  }

  /// An action that was cancelled before a turn took it stands before earlier ones of its batch. It stops only the later ones.
  private func batch(_ key: Int, of entry: Entry) -> AnyObject {
    let number = entry.action ?? 0
    if let stopped = stopped[key], number > stopped.number { return stopped.rest }
    let isGone = entry.kind == .gone
    let batch = isGone ? nil : batches[key]
    let made = batch ?? RxViewModel<A, S>.makeBatch()
    if isGone { stopped[key] = (number, made) } else { batches[key] = made }
    return made
  }

  func release(_ entry: Entry) -> Bool {
    let key: Key
    switch entry.kind {
    case .own, .gone:
      guard let origin = entry.fields[1].array else { return execute(entry) }
      key = .own(model: origin.first?.integer ?? -1, action: origin.last?.integer ?? -1)
    case .event: key = .event(entry.action ?? 0)
    case .quiet: key = .quiet(entry.action ?? 0)
    case .call: key = .call
    default: key = .failure
    }
    let candidates = held.indices.filter { held[$0].key == key }
    let same = candidates.first { entry.fields.count < 3 || held[$0].action?.text == entry.fields[2] }
    guard let index = same ?? candidates.first else { return false }
    let input = held.remove(at: index)
    if let action = input.action { numbers[action.id] = entry.action } else { allowed.append(key) }
    input.later()
    if entry.kind == .gone { cancelActions(ids([entry.action ?? 0])) }
    return true
  }

  func expect(_ cancellations: [Entry]) { (self.cancellations, hasTakenTheirs) = (cancellations, false) }

  func cancel(_ entry: Entry) {
    guard let index = cancellations.firstIndex(of: entry) else { return }
    cancellations.remove(at: index)
    cancelActions(ids(entry))
  }

  private func ids(_ entry: Entry) -> [UInt64] { ids(Set((entry.fields[0].array ?? []).compactMap(\.integer))) }

  private func ids(_ named: Set<Int>) -> [UInt64] { numbers.filter { named.contains($0.value) }.map(\.key) }

  private func cancelActions(_ ids: [UInt64]) {
    isIssuing = true
    viewModel?.cancelActions(ids)
    isIssuing = false
  }

  func resume(_ entry: Entry) {
    let screen = UInt64(max(entry.fields[0].integer ?? 0, 0))
    if entry.kind == .resume { viewModel?.resume(screen) } else { viewModel?.pause(screen) }
  }

  func compare(_ entry: Entry) {
    let digest = entry.fields[0].string ?? ""
    if states.isEmpty { return playback.departInState("a state is missing where the recording has one") }
    let text = states.removeFirst()
    if Digest.text(of: text) == digest { return }
    let before = entry.fields.count > 1 ? entry.fields[1].string ?? digest : digest
    playback.departInState("a state differs at \(entry.time) ms: \(text) instead of \(before)")
  }

  func clear() { viewModel?.clear() }

  var name: String { viewModel.map { "\(type(of: $0))" } ?? "" }

  var isReleased: Bool { viewModel == nil }

  func hasEnded(_ action: Int?) -> Bool { action.map { ended.contains($0) } ?? false }
}
