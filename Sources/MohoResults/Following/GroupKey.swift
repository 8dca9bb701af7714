import Foundation
import MohoChanges
import MohoMapping

/// The values that the rows of a group have in common, in a form that can be the key of a
/// section. Two keys are equal if their values are.
struct GroupKey: Hashable, Comparable, Sendable {
  let section: SectionKey

  init(_ section: SectionKey) { self.section = section }

  init(_ values: some Sequence<FieldContent>) {
    var text = ""
    for value in values { text += value.groupText }
    section = .text(text)
  }

  /// Compares the bytes of the texts.
  static func < (one: GroupKey, other: GroupKey) -> Bool {
    guard case (.text(let one), .text(let other)) = (one.section, other.section) else {
      return false
    }
    return one.utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension FieldContent {
  /// The value as a text that ends where the text of another value begins.
  fileprivate var groupText: String {
    switch self {
    case .null: "-"
    case .bool(let value): value ? "t" : "f"
    case .int64(let value): "\(value);"
    case .uint64(let value): "\(value);"
    case .double(let value): value.groupText
    case .date(let date): date.timeIntervalSinceReferenceDate.groupText
    case .decimal(let value): value.groupText
    case .string(let text): "\(text.utf8.count):\(text)"
    case .data(let data): "\(data.count)x" + data.base64EncodedString()
    case .object, .array, .dictionary: "\("\(self)".utf8.count):\(self)"
    }
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
