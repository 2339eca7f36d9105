import RxViewModel

public enum PaymentAction: Sendable, Equatable {
  case pay
  case cancel
}

public struct PaymentState: Sendable, Equatable {
  public var isPaid = false
  public var message: String?
}

public struct PaymentService: Sendable {
  /// A new identifier: a UUID.
  let newKey: @Sendable () -> String
  /// Charges the card. If the server has seen the key before, it charges nothing, and returns.
  let charge: @Sendable (_ order: Int, _ key: String) async throws -> Void

  public init(
    newKey: @escaping @Sendable () -> String,
    charge: @escaping @Sendable (_ order: Int, _ key: String) async throws -> Void
  ) {
    (self.newKey, self.charge) = (newKey, charge)
  }
}

/// The payment of an order by card.
///
/// [woocommerce/woocommerce-ios 10647](https://github.com/woocommerce/woocommerce-ios/pull/10647): The payment failed, I tapped *Try
/// again*, and my customer was charged twice.
///
/// A second tap is dropped while the first one is unfinished. But a charge that fails on the phone may have succeeded at the server: its
/// answer was lost. *Try again* is then another charge, because it has another key.
public class CardPayment: RxViewModel<PaymentAction, PaymentState>, @unchecked Sendable {  // Sendable: `let`s only.
  fileprivate let order: Int
  private let service: PaymentService

  public init(of order: Int, _ service: PaymentService, scheduler: (any Scheduler)? = nil) {
    (self.order, self.service) = (order, service)
    super.init(initialState: PaymentState(), scheduler: scheduler)
  }

  override public func createObservable(_ action: PaymentAction) -> Effect {
    switch action {
    case .pay:
      let (service, order, key) = (service, order, key)
      return .mutate { $0.message = nil }
        .concat(Observable.task { try await service.charge(order, key) }.mutate { state, _ in state.isPaid = true })
    case .cancel: return .unchanged()
    }
  }

  override public func executionMode(for action: PaymentAction) -> ExecutionMode {
    switch action {
    case .pay: .dropWhileBusy("payment")
    case .cancel: .switchLatest("payment")
    }
  }

  override public func stateMapper(for error: any Error, action: PaymentAction) -> StateMapper<PaymentState>? {
    mutate { $0.message = "The payment failed. Try again?" }
  }

  fileprivate var key: String { service.newKey() }
}

/// The cure: the key belongs to the order, and not to the attempt.
public final class CuredCardPayment: CardPayment, @unchecked Sendable {
  override fileprivate var key: String { "order \(order)" }
}
