extension Explorer {
  /// Draws a failing order if the test wants a picture, and both orders if the order decides. Returns a line about the file.
  func line(aboutPictureOf outcome: Run.Outcome) -> String? {
    guard let path = picture, case .found(let error)? = outcome.failure else { return nil }
    let drawing = Drawing()
    drawing.drawing {
      if let other = (error as? OrderDecides)?.other {
        drawing.begin("\(other)")
        _ = run(.departure(other.choices))
        drawing.begin("\(outcome.order)")
      }
      _ = run(.departure(outcome.tape.choices))
    }
    return drawing.picture(outcome.order.numbers, "\(error)").write(to: path)
  }
}
