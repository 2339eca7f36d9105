extension Explorer {
  /// If the test wants a picture, runs a failing order again to draw it, and both orders if the order decides. Returns a line about the
  /// file.
  func drawPicture(of outcome: Exploration.Outcome) -> String? {
    guard let path = picture, case .found(let error)? = outcome.failure else { return nil }
    let drawing = Drawing()
    drawing.drawing {
      if let other = (error as? DifferentEndings)?.other {
        drawing.begin("\(other)")
        _ = run(.choices(other.choices))
        drawing.begin("\(outcome.order)")
      }
      _ = run(.choices(outcome.tape.choices))
    }
    return drawing.picture(outcome.order.numbers, "\(error)").write(to: path)
  }
}
