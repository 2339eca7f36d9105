/// Holds the sections that a list view shows, and animates the view when they change.
///
/// The view's own data source reads ``sections``; ``show(_:)`` changes them together with the view:
///
///     final class MessagesScreen: UITableViewController {
///       lazy var list = ListDataSource<Day, Message>(tableView)
///       let bag = DisposeBag()
///
///       override func viewDidLoad() {
///         viewModel.stateObservable.map(\.days).distinctUntilChanged().bind(to: list).disposed(by: bag)
///       }
///       override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
///         list.sections[section].items.count
///       }
///     }
///
/// It compares new sections with the ones that the view shows, on the main actor. So a screen that was paused skips intermediate lists, and
/// shows the latest one in one change, of at most three batches: deletions; insertions and moves of sections; insertions and moves of items.
/// The data source holds the view weakly.
///
/// **Identity.** Sections and items are matched by identity. Duplicates are allowed: of equal identities in a section, the k-th matches the
/// k-th of the same section, and of the remaining ones, the k-th matches the k-th in any other section. Of sections with equal identities,
/// the k-th matches the k-th. If a section is deleted or inserted, its items are neither moved nor listed individually.
///
/// **Moves** are as few as possible: in each section, and among the sections, a longest run of elements that are in order stays in place.
/// If there are several such runs, it is unspecified which one stays.
///
/// **Cost.** O(n) for n items in both lists, plus O(m log n) for the m items that are out of order, or whose identity is also in another
/// section. The number of allocations is the number of changed sections plus about 20, whatever the number of items.
@MainActor
public final class ListDataSource<Model: Sendable & Equatable, Item: Sendable & Equatable> {
  /// The sections that the view shows now. During a batch these are the old ones until the view calls `setData`.
  public private(set) var sections: [SectionModel<Model, Item>] = []

  private weak var view: (any BatchUpdatingList)?
  private let changeset:
    (_ old: [SectionModel<Model, Item>], _ new: [SectionModel<Model, Item>]) -> StagedChangeset<Model, Item>
  private let shouldAnimate: (Int) -> Bool
  private var hasShown = false
  private var isShowing = false
  /// The sections of the last call of ``show(_:)`` from inside itself.
  private var waiting: [SectionModel<Model, Item>]?

  /// Creates a data source for `view` without sections, with closures that return the identities of a section and an item.
  ///
  /// The data source calls `shouldAnimate` with the number of changes while the view can animate, and reloads the view if it returns
  /// false. By default it returns true for up to 300 changes. Make sure that equal elements have equal identities.
  @inlinable
  public convenience init<SectionID: Hashable, ItemID: Hashable>(
    _ view: any BatchUpdatingList, sectionID: @escaping (Model) -> SectionID, itemID: @escaping (Item) -> ItemID,
    shouldAnimate: @escaping (_ changeCount: Int) -> Bool = { $0 <= 300 }
  ) {
    // In the user's module, where the types are known and the search for changes is specialized.
    self.init(view, shouldAnimate) {
      StagedChangeset(from: $0, to: $1, sectionID: sectionID, itemID: itemID)
    }
  }

  /// Creates a data source for `view` without sections, for sections and items that are `Identifiable`. Otherwise it behaves like the form
  /// with closures.
  @inlinable
  public convenience init(
    _ view: any BatchUpdatingList,
    shouldAnimate: @escaping (_ changeCount: Int) -> Bool = { $0 <= 300 }
  ) where Model: Identifiable, Item: Identifiable {
    self.init(view, shouldAnimate) { StagedChangeset(from: $0, to: $1) }
  }

  @usableFromInline
  init(
    _ view: any BatchUpdatingList, _ shouldAnimate: @escaping (Int) -> Bool,
    changeset: @escaping ([SectionModel<Model, Item>], [SectionModel<Model, Item>]) -> StagedChangeset<Model, Item>
  ) {
    (self.view, self.shouldAnimate, self.changeset) = (view, shouldAnimate, changeset)
  }

  /// The item at a path of ``sections``. Traps if they don't have that path.
  public subscript(path: ListChanges.ItemPath) -> Item { sections[path.section].items[path.item] }

  /// Shows `sections` instead of the current ones.
  ///
  /// Reloads the view the first time, and while the view can't animate, even if the sections are unchanged. Otherwise unchanged sections
  /// don't change the view. If `shouldAnimate` returns false, the view is reloaded. If it returns true, the view applies each stage as a
  /// batch, and then reconfigures the items and headers whose contents have changed.
  ///
  /// If the view or a closure of this data source calls this during a change, that call takes effect after the change; of several such
  /// calls only the last one counts. After the view has been released, only ``sections`` changes.
  ///
  /// A reload without a comparison costs O(1), in addition to the view's own work.
  public func show(_ sections: [SectionModel<Model, Item>]) {
    var last: [SectionModel<Model, Item>]? = sections
    swap(&last, &waiting)
    if isShowing { return }
    isShowing = true
    defer { isShowing = false }
    while let next = waiting.take() { change(to: next) }
  }

  private func change(to new: [SectionModel<Model, Item>]) {
    guard let view else { return set(new) }
    guard hasShown, view.canAnimate else { return reload(view, new) }
    let changeset = changeset(sections, new)
    if changeset.changeCount == 0 { return set(new) }
    guard shouldAnimate(changeset.changeCount) else { return reload(view, new) }
    for stage in changeset.stages {
      view.performBatchUpdates(stage.changes) { [self] in set(stage.sections) }
      // Even if the view has not called it.
      set(stage.sections)
    }
    set(new)
    if changeset.updatedItems.isEmpty, changeset.updatedSections.isEmpty { return }
    view.reconfigure(items: changeset.updatedItems, sections: changeset.updatedSections)
  }

  private func reload(_ view: any BatchUpdatingList, _ new: [SectionModel<Model, Item>]) {
    hasShown = true
    set(new)
    view.reloadData()
  }

  /// Stores the sections, and releases the old ones after the access to `sections` has ended.
  private func set(_ new: [SectionModel<Model, Item>]) {
    var last = new
    swap(&last, &sections)
  }
}
