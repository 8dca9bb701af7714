import CommandTesting
import Foundation
import Testing

/// Dates in the output and in the arguments of commands.
@Suite struct TimeZoneTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ arguments: String..., zone: String = "America/St_Johns", input: Data = Data(),
    status: Int32 = 0, _ location: SourceLocation = #_sourceLocation
  ) async throws -> String {
    let result = try await Tool.episodeFeed.run(
      arguments, in: folder, input: input, prefix: ["TZ=\(zone)"])
    #expect(result.status == status, "\(result.errors)", sourceLocation: location)
    return result.output
  }

  private func published(zone: String) async throws -> Substring? {
    try await run("show", "113", zone: zone).firstMatch(of: /published +(.*)/)?.1
  }

  @Test func datesAreShownInTheLocalTimeZone() async throws {
    _ = try await run(
      "import", "-", input: jsonFeed(#"{"id": "113", "date_published": "2026-11-20T01:00:00Z"}"#))

    #expect(try await published(zone: "UTC") == "2026-11-20T01:00:00Z")
    #expect(try await published(zone: "America/St_Johns") == "2026-11-19T21:30:00-03:30")
    #expect(try await run("list", zone: "UTC").hasPrefix("2026-11-20  113"))
    #expect(try await run("list").hasPrefix("2026-11-19  113"))
  }

  @Test(arguments: [
    ("2026-11-20", "2026-11-20T03:30:00Z"), ("2026-07-01", "2026-07-01T02:30:00Z"),
    ("2026-11-20T08:30:00", "2026-11-20T12:00:00Z"),
    ("2026-11-20T08:30:00Z", "2026-11-20T08:30:00Z"),
    ("2026-11-20T08:30:00+01:00", "2026-11-20T07:30:00Z"),
  ])
  func aDateWithoutAZoneIsLocal(argument: String, date: String) async throws {
    _ = try await run("import", "-", input: jsonFeed(#"{"id": "113"}"#))

    _ = try await run("edit", "113", "--date", argument)

    #expect(try await published(zone: "UTC").map(String.init) == date)
  }

  @Test(arguments: [
    "2026-02-31", "2026-02-31T08:30:00", "2026-11-20T08:30", "2026-11-20 x", "2026-11-20T08:30:00x",
    "20261120", "2026-11-2", "",
  ])
  func otherTextIsNotADate(argument: String) async throws {
    _ = try await run("edit", "113", "--date", argument, status: 64)
  }
}
