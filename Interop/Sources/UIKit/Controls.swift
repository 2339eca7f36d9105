// The declarations of UIKit that the README and the articles use, with the same signatures: enough to type-check them. Nothing is drawn.

extension UIView {
  public struct AutoresizingMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let flexibleWidth = AutoresizingMask(rawValue: 2)
    public static let flexibleHeight = AutoresizingMask(rawValue: 16)
  }

  public var backgroundColor: UIColor? {
    get { nil }
    set { _ = newValue }
  }
  public var bounds: CGRect { .zero }
  public var frame: CGRect {
    get { .zero }
    set { _ = newValue }
  }
  public var autoresizingMask: AutoresizingMask {
    get { [] }
    set { _ = newValue }
  }
  public func addSubview(_ view: UIView) {}
}

public final class UIColor: NSObject, Sendable {
  public static let systemBackground = UIColor()
}

open class UITextView: UIView {
  public class var textDidChangeNotification: NSNotification.Name {
    NSNotification.Name("UITextViewTextDidChangeNotification")
  }

  open var text: String! = ""
}

open class UILabel: UIView {
  open var text: String?
}

open class UIActivityIndicatorView: UIView {
  open func startAnimating() {}
  open func stopAnimating() {}
}

open class UIStackView: UIView {
  public convenience init(arrangedSubviews views: [UIView]) { self.init() }
  public var axis = NSLayoutConstraint.Axis.horizontal
}

public enum NSLayoutConstraint {
  public enum Axis: Int, Sendable { case horizontal, vertical }
}

// MARK: View controllers

@MainActor open class UIViewController: NSObject {
  open var view: UIView! = UIView()
  open var title: String?
  open var navigationController: UINavigationController? { nil }

  public init(nibName: String?, bundle: Bundle?) {}
  public required init?(coder: NSCoder) { nil }
  public convenience override init() { self.init(nibName: nil, bundle: nil) }

  open func viewDidLoad() {}
  open func viewDidAppear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}

  public let navigationItem = UINavigationItem()
  public lazy var presentationController: UIPresentationController? = UIPresentationController()
  open private(set) var presentedViewController: UIViewController?
  open private(set) weak var presentingViewController: UIViewController?

  open func present(_ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil) {
    presentedViewController = controller
    controller.presentingViewController = self
  }

  /// Dismisses what it presents or, if it presents nothing, itself.
  open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
    (presentedViewController == nil ? presentingViewController : self)?.presentedViewController = nil
  }
}

open class UINavigationController: UIViewController {
  open weak var delegate: (any UINavigationControllerDelegate)?
  open func pushViewController(_ controller: UIViewController, animated: Bool) {}
  open func popViewController(animated: Bool) -> UIViewController? { nil }
}

@MainActor public protocol UINavigationControllerDelegate: AnyObject {
  func navigationController(
    _ controller: UINavigationController, didShow screen: UIViewController, animated: Bool)
}
