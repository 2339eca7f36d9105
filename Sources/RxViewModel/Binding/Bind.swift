extension ObservableType {
  /// Calls `onNext` with each element, on the main actor and in order: the end of a stream in the view.
  ///
  ///     viewModel.stateObservable.map(\.isLoginEnabled).bind { [weak self] in self?.button.isEnabled = $0 }.disposed(by: bag)
  ///
  /// What the source replays is delivered before this returns (by an operator of several sources that another thread is sending
  /// through at that moment, as soon as the main actor is free). Later elements are delivered at once if they come on the main actor,
  /// otherwise as soon as it is free; none after a dispose on the main actor. An error that comes here is a programming mistake: it
  /// ends the subscription, and a debug build says so on standard error.
  @MainActor
  public func bind(_ onNext: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable {
    asObservable().onMainActor { event in
      switch event {
      case .next(let element): onNext(element)
      case .error(let error): reportInDebug("an error has reached bind(_:), which ends the subscription: \(error)")
      case .completed: break
      }
      return .more
    }
  }

  /// Writes each element to a property of `target`, as ``bind(_:)`` does. `target` is held weakly.
  ///
  ///     viewModel.isLoadingObservable.bind(to: spinner, \.isAnimating).disposed(by: bag)
  @MainActor
  public func bind<Target: AnyObject>(
    to target: Target, _ keyPath: ReferenceWritableKeyPath<Target, Element>
  ) -> any Disposable {
    bind { [weak target] element in target?[keyPath: keyPath] = element }
  }

  /// Writes each element to an optional property of `target`, as ``bind(_:)`` does. `target` is held weakly.
  ///
  ///     viewModel.stateObservable.map(\.title).bind(to: label, \.text).disposed(by: bag)
  @MainActor
  public func bind<Target: AnyObject>(
    to target: Target, _ keyPath: ReferenceWritableKeyPath<Target, Element?>
  ) -> any Disposable {
    bind { [weak target] element in target?[keyPath: keyPath] = element }
  }
}
