import MohoMapping
import MohoRows

/// The form in which columns return contents.
enum StoredForm {
  /// Returns what a column returns for a content: dates to the microsecond, and
  /// structured values in the form of ``StructuredValue/canonical(_:)``. Returns
  /// contents that a column cannot store without a change.
  static let conversion: StoredConversion = { content, type in
    switch (type, content) {
    case (.date, .date(let date)):
      (try? PostgresDate.rounded(date)).map { .date($0) } ?? content
    case (.structured, .string(let text)):
      StructuredValue.canonical(text.utf8).map { .string($0) } ?? content
    default: content
    }
  }
}
