import RxViewModel

/// The field of the form of a person: shows each edit at once, and then what has become of it.
@MainActor
final class NicknameField {
  private let edits = PublishSubject<String>()
  private var lastEdit = 0

  /// - Parameter show: Sends the text, and the number of the last edit before it.
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
