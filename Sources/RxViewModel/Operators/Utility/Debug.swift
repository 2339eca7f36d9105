extension ObservableType {
  /// Writes a line for each subscription, event and disposal, and passes the events on.
  ///
  ///     source       --1--2--|
  ///     debug(taps)  --1--2--|
  ///
  /// ```text
  /// taps: subscribed
  /// taps: next(1)
  /// taps: completed
  /// taps: disposed
  /// ```
  ///
  /// Writes each line on the thread of the event, before it passes the event on. Writes `disposed` once: after the terminal event, or when
  /// the subscription is disposed. The lines contain no times and no addresses, so you can compare transcripts.
  ///
  /// - Parameters:
  ///   - label: The text at the beginning of each line.
  ///   - write: Writes a line. By default it prints the line.
  @inlinable
  public func debug(
    _ label: String, _ write: @escaping @Sendable (String) -> Void = { print($0) }
  ) -> Observable<Element> {
    self.do(
      onNext: { write("\(label): next(\(logText(of: $0)))") },
      onError: { write("\(label): error(\(logText(of: $0)))") },
      onCompleted: { write("\(label): completed") },
      onSubscribe: { write("\(label): subscribed") },
      onDispose: { write("\(label): disposed") })
  }
}
