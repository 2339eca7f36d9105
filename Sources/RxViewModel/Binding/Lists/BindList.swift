extension ObservableType {
  /// Shows each element in a list view.
  ///
  ///     viewModel.stateObservable.map(\.days).distinctUntilChanged().bind(to: list).disposed(by: bag)
  ///
  /// Delivers like ``bind(_:)``: on the main actor, in order, and a replayed element before this returns. Holds `list` weakly. Bind only a
  /// stream that doesn't fail: an error ends the subscription.
  @MainActor
  public func bind<Model, Item>(to list: ListDataSource<Model, Item>) -> any Disposable
  where Element == [SectionModel<Model, Item>] {
    bind { [weak list] sections in list?.show(sections) }
  }
}
