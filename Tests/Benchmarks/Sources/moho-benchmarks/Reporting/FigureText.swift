import Foundation

/// Formats figures for people.
enum FigureText {
  static func time(_ seconds: Double) -> String {
    switch seconds {
    case ..<1e-3: "\(decimal(seconds * 1e6, 2)) µs"
    case ..<1: "\(decimal(seconds * 1e3, 2)) ms"
    case ..<10: "\(decimal(seconds, 2)) s"
    default: "\(decimal(seconds, 1)) s"
    }
  }

  static func size(_ bytes: Int, decimals: Int = 1) -> String {
    // In MB, smaller sizes would be 0.
    bytes < (decimals == 0 ? 1_000_000 : 100_000)
      ? "\(decimal(Double(bytes) / 1e3, decimals)) KB"
      : "\(decimal(Double(bytes) / 1e6, decimals)) MB"
  }

  static func ratio(_ ratio: Double) -> String {
    ratio < 0.01 ? String(format: "%.2g", ratio) : decimal(ratio, ratio < 10 ? 2 : 0)
  }

  static func count(_ count: Int) -> String {
    count.formatted(.number.locale(.init(identifier: "en_US")))
  }

  static func decimal(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}
