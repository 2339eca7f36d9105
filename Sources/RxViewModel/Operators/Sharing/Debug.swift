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
  /// A line is written where its event comes, before that is passed on. `disposed` comes once: after the terminal event, or when the
  /// subscription is disposed. The lines hold no times and no addresses, so that transcripts can be compared.
  ///
  /// - Parameters:
  ///   - label: Begins each line.
  ///   - write: Prints the line by default.
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
