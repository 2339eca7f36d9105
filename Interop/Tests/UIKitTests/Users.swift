import UIKit

// The actions of a user on a control.

extension UITextField {
  func type(_ text: String) {
    self.text = text
    sendActions(for: .editingChanged)
  }
}

extension UITextView {
  func type(_ text: String) {
    self.text = text
    NotificationCenter.default.post(name: UITextView.textDidChangeNotification, object: self)
  }
}

extension UISwitch {
  func toggle(_ isOn: Bool) {
    self.isOn = isOn
    sendActions(for: .valueChanged)
  }
}
