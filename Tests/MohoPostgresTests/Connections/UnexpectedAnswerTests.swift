import Foundation
import MohoChanges
import MohoMapping
import MohoResults
import MohoRows
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres

/// Answers that no server sends. After one of them, the next answer may belong to another
/// statement.
@Suite(.requiresPostgres)
struct UnexpectedAnswerTests {
  private let url: String
  private let proxy: FaultyProxy

  init() throws {
    let server = try PostgresServer.shared()
    url = try server.emptySchema()
    proxy = try FaultyProxy(server)
  }

  /// Those after which the client does not wait for the rest of a message.
  private static let failures: [ProxyFault.Failure] = [
    .repeated, .wrongType, .otherType, .emptied, .inverted,
  ]

  /// The ways to read the rows of a statement.
  private static let reads: [@Sendable (PostgresConnection, _ sql: String) throws -> [Int64]] = [
    { try $0.query($1).rows.map { $0.int64(0) } },
    { connection, sql in
      let results = try connection.queries([PostgresQuery("SELECT 0"), PostgresQuery(sql)])
      return results[1].rows.map { $0.int64(0) }
    },
  ]

  @Test(arguments: reads.indices)
  func `an answer is never taken for that of another statement`(read: Int) throws {
    var losses = 0
    for failure in Self.failures {
      var isMore = true
      for number in 1...60 where isMore {
        let connection = try PostgresConnection(proxy.url(url))
        proxy.arm(ProxyFault(.server, number, failure))
        for value in 1...2 where !connection.isLost {
          do {
            let values = try Self.reads[read](
              connection, "SELECT \(value)::int8 * 10 + n FROM generate_series(1, 3) n")
            let expected = (1...3).map { Int64(value * 10 + $0) }
            #expect(values == expected, "server \(number) \(failure)")
          } catch let error as StoreError {
            losses += 1
            #expect(error.code == .connectionLost, "server \(number) \(failure)")
            #expect(connection.isLost, "server \(number) \(failure): \(error)")
          }
        }
        isMore = proxy.disarm().faultCount > 0
      }
      #expect(!isMore)
    }
    #expect(losses > 20)
  }

  @Test func `a commit whose answer is damaged is unknown`() throws {
    let observer = try ModelStore(postgres: url, models: Track.self)
    let store = try ModelStore(postgres: proxy.url(url), models: Track.self)
    for batch in -3..<0 { try store.write { _ = try $0.save(Track.batch(batch)) } }
    var codes: Set<StoreError.Code> = []
    var batch = 0

    for failure in Self.failures {
      var isMore = true
      for number in 1...60 where isMore {
        batch += 1
        proxy.arm(ProxyFault(.server, number, failure))
        let result = Result { try store.write { _ = try $0.save(Track.batch(batch)) } }
        isMore = proxy.disarm().faultCount > 0

        let request = ModelRequest<Track>().filter { [batch] in $0.batch == batch }
        let count = try observer.fetchCount(request)
        let comment: Comment = "server \(number) \(failure): \(result)"
        do {
          try result.get()
          #expect(count == Track.countInBatch, comment)
        } catch let error as StoreError {
          codes.insert(error.code)
          if error.code != .commitUnknown { #expect(count == 0, comment) }
        }
      }
      #expect(!isMore)
    }
    #expect(codes.contains(.commitUnknown))
  }

  @Test func `the creation of tables is unknown if its commit is not answered`() throws {
    let server = try PostgresServer.shared()
    proxy.arm(nil)
    _ = try ModelStore(postgres: proxy.url(url), models: Track.self)
    let count = proxy.disarm().messageCounts[.server] ?? 0
    var codes: Set<StoreError.Code> = []

    for number in max(1, count - 20)...count {
      let url = try server.emptySchema()
      proxy.arm(ProxyFault(.server, number, .cut))
      let result = Result { try ModelStore(postgres: proxy.url(url), models: Track.self) }
      proxy.disarm()

      guard case .failure(let error as StoreError) = result else { continue }
      codes.insert(error.code)
      let isCreated = try PostgresConnection(url)
        .query(#"SELECT to_regclass('"Track"') IS NOT NULL"#).first?.bool(0)
      if error.code != .commitUnknown { #expect(isCreated == false, "server \(number): \(error)") }
    }
    #expect(codes.contains(.commitUnknown), "\(codes)")
  }

  @Test func `a copy that no caller expects is an error`() throws {
    for sql in ["COPY (SELECT 1) TO STDOUT", "CREATE TABLE t (a int); COPY t FROM STDIN"] {
      let connection = try PostgresConnection(url)

      let error = #expect(throws: StoreError.self) { try connection.execute(sql) }

      #expect(error?.code == .connectionLost)
      #expect(connection.isLost)
    }
  }

  @Test func `a copy ends after any answer`() throws {
    var losses = 0
    for failure in Self.failures {
      var isMore = true
      for number in 1...60 where isMore {
        let connection = try PostgresConnection(proxy.url(url))
        try connection.execute("CREATE TEMPORARY TABLE t (id int8); BEGIN")
        proxy.arm(ProxyFault(.server, number, failure))
        do {
          try connection.copy("COPY t FROM STDIN (FORMAT binary)", columnCount: 1) { copy in
            try copy.append { try $0.appendField(.int64(7), as: .int8) }
          }
        } catch let error as StoreError {
          losses += 1
          #expect(error.code == .connectionLost, "server \(number) \(failure): \(error)")
          #expect(connection.isLost, "server \(number) \(failure): \(error)")
        }
        isMore = proxy.disarm().faultCount > 0
      }
      #expect(!isMore)
    }
    #expect(losses > 5)
  }

  @Test(arguments: [ProxyFault.Failure.wrongType, .otherType, .emptied, .inverted, .noLength])
  func `a damaged notification reports its commit`(failure: ProxyFault.Failure) throws {
    let store = try ModelStore(postgres: proxy.url(url), models: Track.self)
    let writer = try ModelStore(postgres: url, models: Track.self)
    let controller = try ResultsController(ModelRequest<Track>().order(by: \.id), in: store)
    proxy.arm(ProxyFault(.server, 1, failure), on: .listening)

    try writer.write { _ = try $0.save(Track.batch(1)) }

    let end = ContinuousClock.now + .seconds(10)
    while controller.snapshot.count == 0, ContinuousClock.now < end { usleep(1_000) }
    #expect(controller.snapshot.count == Track.countInBatch)
    #expect(proxy.disarm().faultCount == 1)
  }
}
