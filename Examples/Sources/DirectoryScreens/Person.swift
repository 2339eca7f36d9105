/// A person of the directory.
public struct Person: Sendable, Hashable, Identifiable {
  public let id: Int
  public let name: String
  /// When the person was seen last, on the clock of the service; negative before it started.
  public let lastSeen: Duration
  /// What the user calls this person; empty if the name will do.
  public var nickname = ""
  public var color = PersonColor.gray

  public init(id: Int, name: String, lastSeen: Duration) {
    self.id = id
    self.name = name
    self.lastSeen = lastSeen
  }

  /// The letter under which the directory lists this person: the initial of the last name.
  public var letter: String {
    String(name[name.lastIndex(of: " ").map(name.index(after:)) ?? name.startIndex])
  }
}

/// A color that marks a person.
public enum PersonColor: String, Sendable, Codable, CaseIterable {
  case gray, red, orange, green, blue, purple
}
