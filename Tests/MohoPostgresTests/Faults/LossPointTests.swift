import Foundation
import MohoMapping
import MohoRows
import PostgresTesting
import StoreTesting
import Synchronization
import Testing

@testable import MohoPostgres

/// Connections that are lost at each message of a transaction.
@Suite(.requiresPostgres)
struct LossPointTests {
  private let server: PostgresServer
  private let url: String
  private let observer: ModelStore

  init() throws {
    server = try PostgresServer.shared()
    url = try server.emptySchema()
    observer = try ModelStore(postgres: url, models: Track.self)
  }

  private func isStored(_ batch: Int) throws -> Bool {
    let request = ModelRequest<Track>().filter { $0.batch == batch }.order(by: \.id)
    let tracks = try observer.fetch(request)
    #expect(tracks == [] || tracks == Track.batch(batch), "half written")
    return !tracks.isEmpty
  }

  @Test(arguments: [ProxyFault.Failure.cut, .loseAnswer])
  func `a loss is unknown only after the commit was sent`(failure: ProxyFault.Failure) throws {
    let proxy = try FaultyProxy(server)
    let store = try ModelStore(postgres: proxy.url(url), models: Track.self)
    // The same statements are prepared later.
    for batch in -3..<0 { try store.write { _ = try $0.save(Track.batch(batch)) } }
    var codes: [StoreError.Code: Int] = [:]
    var isMore = true

    for batch in 0..<300 where isMore {
      proxy.arm(ProxyFault(.client, batch + 1, failure))
      let error: StoreError?
      do {
        try store.write { writer in
          for track in Track.batch(batch).reversed() { try writer.save(track) }
        }
        error = nil
      } catch let failure as StoreError { error = failure }
      let record = proxy.disarm()

      let comment = Comment("cut after \(batch) messages: \(String(describing: error))")
      switch error?.code {
      case nil: #expect(try isStored(batch), comment)
      case .connectionLost: #expect(try !isStored(batch), comment)
      case .commitUnknown:
        #expect(record.hasReceivedCommit, comment)
        // The answer comes after the commit.
        if failure == .loseAnswer { #expect(try isStored(batch), comment) }
        if !record.hasForwardedCommit { #expect(try !isStored(batch), comment) }
      default: Issue.record(comment)
      }
      if let error { codes[error.code, default: 0] += 1 }
      isMore = record.faultCount > 0
    }

    #expect(!isMore, "the transaction has more messages than cuts")
    #expect((codes[.connectionLost] ?? 0) > Track.countInBatch, "\(codes)")
    #expect((1...20).contains(codes[.commitUnknown] ?? 0), "\(codes)")
  }

  @Test func `a connection that ends before a statement was not committed`() throws {
    let target = Mutex<Int32?>(nil)
    let statements = Mutex((count: 0, end: Int.max))
    var configuration = PostgresConfiguration()
    configuration.onStatement = { [server] _ in
      let isEnd = statements.withLock { statements in
        statements.count += 1
        return statements.count == statements.end
      }
      guard isEnd, let process = target.withLock({ $0 }) else { return }
      _ = try? server.execute("SELECT pg_terminate_backend(\(process), 5000)")
    }
    let store = try ModelStore(postgres: url, models: Track.self, configuration: configuration)
    var losses = 0
    var isMore = true

    for batch in 0..<100 where isMore {
      statements.withLock { $0 = (0, batch + 1) }
      do {
        try store.write { writer in
          let connection = try writer.reader.postgres.connection
          target.withLock { $0 = connection.processID }
          for track in Track.batch(batch).reversed() { try writer.save(track) }
        }
        // Before the first statement, the transaction has not begun, and runs again.
        isMore = batch == 0
        #expect(try isStored(batch))
      } catch let error as StoreError {
        losses += 1
        // The last statements are those of the commit.
        let codes: [StoreError.Code] =
          batch < Track.countInBatch ? [.connectionLost] : [.connectionLost, .commitUnknown]
        #expect(codes.contains(error.code), "statement \(batch): \(error)")
        #expect(try !isStored(batch), "statement \(batch)")
      }
    }

    #expect(!isMore)
    #expect(losses > Track.countInBatch)
  }
}
