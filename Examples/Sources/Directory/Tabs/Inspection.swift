import RxViewModelInspector
import RxViewModelRecording

/// What `--inspect` adds: a page that shows the view models of all tabs, and makes tests of what they record.
struct Inspection: Sendable {
  let recorder: Recorder
  let inspector: Inspector

  init() {
    recorder = Recorder(limit: Tab.recorded)
    inspector = Inspector(recorder)
  }
}
