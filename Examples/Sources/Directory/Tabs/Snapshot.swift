/// What the view models of a tab hold, to compare a page with.
struct Snapshot: Encodable, Sendable {
  let paths: [String]
  /// Whether the tab's lifecycle is resumed.
  let isResumed: Bool
  var sections: [SectionView] = []
  var query: String?
  var username: String?
  var nickname: String?
  var color: String?
  var secondsAgo: Int?
  var error: String?
}
