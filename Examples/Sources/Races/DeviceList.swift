import RxViewModel

public enum DeviceAction: Sendable, Equatable {
  case select(Int)
}

public struct DeviceDetail: Sendable, Equatable {
  public var id: Int
  public var battery: Int

  public init(id: Int, battery: Int) { (self.id, self.battery) = (id, battery) }
}

public struct DeviceState: Sendable, Equatable {
  public var selection: Int?
  public var detail: DeviceDetail?
}

public struct DeviceService: Sendable {
  /// Asks a device, which takes long. A cancelled call may return all the same.
  let probe: @Sendable (Int) async throws -> DeviceDetail

  public init(probe: @escaping @Sendable (Int) async throws -> DeviceDetail) { self.probe = probe }
}

/// The devices that are connected, with the details of the selected one.
///
/// [Droidective/Droidective 219](https://github.com/Droidective/Droidective/pull/219): I selected another phone, and under its name I saw the
/// details of the first one.
///
/// Each selection asks the device, and the answer is written wherever the user is by then.
public class DeviceList: RxViewModel<DeviceAction, DeviceState>, @unchecked Sendable {  // Sendable: a `let` only.
  private let service: DeviceService

  public init(_ service: DeviceService, scheduler: (any Scheduler)? = nil) {
    self.service = service
    super.init(initialState: DeviceState(), scheduler: scheduler)
  }

  override public func createObservable(_ action: DeviceAction) -> Effect {
    switch action {
    case .select(let id):
      let probe = service.probe
      return .mutate { $0 = DeviceState(selection: id) }.concat(
        Observable.task { try await probe(id) }.mutate { $0.detail = $1 })
    }
  }
}

/// The cure: a selection ends the one before it. What that one's call returns later is dropped.
public final class CuredDeviceList: DeviceList, @unchecked Sendable {
  override public func executionMode(for action: DeviceAction) -> ExecutionMode { .switchLatest }
}
