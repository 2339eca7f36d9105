// The code for older systems of the page *One screen in SwiftUI*, word for word. `SnippetTests` compares the two.
#if canImport(Combine)
  import Combine
  import RxViewModel
  import Testing

  @testable import TestSupport

  @MainActor
  final class ObservableSearch: ObservableObject {
    @Published private(set) var state = SearchState()
    @Published private(set) var isLoading = false
    let viewModel: SearchViewModel
    private let bag = DisposeBag()

    init(_ viewModel: SearchViewModel) {
      self.viewModel = viewModel
      viewModel.stateObservable.bind(to: self, \.state).disposed(by: bag)
      viewModel.isLoadingObservable.bind(to: self, \.isLoading).disposed(by: bag)
    }
  }

  @MainActor
  struct OlderSystemsTests {
    @Test func anObservableObjectShowsTheState() async throws {
      let viewModel = SearchViewModel { [$0.uppercased()] }
      let search = ObservableSearch(viewModel)
      #expect(search.state == SearchState())
      _ = try await viewModel.perform(.search("swift"))
      await settle { search.state.results == ["SWIFT"] && !search.isLoading }
      #expect(search.state.results == ["SWIFT"])
      #expect(!search.isLoading)
    }
  }
#endif
