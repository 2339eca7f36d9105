/// A person of the directory.
public struct Person: Sendable, Hashable, Codable, Identifiable {
  public let id: Int
  public var name: String
  /// When the person was seen last, on the clock of the service. Negative if that was before the start of the service.
  public let lastSeen: Duration
  /// Empty if the person has no nickname.
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

extension Person {
  /// A change that a user can make.
  public enum Edit: Sendable, Equatable {
    case nickname(String)
    case color(PersonColor)
  }

  mutating func apply(_ edit: Edit) {
    switch edit {
    case .nickname(let nickname): self.nickname = nickname
    case .color(let color): self.color = color
    }
  }

  /// Whether this person stands before another in the directory. The people of one letter stand together.
  func isBefore(_ other: Person) -> Bool {
    let (own, others) = ([letter, lastName, name], [other.letter, other.lastName, other.name])
    return own.lexicographicallyPrecedes(others)
  }

  private var lastName: String { String(name.split(separator: " ").last ?? "") }
}

/// A color that marks a person.
public enum PersonColor: String, Sendable, Codable, CaseIterable {
  case gray, red, orange, green, blue, purple
}
