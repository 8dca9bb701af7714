import GRDB

extension Configuration {
  /// How GRDB opens the file of a store.
  init(_ configuration: StoreConfiguration) {
    self.init()
    readonly = configuration.isReadOnly
    // GRDB counts milliseconds in 32 bits. Not a number becomes 0.
    busyMode = .timeout(min(max(0, configuration.busyTimeout), 1_000_000))
    prepareDatabase { [log = configuration.log] database in
      log?.attach(to: database)
      ConnectionEquipment.install(on: database)
    }
  }
}
