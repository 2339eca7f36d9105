import Foundation
import RxViewModel
import RxViewModelInspector
import RxViewModelRecording

/// A state of 100 KB.
private struct Items: Sendable, Equatable, Codable {
  struct Item: Sendable, Equatable, Codable {
    var id: Int
    var text: String
  }

  var items = (0..<1_000).map { Item(id: $0, text: String(repeating: "x", count: 100)) }
}

// Sendable: it stores nothing.
private final class ItemsViewModel: RxViewModel<Int, Items>, @unchecked Sendable {
  override func createInitialState() -> Items { Items() }
  override func createObservable(_ action: Int) -> Effect {
    .mutate { $0.items[action % 1_000].text = "changed by \(action)" }
  }
}

/// The parts of one core that 50 actions a second take beside a state of 100 KB.
func costOfInspection(seconds: Int) -> [(name: String, part: Double)] {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inspected-\(UUID())").path
  defer { try? FileManager.default.removeItem(atPath: folder) }
  func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  func part(_ viewModel: ItemsViewModel, _ inspector: Inspector?) -> Double {
    inspector?.watch(viewModel, name: "items")
    let start = processorTime()
    for number in 0..<(50 * seconds) {
      Thread.sleep(forTimeInterval: 0.02)
      viewModel.execute(number)
    }
    return (processorTime() - start) / Double(seconds)
  }
  let recorder = Recorder()
  return [
    ("no inspector", part(ItemsViewModel(), nil)),
    ("an inspector", part(ItemsViewModel(), Inspector(directory: folder))),
    (
      "an inspector with a recorder",
      part(recorder.record("items") { ItemsViewModel() }, Inspector(recorder, directory: folder))
    ),
  ]
}
