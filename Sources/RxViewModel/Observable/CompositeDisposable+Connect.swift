extension CompositeDisposable {
  /// Subscribes to a source under a key that has been reserved for it.
  ///
  /// - Returns: The first step. The result is this disposable.
  @inlinable
  func connecting<Element>(
    _ source: Observable<Element>, _ key: Key, _ sink: @escaping Observable<Element>.Sink
  ) -> Connecting {
    if !source.isLong {
      set(key, to: source.connect(sink))
      return .done(self)
    }
    return .nested {
      source.connecting(sink)
    } then: { subscription in
      self.set(key, to: subscription)
      return .done(self)
    }
  }

  /// The same for a sink that ignores events once it has been disposed.
  @inlinable
  func connectingChecked<Element>(
    _ source: Observable<Element>, _ key: Key, _ sink: @escaping Observable<Element>.Sink
  ) -> Connecting {
    if !source.isLong {
      set(key, to: source.connectChecked(sink))
      return .done(self)
    }
    return .nested {
      source.connectingChecked(sink)
    } then: { subscription in
      self.set(key, to: subscription)
      return .done(self)
    }
  }
}
