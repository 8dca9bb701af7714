import Foundation
package import MohoMapping

/// The values of a row's columns: the attributes, and the handles of the rows
/// that the link columns refer to.
struct RowValues: Sendable {
  var attributes: [FieldContent]
  var targets: [Int?]
}

extension RowValues {
  /// Returns whether a store considers all values equal.
  func isSame(as other: RowValues) -> Bool {
    targets == other.targets
      && zip(attributes, other.attributes).allSatisfy { $0.isSame(as: $1) }
  }
}

extension FieldContent {
  /// Returns whether a store stores both contents as the same value. Texts are
  /// compared by their bytes, because Swift considers composed and decomposed
  /// characters equal.
  package func isSame(as other: FieldContent) -> Bool {
    switch (self, other) {
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.double(let one), .double(let other)): one.bitPattern == other.bitPattern
    case (.array(let one), .array(let other)), (.object(let one), .object(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.isSame(as: $1) }
    default: self == other
    }
  }

  /// Returns the content in the form that rows store, so that equal values are
  /// equal contents: signed integers if they fit, and the type of the attribute
  /// if the conversion is exact.
  func normalized(for type: AttributeType) -> FieldContent {
    let value: FieldContent
    if case .uint64(let unsigned) = self, let signed = Int64(exactly: unsigned) {
      value = .int64(signed)
    } else {
      value = self
    }
    switch (type, value) {
    case (.double, .int64(let integer)), (.float, .int64(let integer)):
      return Double(exactly: integer).map { .double($0) } ?? value
    case (.decimal, .int64(let integer)): return .decimal(Decimal(integer))
    case (.uuid, .string(let text)):
      return UUID(uuidString: text).map { .string($0.uuidString) } ?? value
    default: return value
    }
  }
}

extension String {
  fileprivate func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    var (one, other) = (self, other)
    return one.withUTF8 { one in
      other.withUTF8 { other in
        guard let start = one.baseAddress, let otherStart = other.baseAddress else { return true }
        // SAFETY: Both have `one.count` bytes, for as long as the closures run.
        return memcmp(start, otherStart, one.count) == 0
      }
    }
  }
}

/// A content that is equal to another one if a store considers their values
/// equal.
package struct ExactContent: Hashable, Sendable {
  package let content: FieldContent

  init(_ content: FieldContent) { self.content = content }

  package static func == (one: Self, other: Self) -> Bool { one.content.isSame(as: other.content) }

  package func hash(into hasher: inout Hasher) {
    if case .string(let text) = content {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    } else {
      hasher.combine(content)
    }
  }
}
