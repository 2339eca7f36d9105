import RxViewModelTesting
import Testing

/// The text of the failure that `body` throws. Records an issue, and returns an empty text, if it throws none.
func failureText(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) -> String {
  #expect(throws: TestFailure.self, sourceLocation: sourceLocation, performing: body)?.description ?? ""
}
