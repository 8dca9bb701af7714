import CommandTesting
import FailedBanks
import Foundation
import Testing

@Suite struct FailedBanksCommandTests {
  private let folder: TemporaryFolder
  private let tool = Tool("failed-banks")

  private static let banks = """
    [{"cert": 1, "name": "Basalt Bank", "city": "Macon", "state": "Georgia", "details":
       {"acquirer": "Gneiss Bank", "close_date": "2017-12-15", "updated_date": "2018-02-21"}},
     {"cert": 2, "name": "Café Bank", "city": "Ames", "state": "Iowa", "details":
       {"acquirer": "Gneiss Bank", "close_date": "2016-05-26", "updated_date": "2017-07-26"}},
     {"cert": 3, "name": "Slate Bank", "city": "Athens", "state": "Georgia", "details":
       {"acquirer": "Schist Bank", "close_date": "2017-01-03", "updated_date": "2018-02-21"}}]
    """

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ arguments: String..., input: String = banks, location: SourceLocation = #_sourceLocation
  ) async throws -> Tool.Result {
    let result = try await tool.run(arguments, in: folder, input: Data(input.utf8))
    #expect(result.status == 0, "\(result.errors)", sourceLocation: location)
    return result
  }

  @Test func banksAreOrderedByTheClosingDateInTheirDetails() async throws {
    #expect(
      try await run("-").output == """
        2017-12-15  1  Basalt Bank  Macon, Georgia   Gneiss Bank
        2017-01-03  3  Slate Bank   Athens, Georgia  Schist Bank
        2016-05-26  2  Café Bank    Ames, Iowa       Gneiss Bank

        """)
    #expect(
      try await run("-", "--search", "CAFE").output
        == "2016-05-26  2  Café Bank  Ames, Iowa  Gneiss Bank\n")
  }

  @Test func sectionsHaveHeadingsWithCountsAndIndexTitles() async throws {
    #expect(
      try await run("-", "--sections", "state").output == """
        G I
        Georgia (2)
        2017-12-15  1  Basalt Bank  Macon, Georgia   Gneiss Bank
        2017-01-03  3  Slate Bank   Athens, Georgia  Schist Bank
        Iowa (1)
        2016-05-26  2  Café Bank    Ames, Iowa       Gneiss Bank

        """)
  }

  @Test func relatedRowsDetermineTheYearOfSections() async throws {
    #expect(
      try await run("-", "--sections", "year", "--limit", "2").output == """
        17 16
        2017 (2)
        2017-12-15  1  Basalt Bank  Macon, Georgia   Gneiss Bank
        2017-01-03  3  Slate Bank   Athens, Georgia  Schist Bank

        """)
  }

  @Test func aNewClosingDateMovesAndUpdatesABank() async throws {
    #expect(
      try await run("-", "--limit", "1", "--close", "2=2018-01-05").output == """
        2017-12-15  1  Basalt Bank  Macon, Georgia  Gneiss Bank

        move [0, 2] → [0, 0] changed details  Café Bank

        2018-01-05  2  Café Bank  Ames, Iowa  Gneiss Bank

        """)
  }

  @Test func aNewClosingYearMovesABankToAnotherSection() async throws {
    #expect(
      try await run("-", "--sections", "year", "--limit", "0", "--close", "2=2017-06-01").output
        == """
        17 16

        delete section 1 2016
        move [1, 0] → [0, 1] changed details  Café Bank

        17

        """)
  }

  @Test func statementsArePrintedAndOnlyNeededBatchesAreRead() async throws {
    let result = try await tool.run(["--limit", "3", "--sql"], in: folder)

    let reads = result.errors.split(separator: "\n").filter { $0.contains(#"FROM "FailedBank""#) }
    #expect(result.output.split(separator: "\n").count == 3)
    #expect(reads.contains { $0.contains(#"ORDER BY t1."closedOn" DESC"#) })
    #expect(!result.errors.contains("INSERT"))
  }

  @Test(arguments: [
    (["-"], #"[{"cert": 1}]"#, Int32(65), "missing value for `FailedBank.name`"),
    (["-"], "[", 65, "line 1, column 2"), (["-"], "{}", 65, "array"),
    (["none.json"], "", 66, "no such file"),
    (["--close", "1"], "", 64, "cert=date"),
    (["--close", "1=2018-01-05"], "", 66, "bank 1 does not exist"),
    (["--limit", "-1"], "", 64, "limit"), (["--search", ""], "", 64, "--search"),
    (["--sections", "city"], "", 64, "city"),
  ])
  func invalidInputIsReported(
    arguments: [String], input: String, status: Int32, reason: String
  ) async throws {
    let result = try await tool.run(arguments, in: folder, input: Data(input.utf8))

    #expect(result.status == status)
    #expect(result.errors.hasPrefix("Error: "))
    #expect(result.errors.contains(reason), "\(result.errors)")
  }

  /// The path of a real list of the Federal Deposit Insurance Corporation.
  private static let list = ProcessInfo.processInfo.environment["MOHO_FAILED_BANKS"]

  @Test(.enabled(if: list != nil, "MOHO_FAILED_BANKS is not set"))
  func theCompleteListIsReadAndSorted() async throws {
    let path = try #require(Self.list)
    let lines = try await run(path).output.split(separator: "\n")
    let states = try await run(path, "--sections", "state").output

    #expect(lines.count == 555)
    #expect(lines == lines.sorted { $0.prefix(10) > $1.prefix(10) })
    #expect(states.hasPrefix("A C F G H I K L M N O P S T U V W\n"))
    #expect(states.contains("\nGeorgia (93)\n"))
  }
}
