import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Synchronization
import Testing

/// Tests of the methods of a store that suspend the calling task.
@Suite(.timeLimit(.minutes(20))) struct AsyncStoreTests {
  @Test(arguments: StoreMedium.allCases)
  func theyReadWhatTheBlockingMethodsRead(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      let report = try await store.write { try $0.save((1...9).map { Episode.number($0) }) }
      let request = ModelRequest<Episode>().filter { $0.id > 3 }.order(by: \.id, .descending)

      let models = try await store.fetch(request)
      let first = try await store.fetchFirst(request)
      let count = try await store.fetchCount(request)
      let exists = try await store.exists(request.filter { $0.id > 9 })
      let identities = try await store.fetchIdentities(request)
      let values = try await store.fetchValues(request) { [$0.title, $0.id] }
      let sum = try await store.fetchAggregates(request) { [.count, .sum($0.id)] }
      let groups = try await store.fetchAggregates(request, groupedBy: { [$0.isPlayed] }) {
        [.maximum($0.id)]
      }

      #expect(report == SaveReport(inserted: 9))
      #expect(models == (4...9).reversed().map { .number($0) })
      #expect(first == .number(9))
      #expect(count == 6)
      #expect(!exists)
      #expect(identities == [9, 8, 7, 6, 5, 4])
      func expected() throws {
        #expect(try store.fetch(request) == models)
        #expect(try store.fetchValues(request) { [$0.title, $0.id] } == values)
        #expect(try store.fetchAggregates(request) { [.count, .sum($0.id)] } == sum)
        #expect(
          try store.fetchAggregates(request, groupedBy: { [$0.isPlayed] }) { [.maximum($0.id)] }
            == groups)
      }
      try expected()
    }
  }

  @Test(arguments: StoreMedium.allCases)
  func aReadSeesOneState(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      try await store.write { try $0.save(Episode.number(1)) }

      let counts = try await store.read { reader in
        try [0, 1].map { _ in try reader.fetchCount(ModelRequest<Episode>()) }
      }

      #expect(counts == [1, 1])
    }
  }

  @Test(arguments: StoreMedium.allCases)
  func nestedBlockingCallsTakePartInTheTransaction(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      let count = try await store.write { writer in
        try writer.save(Episode.number(1))
        try? store.write { inner in
          try inner.save(Episode.number(2))
          throw Failure()
        }
        try store.write { try $0.save(Episode.number(3)) }
        return try store.read { try $0.fetchCount(ModelRequest<Episode>()) }
      }

      #expect(count == 2)
      #expect(try await store.fetchIdentities(ModelRequest<Episode>()) == [1, 3])
    }
  }

  @Test(arguments: StoreMedium.allCases)
  func errorsOfTheClosureAreRethrown(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      await #expect(throws: Failure.self) {
        try await store.write { writer in
          try writer.save(Episode.number(1))
          throw Failure()
        }
      }
      await #expect(throws: Failure.self) { try await store.read { _ in throw Failure() } }
      let count = try await store.fetchCount(ModelRequest<Episode>())
      #expect(count == 0)
    }
  }

  @Test(.allEngines) func storeErrorsNameTheKeys() async throws {
    let store = try emptyStore(Episode.self)
    let missing = try await #require(throws: StoreError.self) {
      try await store.write { writer in
        try writer.save(Episode.number(1))
        try store.execute("INSERT INTO \"Episode\" (id) VALUES (2)")
      }
    }
    let invalid = try await #require(throws: StoreError.self) {
      try await store.fetch(ModelRequest<Price>())
    }

    #expect(missing.code == .missingValue)
    #expect(missing.keys == ["title"])
    #expect(invalid.code == .invalidRequest)
    #expect(try await store.fetchCount(ModelRequest<Episode>()) == 0)
  }

  @Test(.allEngines) func commitsAreObservedWithoutBlocking() async throws {
    let store = try emptyStore(Episode.self)
    var commits = try await store.commits().makeAsyncIterator()

    try await store.write { try $0.save(Episode.number(4)) }

    #expect(try await commits.next()?.rows == ["Episode": [4]])
  }

  /// More writes wait for a transaction than there are threads in the cooperative
  /// pool. If they blocked them, the transaction could not end.
  @Test(arguments: StoreMedium.allCases)
  func waitingWritesBlockNoThreadOfThePool(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      let gate = DispatchSemaphore(value: 0)
      let isWriting = Mutex(false)
      let thread = Thread {
        try? store.write { writer in
          isWriting.withLock { $0 = true }
          gate.wait()
          try writer.save(Episode.number(1_000))
        }
      }
      thread.start()
      while !isWriting.withLock({ $0 }) { await Task.yield() }

      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 1...64 {
          group.addTask { () async throws -> Void in
            _ = try await store.write { writer in try writer.save(Episode.number(id)) }
          }
        }
        group.addTask { await Self.open(gate, for: 1) }
        try await group.waitForAll()
      }

      #expect(try await store.fetchCount(ModelRequest<Episode>()) == 65)
    }
  }

  @Test(arguments: StoreMedium.parallel)
  func readsBlockNoThreadOfThePool(_ medium: StoreMedium) async throws {
    try await medium.withStore { store in
      try await store.write { try $0.save(Episode.number(1)) }
      let gate = DispatchSemaphore(value: 0)

      let counts = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...64 {
          group.addTask {
            try await store.read { reader in
              gate.wait()
              return try reader.fetchCount(ModelRequest<Episode>())
            }
          }
        }
        group.addTask {
          await Self.open(gate, for: 64)
          return 1
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }

      #expect(counts == Array(repeating: 1, count: 65))
    }
  }

  /// Lets waiting threads pass, after other tasks had the time to begin.
  static func open(_ gate: DispatchSemaphore, for count: Int) async {
    for _ in 0..<1_000 { await Task.yield() }
    for _ in 0..<count { gate.signal() }
  }
}

private struct Failure: Error {}
