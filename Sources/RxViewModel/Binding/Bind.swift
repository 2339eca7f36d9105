extension ObservableType {
  /// Renders a stream in the view: calls `onNext` with each element, on the main actor and in order.
  ///
  ///     viewModel.stateObservable.map(\.isLoginEnabled).bind { [weak self] in self?.button.isEnabled = $0 }.disposed(by: bag)
  ///
  /// `bind` delivers the elements that the source replays before it returns. It delivers a later element immediately if the element arrives
  /// on the main actor and no earlier one waits, otherwise as soon as the main actor is free. Once you have disposed the binding on the
  /// main actor, it delivers nothing. Bind only streams that don't fail: an error ends the subscription, and a debug build reports it on
  /// standard error.
  ///
  /// If another thread is sending through an operator of several sources while you bind, `bind` delivers even the replayed elements as soon
  /// as the main actor is free.
  @MainActor
  public func bind(_ onNext: @escaping @MainActor @Sendable (Element) -> Void) -> any Disposable {
    asObservable().onMainActor { element in
      onNext(element)
      return .more
    } onEnd: { error in
      if let error { reportUnhandled(error, by: "bind", of: Element.self) }
    }
  }

  /// Renders a stream like ``bind(_:)``, with a closure that gets `owner`, so that you need no `[weak self]`.
  ///
  ///     viewModel.stateObservable.bind(with: self) { screen, state in screen.show(state) }.disposed(by: bag)
  ///
  /// The binding holds `owner` weakly, and calls nothing once `owner` has been released.
  @MainActor
  public func bind<Owner: AnyObject>(
    with owner: Owner, _ onNext: @escaping @MainActor @Sendable (Owner, Element) -> Void
  ) -> any Disposable {
    bind { [weak owner] element in if let owner { onNext(owner, element) } }
  }

  /// Writes each element to a property of `target`, like ``bind(_:)``.
  ///
  ///     viewModel.isLoadingObservable.bind(to: spinner, \.isAnimating).disposed(by: bag)
  ///
  /// The binding holds `target` weakly.
  @MainActor
  public func bind<Target: AnyObject>(
    to target: Target, _ keyPath: ReferenceWritableKeyPath<Target, Element>
  ) -> any Disposable {
    bind { [weak target] element in target?[keyPath: keyPath] = element }
  }

  /// Writes each element to an optional property of `target`, like ``bind(_:)``.
  ///
  ///     viewModel.stateObservable.map(\.title).bind(to: label, \.text).disposed(by: bag)
  ///
  /// The binding holds `target` weakly.
  @MainActor
  public func bind<Target: AnyObject>(
    to target: Target, _ keyPath: ReferenceWritableKeyPath<Target, Element?>
  ) -> any Disposable {
    bind { [weak target] element in target?[keyPath: keyPath] = element }
  }
}
