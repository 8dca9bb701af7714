import CommandTesting
import EpisodeFeed
import Foundation
import PostgresTesting
import Testing

/// The commands with a store in a PostgreSQL database.
@Suite(.enabled(if: !PostgresServer.isSkipped, "MOHO_ENGINE is sqlite"), .timeLimit(.minutes(5)))
struct PostgresTests {
  private let folder: TemporaryFolder
  private let url: String

  init() throws {
    folder = try TemporaryFolder()
    url = try PostgresServer.shared().emptySchema()
  }

  private func run(
    _ words: String..., location: SourceLocation = #_sourceLocation
  ) async throws -> Tool.Result {
    try await Tool.episodeFeed.run(words + ["--store", url], in: folder)
  }

  @Test func everyCommandUsesTheDatabase() async throws {
    _ = try folder.file("one.json", ScreencastItem.three.data)

    let imported = try await run("import", "one.json")
    let again = try await run("import", "one.json")
    let edited = try await run("edit", "113", "--title", "Rows that Move")
    let list = try await run("list", "--search", "MOVE")
    let inside = try await run("list", "--search", "ows")
    let shown = try await run("show", "113")
    let exported = try await run("export")
    let feeds = try await run("feeds")

    #expect(imported.output == "inserted 3, updated 0, unchanged 0, deleted 0, skipped 0\n")
    #expect(again.output == "inserted 0, updated 0, unchanged 3, deleted 0, skipped 0\n")
    #expect(edited.status == 0)
    #expect(list.output.contains("Rows that Move"))
    #expect(list.output.split(separator: "\n").count == 1)
    #expect(inside.output.isEmpty)
    #expect(shown.output.contains("Rows that Move"))
    #expect(exported.output.contains("Rows that Move"))
    #expect(feeds.status == 0)
  }

  /// The form of connection strings that is not a URL.
  @Test func aListOfParametersSelectsTheDatabase() async throws {
    _ = try folder.file("one.json", ScreencastItem.three.data)
    let items = try #require(URLComponents(string: url)).queryItems ?? []
    let options = items.map { "\($0.name)='\($0.value ?? "")'" }.joined(separator: " ")
    let parameters = "user=moho dbname=postgres password=hunter2 \(options)"

    let imported = try await Tool.episodeFeed.run(
      ["import", "one.json", "--store", parameters], in: folder)
    let list = try await run("list")

    #expect(imported.output == "inserted 3, updated 0, unchanged 0, deleted 0, skipped 0\n")
    #expect(list.output.split(separator: "\n").count == 3)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!files.contains { $0.contains("dbname") }, "\(files)")
  }

  @Test func aDemoHasTheSameOutputInADatabase() async throws {
    let server = try await run("demo")
    let file = try await Tool.episodeFeed.run(["demo"], in: folder)

    #expect(server.status == 0)
    #expect(server.output == file.output)
  }

