import ArgumentParser

/// The files that figures are written to.
struct ReportFiles: ParsableArguments {
  @Option(help: "A file for all figures, as JSON.")
  var json: String?

  @Option(help: "A file for a plot of the ratios and of the growth, as SVG.")
  var svg: String?

  @Option(help: "A file for the tables, as Markdown.")
  var markdown: String?
}
