import Foundation

/// A plot of the time ratios of Moho and its references, and of their growth
/// with the number of rows.
struct ComparisonPlot {
  private let comparisons: [Comparison]
  private let growths: [BenchmarkReport.Growth]

  private static let (width, labels, row, top) = (1_080.0, 430.0, 22.0, 64.0)
  private static let panel = (width: 500.0, height: 210.0)

  init(_ comparisons: [Comparison], _ growths: [BenchmarkReport.Growth]) {
    self.comparisons = comparisons.filter { !$0.references.isEmpty }
    self.growths = growths.filter { [.own, .floor].contains(Party(contender: $0.contender)) }
  }

  var svg: String {
    var drawing = Drawing()
    let bottom = drawRatios(&drawing)
    let height = drawGrowth(&drawing, from: bottom + 60)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(Int(Self.width))" height="\(Int(height))" \
      viewBox="0 0 \(Int(Self.width)) \(Int(height))" font-family="sans-serif" font-size="11">
      <rect width="100%" height="100%" fill="white"/>
      \(drawing.elements.joined(separator: "\n"))
      </svg>

      """
  }

  /// Draws a line for each workload, with the time of Moho at 1 and marks for
  /// its references.
  ///
  /// - Returns: The y coordinate of the lower edge.
  private func drawRatios(_ drawing: inout Drawing) -> Double {
    let ratios = comparisons.flatMap(\.references).map { 1 / $0.ratio }.filter {
      $0.isFinite && $0 > 0
    }
    let scale = LogScale(of: ratios + [0.1, 10], from: Self.labels, to: Self.width - 30)
    let bottom = Self.top + Double(comparisons.count) * Self.row
    drawing.text(
      "Time relative to Moho: ● floor, ◆ peer. Right of the line: slower than Moho", 20, 24,
      size: 15)
    for decade in scale.decades {
      let x = scale[decade]
      drawing.line(x, Self.top - 14, x, bottom, decade == 1 ? "#222" : "#ddd")
      drawing.text(decade.formatted(), x, Self.top - 20, anchor: "middle")
    }
    for (index, comparison) in comparisons.enumerated() {
      let y = Self.top + Double(index) * Self.row
      let name = "\(comparison.number) \(comparison.workload), \(comparison.rows)"
      drawing.text(String(name.prefix(72)), 20, y + 4)
      for reference in comparison.references where reference.ratio > 0 {
        let title = "\(reference.name): \(BenchmarkReport.ratioText(1 / reference.ratio))"
        drawing.mark(reference.party, scale[1 / reference.ratio], y, title)
      }
    }
    return bottom
  }

  /// Draws a panel for each workload that was measured at several numbers of
  /// rows.
  ///
  /// - Returns: The y coordinate of the lower edge.
  private func drawGrowth(_ drawing: inout Drawing, from top: Double) -> Double {
    let workloads = growths.map(\.workload).uniqued()
    if workloads.isEmpty { return top }
    drawing.text("Growth with the number of rows, both axes logarithmic", 20, top, size: 15)
    for (index, workload) in workloads.enumerated() {
      let x = 20 + Double(index % 2) * (Self.panel.width + 40)
      let y = top + 30 + Double(index / 2) * (Self.panel.height + 40)
      draw(growths.filter { $0.workload == workload }, workload, x, y, &drawing)
    }
    return top + 30 + Double((workloads.count + 1) / 2) * (Self.panel.height + 40)
  }

  private func draw(
    _ lines: [BenchmarkReport.Growth], _ title: String, _ x: Double, _ y: Double,
    _ drawing: inout Drawing
  ) {
    let (width, height) = Self.panel
    let rows = LogScale(
      of: lines.flatMap { $0.points.map { Double($0.rows) } }, from: x + 50, to: x + width - 10)
    let times = LogScale(
      of: lines.flatMap { $0.points.map(\.median) }, from: y + height - 20, to: y + 20)
    drawing.text(title, x, y + 8, size: 12)
    for decade in rows.decades {
      drawing.line(rows[decade], y + 20, rows[decade], y + height - 20, "#eee")
      drawing.text(decade.formatted(), rows[decade], y + height - 6, anchor: "middle")
    }
    for decade in times.decades {
      drawing.line(x + 50, times[decade], x + width - 10, times[decade], "#eee")
      let label = BenchmarkReport.text(decade)
      drawing.text(label, x + 46, times[decade] + 4, anchor: "end")
    }
    for (index, line) in lines.enumerated() {
      let color = Drawing.colors[index % Drawing.colors.count]
      drawing.path(line.points.map { (rows[Double($0.rows)], times[$0.median]) }, color)
      drawing.text(line.contender, x + 56, y + 32 + Double(index) * 13, color: color)
    }
  }
}

/// A logarithmic axis that starts and ends at powers of ten.
private struct LogScale {
  let decades: [Double]
  private let (start, end): (Double, Double)

  init(of values: [Double], from start: Double, to end: Double) {
    let logarithms = values.filter { $0 > 0 && $0.isFinite }.map { log10($0) }
    let low = (logarithms.min() ?? 0).rounded(.down)
    let high = max((logarithms.max() ?? 1).rounded(.up), low + 1)
    decades = stride(from: low, through: high, by: 1).map { pow(10, $0) }
    (self.start, self.end) = (start, end)
  }

  subscript(value: Double) -> Double {
    let (low, high) = (log10(decades[0]), log10(decades[decades.count - 1]))
    return start + (log10(value) - low) / (high - low) * (end - start)
  }
}

/// The SVG elements of the plot.
private struct Drawing {
  static let colors = ["#0a58ca", "#b02a37", "#198754", "#6f42c1", "#997404", "#087990"]

  private(set) var elements: [String] = []

  mutating func text(
    _ text: String, _ x: Double, _ y: Double, size: Int = 11, anchor: String = "start",
    color: String = "#222"
  ) {
    elements.append(
      """
      <text x="\(Self.formatted(x))" y="\(Self.formatted(y))" font-size="\(size)" text-anchor="\(anchor)" \
      fill="\(color)">\(Self.escaped(text))</text>
      """)
  }

  mutating func line(_ x: Double, _ y: Double, _ toX: Double, _ toY: Double, _ color: String) {
    path([(x, y), (toX, toY)], color, width: 1)
  }

  mutating func path(_ points: [(Double, Double)], _ color: String, width: Double = 1.8) {
    let points = points.map { "\(Self.formatted($0.0)),\(Self.formatted($0.1))" }.joined(
      separator: " ")
    elements.append(
      #"<polyline points="\#(points)" fill="none" stroke="\#(color)" stroke-width="\#(width)"/>"#)
  }

  mutating func mark(_ party: Party, _ x: Double, _ y: Double, _ title: String) {
    let transform = "translate(\(Self.formatted(x)) \(Self.formatted(y)))"
    let shape =
      switch party {
      case .floor: ##"<circle r="4.5" fill="#0a58ca"/>"##
      case .own, .peer, .part: ##"<path d="M-5,0 L0,-5 L5,0 L0,5 Z" fill="#b02a37"/>"##
      }
    elements.append(
      #"<g transform="\#(transform)"><title>\#(Self.escaped(title))</title>\#(shape)</g>"#)
  }

  private static func formatted(_ value: Double) -> String { String(format: "%.1f", value) }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