  @Test func twoProcessesFollowAnImportByAThirdOne() async throws {
    var items = ScreencastItem.three
    _ = try folder.file("one.json", items.data)
    items[2].date = "2014-04-17T08:00:00Z"
    items[2].title = "Rows that Move"
    items.remove(at: 1)
    _ = try folder.file("two.json", items.data)
    let watches = try [Watch([], store: url, in: folder), Watch([], store: url, in: folder)]
    for watch in watches {
      #expect(await watch.errors.next() == "Watching 0 episodes. Quit with Ctrl-C.")
    }

    _ = try await run("import", "one.json")
    _ = try await run("import", "two.json", "--mirror")

    for watch in watches {
      var lines: [String?] = []
      for _ in 1...5 { lines.append(await watch.output.next()) }
      watch.send(SIGINT)
      #expect(
        lines == [
          #"insert [0, 0]  115 "Models""#, #"insert [0, 1]  114 "Maps""#,
          #"insert [0, 2]  113 "Rows""#, #"delete [0, 1]  114 "Maps""#,
          #"move [0, 2] → [0, 0] changed title, publishedAt  113 "Rows that Move""#,
        ])
      #expect(await watch.status == SIGINT)
    }
  }

  @Test(.blocking) func twoServersShowTheSamePage() async throws {
    var items = ScreencastItem.three
    _ = try folder.file("one.json", items.data)
    items[2].title = "Rows that Move"
    _ = try folder.file("two.json", items.data)
    _ = try await run("import", "one.json")
    let servers = try (1...2).map { _ in
      try ServerProcess(["serve", "--store", url], in: folder)
    }
    let pages = try servers.map { server in
      let page = try RawConnection(server.port)
      page.request("GET", "/events?sections=none&search=row", port: server.port)
      _ = try page.receive(until: "event: list\n")
      _ = try page.receive(until: "\n\n")
      return page
    }

    _ = try await run("import", "two.json")

    for page in pages {
      _ = try page.receive(until: "event: change\n")
      #expect(try page.receive(until: "\n\n").contains("Rows that Move"))
    }
  }

  @Test(.blocking) func watchAndServeGoOnAfterTheServerHasRestarted() async throws {
    let server = try PostgresServer(isDurable: true)
    let url = server.url()
    _ = try folder.file("one.json", ScreencastItem.three.data)
    let watch = try Watch([], store: url, in: folder)
    #expect(await watch.errors.next() == "Watching 0 episodes. Quit with Ctrl-C.")
    let page = try ServerProcess(["serve", "--store", url], in: folder)
    func events() throws -> RawConnection {
      let connection = try RawConnection(page.port)
      connection.request("GET", "/events?sections=none", port: page.port)
      return connection
    }
    let open = try events()
    _ = try open.receive(until: "event: list\n")

    server.stop()
    #expect(await watch.errors.next()?.hasSuffix("Trying again…") == true)
    // The page receives the end of its events, and then an error.
    _ = open.receiveAll()
    let refused = try events().response()
    try server.start()
    #expect(await watch.errors.next() == "Connected again.")
    _ = try await Tool.episodeFeed.run(["import", "one.json", "--store", url], in: folder)

    #expect(refused.head.contains(" 503 "))
    #expect(refused.body.contains("The server of the store is not available: try again."))
    #expect(await watch.output.next() == #"insert [0, 0]  115 "Models""#)
    #expect(try events().receive(until: "Rows").contains("Models"))
  }

  @Test func anErrorDoesNotShowThePassword() async throws {
    let server = try PostgresServer.shared()
    let urls: [(String, Int32)] = [
      (server.url(database: "missing", user: "moho:top%20secret") + "&password=hush", 66),
      (server.url(database: "missing", user: "moho:top@secret") + "&password=hush", 64),
      (server.url(user: "moho:top/secret") + "&password=hush", 64),
      ("postgresql://moho:topsecret@/x?host=/nowhere&password=hush", 69),
      ("POSTGRESQL://moho:topsecret@/x?host=/nowhere&password=hush", 64),
    ]
    for (url, status) in urls {
      let named = try await Tool.episodeFeed.run(["list", "--store", url], in: folder)
      let unexpected = try await Tool.episodeFeed.run(["list", url], in: folder)

      #expect(named.status == status, "\(named.errors)")
      #expect(unexpected.status == 64, "\(unexpected.errors)")
      for part in ["top", "secret", "hush"] {
        #expect(!named.errors.contains(part))
        #expect(!unexpected.errors.contains(part))
      }
    }
  }

  @Test(arguments: [
    ["list"], ["list", "--search", "x"], ["show", "113"], ["edit", "113", "--title", "x"],
    ["export"], ["feeds"], ["feeds", "forget", "x"], ["refresh"],
  ])
  func aCommandThatNeedsAStoreDoesNotCreateIt(words: [String]) async throws {
    let result = try await Tool.episodeFeed.run(words + ["--store", url], in: folder)

    #expect(result.status == 66)
    #expect(result.errors.contains("store not found"))
    #expect(result.errors.contains("Create one with `episode-feed import FILE`"))
    let tables = "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
    #expect(try AdministratorConnection(url).execute(tables) == [["0"]])
  }

  @Test func errorsOfServersHaveExitStatuses() async throws {
    let server = try PostgresServer.shared()
    let name = "u\(UUID().uuidString.prefix(8).lowercased())"
    try server.execute("CREATE ROLE \(name) LOGIN PASSWORD 'x' IN ROLE secured")
    let schema = try AdministratorConnection(url).execute("SELECT current_schema()")[0][0]
    try server.execute(
      "CREATE ROLE \(name)_2 LOGIN; GRANT USAGE ON SCHEMA \(schema ?? "") TO \(name)_2")
    _ = try folder.file("one.json", ScreencastItem.three.data)
    _ = try await run("import", "one.json")
    let cases: [(String, Int32, String)] = [
      ("postgresql:///x?host=/nowhere", 69, "Check the address, and that the server is running."),
      ("postgresql://127.0.0.1:1/x", 69, "Check the address, and that the server is running."),
      (server.url(database: "nowhere"), 66, "Create the database, or check its name."),
      (server.url(user: "\(name):y"), 77, "Check the user and the password."),
      (server.url(user: "nobody"), 77, "Create the user, or check its name."),
      (server.url(schema: schema, user: "\(name)_2"), 77, "GRANT SELECT"),
      ("postgresql://host:x/y", 64, "Pass a URL such as"),
    ]
    for (url, status, advice) in cases {
      for words in [["list"], ["import", "one.json"], ["watch"]] {
        let result = try await Tool.episodeFeed.run(words + ["--store", url], in: folder)

        #expect(result.status == status, "\(words): \(result.errors)")
        #expect(result.errors.contains(advice), "\(words): \(result.errors)")
      }
    }
  }

  @Test func aTableOfAnotherProgramIsNotChanged() async throws {
    let connection = try AdministratorConnection(url)
    try connection.execute(#"CREATE TABLE "Episode" (note text)"#)

    let result = try await run("list")

    #expect(result.status == 73)
    #expect(result.errors.contains("the tables do not match this program"))
    #expect(try connection.execute(#"SELECT count(*) FROM "Episode""#) == [["0"]])
  }
}
