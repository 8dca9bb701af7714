import Moho

extension StoreError {
  /// Whether the server of the store is not available, but may be later.
  public var isOutage: Bool {
    [.cannotConnect, .connectionLost, .commitUnknown].contains(code)
  }
}
