import CommandTesting
import Foundation
import Testing
import WellField

@Suite struct WellsCommandTests {
  private let folder: TemporaryFolder
  private let tool = Tool("wells")

  init() throws { folder = try TemporaryFolder() }

  /// The lines of the output, with `#` instead of times and sizes.
  private func run(_ arguments: String...) async throws -> [String] {
    let result = try await tool.run(arguments, in: folder)
    try #require(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").map {
      String($0).replacing(/[0-9.]+ (?:ms|s|MB)\b/, with: "#")
    }
  }

  @Test func aListIsOpenedScrolledAndChanged() async throws {
    let lines = try await run("--rows", "2000", "--seed", "7")

    try #require(lines.count == 13)
    #expect(lines[0] == "generated 2,000 wells in #")
    #expect(lines[1...5].allSatisfy { $0.contains(" m  ") })
    #expect(lines[6] == "first page after #, all 2,000 rows after #")
    #if os(Linux)
      #expect(lines[7] == "scrolled 40 pages in #, memory # before and # after")
    #endif
    #expect(
      lines[8]
        == "deepen and rename the shallowest well:"
        + " move [0, 1999] → [0, 0] changed name, depth, #")
    #expect(lines[9].hasPrefix("change a well in the middle: update ["))
    #expect(lines[9].hasSuffix("changed isActive, #"))
    #expect(lines[10].hasPrefix("drill a well: insert [0, "))
    #expect(lines[11].hasPrefix("fill in a well: delete [0, "))
    #expect(lines[12].hasPrefix("deepen one well in 2: "))
    #expect(lines[12].contains(" moved"))
  }

  @Test func theDescriptionOfTheLargeChangeHasItsFraction() async throws {
    let lines = try await run("--rows", "60")

    #expect(lines.contains { $0.hasPrefix("deepen every well: ") })
  }

  @Test(arguments: ["0", "1", "50", "51"])
  func shortListsAreLoadedCompletely(rows: String) async throws {
    let lines = try await run("--rows", rows)

    #expect(lines.contains("first page after #, all \(rows) rows after #"))
  }

  @Test func wellsAreGeneratedOnceForAStore() async throws {
    let first = try await run("--rows", "100", "--store", "wells.sqlite")
    let second = try await run("--rows", "100", "--store", "wells.sqlite")

    #expect(first[0].hasPrefix("generated"))
    #expect(!second.contains { $0.hasPrefix("generated") })
  }

  @Test func oneSeedMakesTheSameWells() {
    let wells = Array(WellGenerator(seed: 1, count: 100))

    #expect(wells == Array(WellGenerator(seed: 1, count: 100)))
    #expect(wells != Array(WellGenerator(seed: 2, count: 100)))
    #expect(wells.map(\.id) == Array(1...100))
  }

  @Test func invalidArgumentsAreRejected() async throws {
    let result = try await tool.run(["--rows=-1"], in: folder)

    #expect(result.status == 64)
    #expect(result.errors.contains("--rows must be 0 or greater."))
  }
}
