import RxViewModel

/// The destinations of the view models.
public enum DirectoryRoute: Sendable, Equatable {
  /// The list of people, which replaces the sign-in.
  case people
  case person(Person.ID)
  /// A screen that answers with a color, to replace the given one.
  case pickColor(PersonColor, Reply<PersonColor>)
  /// Back from the screen that is shown, which has done its work.
  case back
}
