// Table view controllers, alerts and sheets, as far as the sample in Examples uses them. A test calls the methods that UIKit would call.

// MARK: Tables

extension UITableView {
  public enum Style: Int, Sendable { case plain, grouped, insetGrouped }
}

open class UITableViewController: UIViewController {
  open var tableView: UITableView! = UITableView()

  public init(style: UITableView.Style) { super.init(nibName: nil, bundle: nil) }
  public required init?(coder: NSCoder) { nil }

  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
  open func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
}

extension IndexPath {
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  public var section: Int { self[0] }
  public var row: Int { self[1] }
}

open class UITableViewCell: UIView {
  public enum AccessoryType: Int, Sendable { case none, disclosureIndicator, detailDisclosureButton, checkmark }

  open var contentConfiguration: (any UIContentConfiguration)?
  open var accessoryType = AccessoryType.none

  public required override init() {}
}

public protocol UIContentConfiguration {}

@MainActor @preconcurrency public struct UIListContentConfiguration: UIContentConfiguration {
  public var text: String?
  public var secondaryText: String?

  public static func cell() -> UIListContentConfiguration { UIListContentConfiguration() }
}

open class UISearchTextField: UITextField {}

// MARK: Bars

@MainActor open class UINavigationItem: NSObject {
  open var titleView: UIView?
  open var rightBarButtonItem: UIBarButtonItem?
}

@MainActor open class UIBarButtonItem: NSObject {
  open var customView: UIView?

  public convenience init(customView: UIView) {
    self.init()
    self.customView = customView
  }
}

// MARK: Presentations

@MainActor open class UIPresentationController: NSObject {
  open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
}

@MainActor public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
  func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}

open class UIAlertController: UIViewController {
  public enum Style: Int, Sendable { case actionSheet, alert }

  open private(set) var actions: [UIAlertAction] = []
  open var message: String?

  public convenience init(title: String?, message: String?, preferredStyle: Style) {
    self.init(nibName: nil, bundle: nil)
    (self.title, self.message) = (title, message)
  }

  open func addAction(_ action: UIAlertAction) { actions.append(action) }
}

@MainActor open class UIAlertAction {
  public enum Style: Int, Sendable { case `default`, cancel, destructive }

  open private(set) var title: String?
  /// A test calls it in place of a tap. UIKit doesn't show it.
  public let handler: ((UIAlertAction) -> Void)?

  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
    (self.title, self.handler) = (title, handler)
  }
}
