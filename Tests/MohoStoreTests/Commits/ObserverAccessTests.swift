import MohoMapping
import StoreTesting
import Synchronization
import Testing

@testable import MohoRows

/// Tests what observers can do with the store while they receive a commit.
@Suite(.allEngines, .timeLimit(.minutes(20))) struct ObserverAccessTests {
  /// Runs a closure in its turn, and records its error.
  private final class Observer: Sendable {
    let errors = Mutex<[any Error]>([])
    let counts = Mutex<[Int]>([])
    let subscriptions = Mutex<[CommitSubscription]>([])

    func run(_ body: () throws -> Void) {
      do { try body() } catch { errors.withLock { $0.append(error) } }
    }

    func count(_ reader: StoreReader) throws {
      let count = try reader.fetchCount(ObserverAccessTests.all)
      counts.withLock { $0.append(count) }
    }

    var codes: [StoreError.Code?] { errors.withLock { $0.map { ($0 as? StoreError)?.code } } }
  }

  private static let all = RowRequest("Leaf")
  private static let entities = [
    Entity("Branch", attributes: [Attribute("id", .int64)], identifiedBy: ["id"]),
    Entity(
      "Leaf", attributes: [Attribute("id", .int64)],
      relationships: [.toOne("branch", "Branch")],
      identifiedBy: ["id"]),
  ]

  private let store: ModelStore

  init() throws { store = try emptyStore(Schema([], entities: Self.entities)) }

  private func insert(_ id: Int, branch: Int? = nil) throws {
    try store.write { try Self.insert(id, branch: branch, $0) }
  }

  private static func insert(_ id: Int, branch: Int? = nil, _ writer: StoreWriter) throws {
    try writer.execute(
      sql: "INSERT INTO \"Leaf\" (id, branch) VALUES (\(id), \(branch.map { "\($0)" } ?? "NULL"))")
  }

  @Test func anObserverCannotWrite() throws {
    let store = store
    let (observer, subscription) = try store.observe({ _ in Observer() }) { observer, _, reader in
      observer.run { try store.write { try Self.insert(8, branch: 9, $0) } }
      observer.run { try observer.count(reader) }
    }

    try insert(1)
    try insert(2)

    #expect(observer.codes == [.invalidRequest, .invalidRequest])
    #expect(observer.counts.withLock { $0 } == [1, 2])
    #expect(try store.fetchCount(Self.all) == 2)
    withExtendedLifetime(subscription) {}
  }

  @Test func theClosureThatCreatesAnObserverCannotWrite() throws {
    let store = store
    let error = #expect(throws: StoreError.self) {
      try store.observe({ _ in
        try store.write { try Self.insert(8, branch: 9, $0) }
        return Observer()
      }) { _, _, _ in }
    }

    #expect(error?.code == .invalidRequest)
    #expect(try store.fetchCount(Self.all) == 0)
  }

  @Test func anObserverCanObserve() throws {
    let store = store
    let inner = Observer()
    let (observer, subscription) = try store.observe({ _ in Observer() }) { observer, _, _ in
      guard inner.subscriptions.withLock({ $0.isEmpty }) else { return }
      observer.run {
        let (_, subscription) = try store.observe({ reader in
          try inner.count(reader)
          return inner
        }) { inner, _, reader in inner.run { try inner.count(reader) } }
        inner.subscriptions.withLock { $0.append(subscription) }
      }
    }

    try insert(1)
    try insert(2)

    #expect(observer.errors.withLock { $0.map { "\($0)" } } == [])
    #expect(inner.counts.withLock { $0 } == [1, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test func anObserverCanReadTheNewestState() throws {
    let store = store
    let (observer, subscription) = try store.observe({ _ in Observer() }) { observer, _, _ in
      observer.run { try store.readNewest { try observer.count($0) } }
      observer.run { try store.readSettled { try observer.count($0) } }
    }

    try insert(1)
    try insert(2)

    #expect(observer.errors.withLock { $0.map { "\($0)" } } == [])
    #expect(observer.counts.withLock { $0 } == [1, 1, 2, 2])
    withExtendedLifetime(subscription) {}
  }

  @Test func aReaderInAnObserverEndsWithItsClosure() throws {
    let store = store
    let (observer, subscription) = try store.observe({ _ in Observer() }) { observer, _, _ in
      let reads: [((StoreReader) -> Void) throws -> Void] = [
        { try store.read($0) }, { try store.readSettled($0) }, { try store.readNewest($0) },
      ]
      for read in reads {
        observer.run {
          var escaped: StoreReader?
          try read { escaped = $0 }
          if let escaped { try observer.count(escaped) }
        }
      }
    }

    try insert(1)

    #expect(observer.codes == [.invalidRequest, .invalidRequest, .invalidRequest])
    #expect(observer.counts.withLock { $0 } == [])
    withExtendedLifetime(subscription) {}
  }

  @Test func anObserverDoesNotReadTheStateOfACallerThatIsReading() throws {
    let store = store
    let (observer, subscription) = try store.observe({ _ in Observer() }) { observer, _, _ in
      observer.run { try store.read { try observer.count($0) } }
      observer.run { try store.readSettled { try observer.count($0) } }
    }

    try store.read { _ in
      try insert(1)
      try store.readSettled { _ in }
    }

    #expect(observer.errors.withLock { $0.map { "\($0)" } } == [])
    #expect(observer.counts.withLock { $0 } == [1, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test func otherObserversReceiveTheCommitInWhichOneWasRefused() throws {
    let store = store
    let (observer, subscription) = try store.observe({ _ in Observer() }) { observer, _, reader in
      observer.run { try store.write { try Self.insert(8, $0) } }
    }
    let (other, otherSubscription) = try store.observe({ _ in Observer() }) { other, _, reader in
      other.run { try other.count(reader) }
    }

    try insert(1)
    try insert(2)

    #expect(observer.codes.count == 2)
    #expect(other.counts.withLock { $0 } == [1, 2])
    withExtendedLifetime((subscription, otherSubscription)) {}
  }
}
