#if ServiceLifecycle
  import Fixtures
  import Logging
  import MohoMapping
  import MohoRows
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import StoreTesting
  import Synchronization
  import Testing

  /// Tests of stores in groups of services.
  @Suite(.allEngines, .timeLimit(.minutes(20))) struct ServiceTests {
    private let all = ModelRequest<Episode>().order(by: \.id)

    @Test func aGracefulShutdownClosesTheStore() async throws {
      let store = try emptyStore(Episode.self)
      var commits = try await store.commits().makeAsyncIterator()

      try await testGracefulShutdown { trigger in
        async let running: Void = store.run()
        try await store.write { try $0.save(Episode.number(1)) }
        trigger.triggerGracefulShutdown()
        try await running
      }

      let error = await #expect(throws: StoreError.self) { try await store.write { _ in } }
      #expect(error?.code == .closed)
      #expect(try await commits.next() != nil)
      #expect(try await commits.next() == nil)
    }

    @Test func aCanceledStoreRefusesCalls() async throws {
      let store = try emptyStore(Episode.self)
      let running = Task { try await store.run() }

      running.cancel()

      await #expect(throws: CancellationError.self) { try await running.value }
      let error = await #expect(throws: StoreError.self) { try await store.write { _ in } }
      #expect(error?.code == .closed)
    }

    /// A service that saves episodes until it is shut down.
    private final class Importer: Service {
      private let store: ModelStore
      private let number: Int
      private let onSave: @Sendable () -> Void
      let saved = Mutex<[Int]>([])

      init(_ store: ModelStore, _ number: Int, onSave: @escaping @Sendable () -> Void) {
        self.store = store
        self.number = number
        self.onSave = onSave
      }

      func run() async throws {
        var id = number * 1_000_000
        while !Task.isShuttingDownGracefully {
          let next = id
          try await store.write { try $0.save(Episode.number(next)) }
          saved.withLock { $0.append(next) }
          onSave()
          id += 1
        }
      }
    }

    @Test func aGroupShutsDownUnderLoadWithoutLosingAWrite() async throws {
      let store = try emptyStore(Episode.self)
      let (progress, signal) = AsyncStream<Void>.makeStream()
      let importers = (0..<4).map { number in
        Importer(store, number) {
          signal.yield()
        }
      }
      let commits = try await store.commits()
      let follower = Task {
        var rows: Set<Int64> = []
        for try await changes in commits { rows.formUnion(changes.rows["Episode"] ?? []) }
        return rows
      }
      // The store is shut down last, and still writes when importers end.
      let group = ServiceGroup(
        services: [store] + importers, logger: Logger(label: "moho.tests"))
      let running = Task { try await group.run() }
      for await _ in progress.prefix(20) {}

      await group.triggerGracefulShutdown()
      try await running.value

      let acknowledged = importers.flatMap { $0.saved.withLock { $0 } }
      #expect(acknowledged.count >= 20)
      #expect(try await follower.value == Set(acknowledged.map(Int64.init)))
    }
  }
#endif
