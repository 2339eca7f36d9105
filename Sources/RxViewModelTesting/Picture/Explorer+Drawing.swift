extension Explorer {
  /// Runs an order once more, and returns its table.
  func table(of order: Order) -> [String] {
    let drawing = Drawing()
    _ = run(.choices(order.choices), drawing)
    return drawing.table
  }

  /// If the test wants a picture, runs a failing order again to draw it, and both orders if the order decides. Returns a line about the
  /// file.
  func drawPicture(of order: Order, _ error: any Error) -> [String] {
    guard let path = options.picture else { return [] }
    let drawing = Drawing()
    if let other = (error as? DifferentEndings)?.other {
      drawing.begin("\(other)")
      _ = run(.choices(other.choices), drawing)
      drawing.begin("\(order)")
    }
    _ = run(.choices(order.choices), drawing)
    var picture = drawing.picture("Failing order \"\(order.numbers)\"")
    (picture.failure, picture.failing) = ("\(error)", picture.last)
    return [picture.write(to: path)]
  }
}
