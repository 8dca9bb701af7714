import GRDB
import MohoRows

extension Configuration {
  /// The GRDB configuration of a store.
  init(_ configuration: StoreConfiguration) {
    self.init()
    readonly = configuration.isReadOnly
    // GRDB stores milliseconds in 32 bits. NaN becomes 0.
    busyMode = .timeout(min(max(0, configuration.busyTimeout), 1_000_000))
    prepareDatabase { [log = configuration.log, cacheSize = configuration.cacheSize] database in
      log?.attach(to: database)
      if let cacheSize {
        // A negative number is a size in kilobytes, in 32 bits.
        let kilobytes = min(max(1, cacheSize / 1_024), Int(Int32.max))
        try database.execute(sql: "PRAGMA cache_size = -\(kilobytes)")
      }
      ConnectionFunctions.install(on: database)
    }
  }
}
