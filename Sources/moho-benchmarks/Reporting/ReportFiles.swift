import ArgumentParser

/// The files that figures are written to.
struct ReportFiles: ParsableArguments {
  @Option(help: "A file for all figures, as JSON.")
  var json: String?

  @Option(help: "A file for a plot of the ratios and of the growth, as SVG.")
  var svg: String?

  @Option(help: "A file for the tables, as Markdown.")
  var markdown: String?

  /// The command of this process, but for these files.
  static var command: String {
    var words = ["swift", "run", "-c", "release", "moho-benchmarks"]
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
