import ArgumentParser
import CommandSupport
import FailedBanks
import Foundation
import Moho

/// Lists failed banks, ordered by closing date.
@main
struct FailedBanksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "failed-banks",
    abstract: "List failed banks by closing date, and change closing dates.",
    discussion: """
      The file is a JSON array of objects such as

        {"cert": 1802, "name": "...", "city": "...", "state": "...", "details":
         {"acquirer": "...", "close_date": "2017-05-26", "updated_date": "2017-07-26"}}

      Without a file, the program lists fictional banks. It stores the banks in memory and reads \
      \(BankList.batchSize) at a time.

      EXAMPLES:
        failed-banks --sections state
        failed-banks banks.json --sections year --limit 40
        failed-banks --limit 20 --sql
        failed-banks --limit 3 --close 10407=2018-01-05

      EXIT STATUS:
        0   Done.
        64  Invalid command-line arguments.
        65  The file is not an array of banks.
        66  The file or the bank does not exist or cannot be read.
      """,
    version: PackageVersion.current)

  @Argument(
    help: "The JSON file, or - for standard input. (default: fictional banks)",
    completion: .file(extensions: ["json"]))
  var file: String?

  @Option(help: "Group the banks.")
  var sections = BankList.Sections.none

  @Option(
    help: ArgumentHelp(
      "List only banks with this text in the name, ignoring case and accents.",
      valueName: "text"))
  var search: String?

  @Option(help: ArgumentHelp("List at most this many banks.", valueName: "number"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "Change the closing date of a bank, and show how the list changes. Can be repeated.",
      valueName: "cert=date"))
  var close: [Closing] = []

  @Flag(help: "Print the SQL statements of the list to standard error.")
  var sql = false

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must be 0 or greater.") }
    if search?.isEmpty == true { throw ValidationError("--search must not be empty.") }
  }

  static func main() async { await runReporting() }

  func run() async throws {
    var configuration = StoreConfiguration()
    let printer = StatementPrinter()
    if sql { configuration.log = printer.log }
    let store = try ModelStore(
      inMemory: FailedBank.self, BankDetails.self, configuration: configuration)
    let importer = BankImporter(store)
    let data = try file.map { try DataFile.read($0) } ?? BankImporter.sample
    do {
      try importer.import(data)
    } catch let error as MappingError {
      throw notBanks(error.errors.map { "\($0)" })
    } catch let error as JSONError {
      throw notBanks(["\(error)"])
    }
    printer.begin()
    let controller = try list.controller(in: store)
    var shown = controller.snapshot
    try show(shown)
    var updates = controller.updates(since: shown).makeAsyncIterator()
    for closing in close {
      guard try importer.close(closing.cert, on: closing.day) else {
        throw Failure(
          .noInput, "bank \(closing.cert) does not exist",
          advice: "The second column of the list has the numbers of the banks.")
      }
      guard controller.snapshot.generation > shown.generation,
        let update = try await updates.next()
      else { continue }
      shown = update.after
      try Output.print([""] + BankText.lines(update))
    }
    if !close.isEmpty {
      try Output.print([""])
      try show(shown)
    }
  }

  private var list: BankList { BankList(sections: sections, search: search) }

  private func show(_ snapshot: ResultsSnapshot<FailedBank>) throws {
    if sections != .none {
      try Output.print([BankText.indexTitles(snapshot, of: list).joined(separator: " ")])
    }
    try Output.print(BankText.lines(snapshot, limit: limit, width: Terminal.size?.width))
  }

  private func notBanks(_ details: [String]) -> Failure {
    Failure(
      .badData, "\(file.map(DataFile.name) ?? "the sample"): not an array of banks",
      details: details,
      advice: "Correct the file. `failed-banks --help` shows the format.")
  }
}

extension BankList.Sections: ExpressibleByArgument {}

/// The number of a bank and a date, such as `1802=2017-05-26`.
struct Closing: ExpressibleByArgument {
  let cert: Int
  let day: Date

  init?(argument: String) {
    let parts = argument.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let cert = Int(parts[0]),
      let day = Date(day: parts[1])
    else { return nil }
    self.cert = cert
    self.day = day
  }
}
