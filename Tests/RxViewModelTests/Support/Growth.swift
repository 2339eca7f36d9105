/// How many times longer `work` takes with four times the size: 4 for linear work, 16 for quadratic work. The best of
/// several measurements of each, since the machine has other things to do.
func growth(from size: Int, rounds: Int = 5, _ work: (Int) -> Void) -> Double {
  func best(_ size: Int) -> Double {
    (0..<rounds).map { _ in ContinuousClock().measure { work(size) } / .seconds(1) }.min()!
  }
  return best(size * 4) / best(size)
}
