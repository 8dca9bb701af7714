import ArgumentParser

/// The output files of a report.
struct ReportFiles: ParsableArguments {
  @Option(help: "Write all figures to this JSON file.")
  var json: String?

  @Option(help: "Write a plot of ratios and growth to this SVG file.")
  var svg: String?

  @Option(help: "Write the tables to this Markdown file.")
  var markdown: String?

  /// The command line of this process, without the options for output files.
  static var command: String {
    var words = ["Tests/Benchmarks/run"]
    var arguments = CommandLine.arguments.dropFirst()
    while let word = arguments.popFirst() {
      if ["--json", "--svg", "--markdown"].contains(word) {
        arguments = arguments.dropFirst()
      } else {
        words.append(word)
      }
    }
    return words.joined(separator: " ")
  }
}
