import RxViewModel

/// Where the view models navigate to.
public enum DirectoryRoute: Sendable, Equatable {
  /// The list of people, behind which the sign-in is over.
  case people
  case person(Person.ID)
  /// A screen that answers with a color, in place of the given one.
  case pickColor(PersonColor, Reply<PersonColor>)
  /// The screen that is shown has done its work.
  case back
}
