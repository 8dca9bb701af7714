import CommandTesting
import Foundation
import Moho
import MohoPostgres
import MohoTesting
import Testing

@testable import CommandSupport

/// Addresses of stores with passwords, which no message shows.
@Suite struct StoreAddressTests {
  @Test func `no message contains a password`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for index in 0..<2_000 {
      let address = SecretAddress(index, &generator)
      let shown = try messages(of: address.text, connects: index % 20 == 0)

      #expect(PostgresAddress.isAddress(address.text), "\(address), seed \(seed)")
      for message in shown {
        #expect(
          !address.parts.contains { message.contains($0) }, "\(address): \(message), seed \(seed)")
      }
    }
  }

  /// Everything that programs and the library can show about an address.
  private func messages(of text: String, connects: Bool) throws -> [String] {
    var shown = [PostgresAddress.shown(text), "\(StoreLocation(text))", DataFile.name(text)]
    for arguments in [[text], ["--store", text], ["--store=\(text)"], ["--stor\(text)"]] {
      shown += UsageMessage.lines("Error: Unexpected argument '\(arguments.last ?? "")'", arguments)
    }
    do {
      let address = try PostgresAddress(text)
      shown += ["\(address)", String(reflecting: address)]
      dump(address, to: &shown[0])
      guard connects, ["/nowhere", "127.0.0.1"].contains(where: { text.contains($0) }) else {
        return shown
      }
      _ = try ModelStore(postgres: text, models: Note.self)
      Issue.record("connected")
    } catch let error as StoreError {
      shown += [
        "\(error)", String(reflecting: error), "\(Failure(error))", error.localizedDescription,
      ]
      dump(error, to: &shown[0])
    }
    return shown
  }

  @Test(arguments: [
    ("postgresql://bob:hunter2/nohost", "postgresql://…"),
    ("postgresql:/bob:hunter2@host/x", "postgresql:/…"),
    ("POSTGRES://bob:hunter2@host/x", "POSTGRES://…"),
    ("postgresql://bob:12345/x", "postgresql://bob/x"),
    ("postgresql://bob:12345@/x", "postgresql://bob@/x"),
    ("postgresql://localhost:5433/x", "postgresql://localhost:5433/x"),
    ("postgresql://db.example.com:5433/x", "postgresql://db.example.com:5433/x"),
    ("postgresql://[::1]:5433/x", "postgresql://::1:5433/x"),
    ("postgresql://bob@db:5433/x?password=hunter2", "postgresql://bob@db:5433/x"),
    ("host=db port=5433 dbname=x password='hunter 2'", "postgresql://db:5433/x"),
    ("host=db pasword=hunter2", "…"), ("mysql://bob:hunter2@host", "…"),
    ("bob:hunter2@host/x", "…"), ("//bob:hunter2@host/x", "…"), ("redis://:hunter2", "…"),
    ("host/x?password=hunter2", "…"), ("Server=host;Pwd=hunter2", "…"),
    ("postgresql://bob%3Ahunter2@host/x", "postgresql://…"),
    ("host=db sslmode= password=hunter2", "…"),
    ("service=feeds password=hunter2", "postgresql:///"),
    ("user=bob passfile=/home/bob/hunter2 host=db", "postgresql://bob@db/"),
  ])
  func `an address is shown without its password`(text: String, shown: String) {
    #expect("\(StoreLocation(text))" == shown)
  }

  @Test(arguments: [
    "feeds.sqlite", "/data/user=7/feeds.sqlite", "./host=x", "a b=c", "C:/feeds.sqlite",
    "file:///feeds.sqlite", "http://localhost:8080/feed.xml", "https://example.com/feed.xml",
    "./password=x", "/data/x?user=7", "passwords.sqlite",
    "notes: a@b/.sqlite".replacing("@", with: ""), "postgres/feeds.sqlite",
    "",
  ])
  func `a path is shown as it is`(path: String) {
    #expect(!PostgresAddress.isAddress(path))
    #expect("\(StoreLocation(path))" == path)
  }

  @Test func `no program shows a password`() async throws {
    let folder = try TemporaryFolder()
    let texts = [
      "postgresql://bob:hunter2/nohost", "postgresql:/bob:hunter2@/x",
      "host=/nowhere password=hunter2",
      "postgresql://bob:41739/nohost.invalid", "postgresql://bob:hunter2@/x?host=/nowhere",
      "host=/nowhere sslmode= password=hunter2", "host/x?password=hunter2", "redis://:hunter2",
      "service=nowhere password=hunter2", "postgresql://bob%3Ahunter2@/x?host=/nowhere",
    ]
    for (program, words) in [
      ("episode-feed", ["list"]), ("episode-feed", ["import"]), ("tasks", ["list"]), ("wells", []),
      ("failed-banks", []), ("issues", []),
    ] {
      for text in texts {
        for arguments in [
          words + ["--store", text], words + [text], words + ["--store=\(text)", text],
        ] {
          let result = try await Tool(program).run(arguments, in: folder)

          #expect(result.status != 0, "\(program) \(arguments)")
          let output = result.output + result.errors
          #expect(!output.contains("hunter2") && !output.contains("41739"), "\(output)")
        }
      }
    }
  }
}

private struct Note: MappedModel, Equatable {
  var id: Int

  static let mapping = Mapping("Note", Note.init, .key("id", \.id, .unique))
}
