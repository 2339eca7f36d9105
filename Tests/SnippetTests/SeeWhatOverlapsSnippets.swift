// The code of the page *See what overlaps*, word for word. `SnippetTests` compares the two.
import Foundation
import RxViewModel
import RxViewModelRecording
import RxViewModelTesting
import Testing

@testable import RxViewModelInspector
@testable import TestSupport

/// The article on the inspector.
struct SeeWhatOverlapsSnippets {
  /// Only compiled, because the default folder is the same for all tests.
  private func watches(_ search: SearchViewModel) {
    // The article's code.
    #if DEBUG
      let inspector = Inspector()
      inspector.watch(search, name: "search")
    #endif
  }

  private func watches(_ cities: SearchViewModel, _ recorder: RxViewModelRecording.Recorder) {
    // The article's code.
    #if DEBUG
      let inspector = Inspector(recorder)
      inspector.watch(cities, name: "cities")
    #endif
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
  @Test func theTextNamesTheCause() {
    let scheduler = TestScheduler()
    let search = SearchViewModel(scheduler: scheduler) { text in [text] }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("inspected-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let inspector = Inspector(directory: folder, scheduler: scheduler) { _ in }
    inspector.watch(search, name: "search")
    search.execute(.search("a"))
    search.execute(.search("ab"))
    scheduler.run()
    func print(_ text: String) {
      #expect(
        text == """
          0 ms: search #1 search("a"): cancelled (superseded by #2)
          0 ms: search #2 search("ab"): completed

          """)
    }
    // The article's code.
    print(inspector.text)
  }
}
