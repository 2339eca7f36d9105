import RxViewModel

/// What the line view prints.
enum LineFormat: Sendable {
  /// Sentences for people.
  case text
  /// One JSON object for each element of the view model's streams, for programs.
  case json

  /// What a view of `viewModel` prints, one line an element.
  func lines(of viewModel: LoginViewModel) -> Observable<String> {
    switch self {
    case .text: textLines(of: viewModel)
    case .json: jsonLines(of: viewModel)
    }
  }
}
