import RxViewModel

/// The format in which the line view prints.
enum LineFormat: Sendable {
  /// Sentences for people.
  case text
  /// One JSON object for each element of the view model's streams, for programs.
  case json

  /// The lines that a view of `viewModel` prints, one per element.
  func lines(of viewModel: LoginViewModel) -> Observable<String> {
    switch self {
    case .text: textLines(of: viewModel)
    case .json: jsonLines(of: viewModel)
    }
  }
}
