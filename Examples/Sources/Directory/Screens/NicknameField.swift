import RxViewModel

/// The nickname field of a form. Each text that it sends to the page carries the number of the last edit, because the page may have sent
/// another edit meanwhile.
@MainActor
final class NicknameField {
  private let edits = PublishSubject<String>()
  private var lastEdit = 0

  /// - Parameter show: Sends a text and the number of the last edit.
  init(_ nickname: MutableProperty<String>, _ bag: DisposeBag, show: @escaping @MainActor (String, Int) -> Void) {
    nickname.bind(edits: edits) { [weak self] text in
      if let self { show(text, lastEdit) }
    }.disposed(by: bag)
  }

  func receive(_ text: String, edit: Int) {
    lastEdit = edit
    edits.onNext(text)
  }
}
