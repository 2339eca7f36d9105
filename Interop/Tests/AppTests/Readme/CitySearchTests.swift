import RxViewModel
import RxViewModelTesting
import Testing

@testable import App

@Test func resultsBelongToTheText() throws {
  try explore { run in
    let search = CitySearch(scheduler: run.scheduler) { text in
      try await run.arrival("answer to \(text)")
      return [text]
    }
    search.execute(.search("a"))
    run.mayArrive()
    search.execute(.search("ab"))
    run.allArrive()
    try run.expect(search.currentState.results == ["ab"])
  }
}
