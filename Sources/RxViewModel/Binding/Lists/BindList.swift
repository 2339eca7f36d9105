extension ObservableType {
  /// Shows each element in a list view.
  ///
  ///     viewModel.stateObservable.map(\.days).distinctUntilChanged().bind(to: list).disposed(by: bag)
  ///
  /// It delivers as ``bind(_:)`` does: on the main actor, in order, and what the source replays before this returns. It
  /// holds `list` weakly. An error that comes here is a programming mistake and ends the subscription.
  @MainActor
  public func bind<Model, Item>(to list: ListDataSource<Model, Item>) -> any Disposable
  where Element == [SectionModel<Model, Item>] {
    bind { [weak list] sections in list?.show(sections) }
  }
}
