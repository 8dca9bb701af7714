import ArgumentParser
import Foundation

@main
struct Mutants: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moho-mutants",
    abstract: "Plants bugs in the library, and looks for the test that finds each.",
    subcommands: [RunCommand.self, ReportCommand.self],
    defaultSubcommand: RunCommand.self)
}

/// Prints the report of the results so far.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Prints the report of the results so far, in Markdown.")

  @OptionGroup var location: LocationOptions

  func run() throws {
    let results = try Results.read(location.results)
    print(
      Report(mutants: results.mutants, equivalents: try location.equivalents()).markdown,
      terminator: "")
  }
}

/// The folders of the program.
struct LocationOptions: ParsableArguments {
  @Option(help: "The root of the repository.")
  var root = "."

  var rootURL: URL { URL(filePath: root).standardizedFileURL }
  var checkout: Checkout {
    Checkout(root: rootURL, folder: rootURL.appending(path: ".build/mutants"))
  }
  var results: URL { checkout.folder.appending(path: "mutants.json") }

  func equivalents() throws -> Equivalents {
    try Equivalents(file: rootURL.appending(path: "Tests/Mutants/Equivalent.txt"))
  }
}
