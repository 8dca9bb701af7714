/// `String` and `String?`, the types of keys that hold text.
public protocol TextValue {}
extension String: TextValue {}
extension String?: TextValue {}

/// What holds text: a key of ``TextValue``, or one of which nothing is known.
public protocol TextOperand: RequestOperand {}
extension ModelKey: TextOperand where Value: TextValue {}
extension RowKey: TextOperand {}

extension TextOperand {
  /// Whether the key's text contains a text; the empty text is in each.
  public func contains(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.contains, text, options))
  }

  /// Whether the key's text begins with a text.
  public func hasPrefix(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.hasPrefix, text, options))
  }

  /// Whether the key's text ends with a text.
  public func hasSuffix(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.hasSuffix, text, options))
  }

  /// Whether the key's text equals a text but for what the options leave out
  /// of account.
  public func equals(_ text: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.equals, text, options))
  }

  /// Whether the key's text is like a pattern, in which `*` stands for any
  /// characters, `?` for one, and a backslash takes the next as it is.
  public func like(_ pattern: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.like, pattern, options))
  }

  /// Whether a regular expression, in the syntax of Swift's `Regex`, matches the
  /// whole of the key's text.
  ///
  /// A text is matched in time proportional to its length times that of the
  /// expression, whatever either is. A request throws ``StoreError`` of code
  /// ``StoreError/Code/invalidRequest`` for a text that is not a regular
  /// expression, and for one that cannot be matched so: with back references,
  /// atomic groups or possessive quantifiers, longer than 10,000 bytes, or of more
  /// than 4,096 parts with its repetitions written out.
  public func matches(_ expression: String, _ options: TextMatch.Options = []) -> Filter {
    .text(operand, TextMatch(.matches, expression, options))
  }
}
