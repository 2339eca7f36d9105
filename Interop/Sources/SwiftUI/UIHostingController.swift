import UIKit

/// A view controller that shows a SwiftUI view. A test reads its view with a `Screen`.
open class UIHostingController<Content: View>: UIViewController {
  open var rootView: Content

  public init(rootView: Content) {
    self.rootView = rootView
    super.init(nibName: nil, bundle: nil)
  }

  public required init?(coder: NSCoder) { nil }
}
