import RxViewModel

public enum ColorAction: Sendable, Equatable, Codable {
  case pick(PersonColor)
}

public struct ColorState: Sendable, Equatable, Codable {
  public var current: PersonColor
  public var hasAnswered = false
  public var colors: [PersonColor] { PersonColor.allCases }

  public init(current: PersonColor) {
    self.current = current
  }
}

/// A screen that answers with a color. If the user goes back instead, the release of its reply ends the request.
// Sendable: it stores only `let`s.
public final class ColorViewModel: RxViewModel<ColorAction, ColorState>, @unchecked Sendable {
  private let reply: Reply<PersonColor>
  private let navigator: Navigator<DirectoryRoute>

  public init(
    current: PersonColor, reply: Reply<PersonColor>, navigator: Navigator<DirectoryRoute>,
    scheduler: (any Scheduler)? = nil
  ) {
    self.reply = reply
    self.navigator = navigator
    super.init(initialState: ColorState(current: current), scheduler: scheduler)
  }

  override public func createObservable(_ action: ColorAction) -> Effect {
    switch action {
    case .pick(let color):
      // A second click does not go back once more.
      if currentState.hasAnswered { return .unchanged() }
      let answered = Effect.mutate { state in
        state.current = color
        state.hasAnswered = true
      }
      return answered.do(onCompleted: { [reply, navigator] in
        reply.send(color)
        navigator.navigate(.back)
      })
    }
  }
}
