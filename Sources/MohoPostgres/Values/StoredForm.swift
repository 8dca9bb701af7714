import MohoMapping
import MohoRows

/// The form in which columns return contents.
enum StoredForm {
  /// Returns what a column returns for a content: dates to the microsecond, and
  /// structured values in the form of ``StructuredValue/canonical(_:)``.
  static let conversion: StoredConversion = { content, type in
    switch (type, content) {
    case (_, .date(let date)): .date(try PostgresDate.rounded(date))
    case (.structured, .string(let text)):
      StructuredValue.canonical(text.utf8).map { .string($0) } ?? content
    case (_, .array(let parts)): .array(try parts.map { try StoredForm.conversion($0, nil) })
    default: content
    }
  }
}
