#if canImport(UIKit)
  import RxViewModel
  import SwiftUI
  import UIKit

  /// The screen in UIKit. Its view model and its sheet are those of `CatalogueView`.
  final class CatalogueViewController: UITableViewController, UIAdaptivePresentationControllerDelegate {
    let search = UISearchTextField()
    private let viewModel: FeatureViewModel<Catalogue>
    private let spinner = UIActivityIndicatorView()
    private weak var sheet: UIViewController?
    private lazy var list = ListDataSource<Int, Book.ID>(tableView, sectionID: { $0 }, itemID: { $0 })
    private let bag = DisposeBag()

    init(_ viewModel: FeatureViewModel<Catalogue>) {
      self.viewModel = viewModel
      super.init(style: .plain)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(BookCell.self, forCellReuseIdentifier: "book")
      navigationItem.titleView = search
      navigationItem.rightBarButtonItem = UIBarButtonItem(customView: spinner)

      viewModel.property(\.text, set: Catalogue.Action.setText)
        .bind(edits: search.edits) { [weak search] text in search?.text = text }.disposed(by: bag)
      viewModel.stateObservable.map(\.ids).distinctUntilChanged().map { [SectionModel(model: 0, items: $0)] }
        .bind(to: list).disposed(by: bag)
      viewModel.isLoadingObservable
        .bind { [spinner] isLoading in isLoading ? spinner.startAnimating() : spinner.stopAnimating() }
        .disposed(by: bag)
      // The sheet shows its own failures.
      viewModel.actionAndErrorObservable.filter { if case .detail = $0.action { false } else { true } }
        .bind { [weak self] failure in self?.show(failure) }.disposed(by: bag)
      viewModel.stateObservable.map(\.detail?.id).distinctUntilChanged()
        .bind { [weak self] _ in self?.showSheet() }.disposed(by: bag)
      viewModel.execute(.search)
    }

    private func show(_ failure: ActionAndError<Catalogue.Action>) {
      if presentedViewController != nil { return }
      let message = failure.error.localizedDescription
      let alert = UIAlertController(title: "That didn't work", message: message, preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: "Try again", style: .default) { _ in failure.retry() })
      alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
      present(alert, animated: true)
    }

    // MARK: The sheet

    private func showSheet() {
      guard let detail = viewModel.slice(\.detail, Catalogue.Action.detail) else {
        sheet?.dismiss(animated: true)
        return
      }
      let sheet = UIHostingController(rootView: BookDetailView(detail: detail))
      sheet.presentationController?.delegate = self
      present(sheet, animated: true)
      self.sheet = sheet
    }

    func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
      viewModel.execute(.close)
    }

    // MARK: The rows

    override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
      list.sections[section].items.count
    }

    override func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
      let cell = tableView.dequeueReusableCell(withIdentifier: "book", for: indexPath)
      let id = list.sections[indexPath.section].items[indexPath.row]
      if let row = viewModel.slice(\.rows, id: id, { .row(id, $0) }) { (cell as? BookCell)?.show(row) }
      return cell
    }

    override func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {
      viewModel.execute(.open(list.sections[indexPath.section].items[indexPath.row]))
    }
  }

  /// Shows the slice of a row, and loads it.
  final class BookCell: UITableViewCell {
    private var bag = DisposeBag()

    func show(_ row: ViewModelSlice<BookRow.Action, BookRow.State>) {
      // Ends the subscription to the row that the cell showed before.
      bag = DisposeBag()
      row.stateObservable.bind { [weak self] row in
        var content = UIListContentConfiguration.cell()
        content.text = row.book.title
        content.secondaryText = row.copies.map { "\($0) left" }
        self?.contentConfiguration = content
        self?.accessoryType = row.book.notes.isRead ? .checkmark : .none
      }
      .disposed(by: bag)
      row.execute(.load)
    }
  }
#endif
