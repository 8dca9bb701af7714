import Foundation
import MohoChanges
import MohoMapping

/// The values that the rows of a group have in common, in a form that can be the key of a
/// section. Two keys are equal if their values are.
struct GroupKey: Hashable, Comparable, Sendable {
  /// The values as ASCII characters, which Swift compares by their bytes.
  private let text: String

  init(_ values: some Sequence<FieldContent>) {
    var text = ""
    for value in values { text += value.groupText }
    self.text = text
  }

  /// - Parameter section: The section of another key.
  init?(_ section: SectionKey) {
    guard case .text(let text) = section else { return nil }
    self.text = text
  }

  var section: SectionKey { .text(text) }

  static func < (one: GroupKey, other: GroupKey) -> Bool { one.text < other.text }
}

extension FieldContent {
  /// The value as ASCII characters that end where those of another value begin.
  fileprivate var groupText: String {
    switch self {
    case .null: "-"
    case .bool(let value): value ? "t" : "f"
    case .int64(let value): "\(value);"
    case .uint64(let value): "\(value);"
    case .double(let value): value.groupText
    case .date(let date): date.timeIntervalSinceReferenceDate.groupText
    case .decimal(let value): value.groupText
    case .string(let text): text.groupText
    case .data(let data): "\(data.base64EncodedString());"
    case .object, .array, .dictionary: "\(self)".groupText
    }
  }
}

extension String {
  fileprivate var groupText: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return "\(utf8.count):\(self)" }
    return "u\(Data(utf8).base64EncodedString());"
  }
}

extension Double {
  /// Zeros with and without a sign are equal.
  fileprivate var groupText: String { "\(self == 0 ? 0 : self);" }
}

extension Decimal {
  fileprivate var groupText: String {
    var text = description
    if text.contains(".") {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return text + ";"
  }
}
