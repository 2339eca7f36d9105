/// The errors that the library itself sends.
public enum RxError: Error, Equatable {
  /// No element arrived in time: see ``ObservableType/timeout(_:scheduler:)``.
  case timeout
}
