import CPostgres
import MohoRows

/// The parts of a connection string that errors refer to.
struct PostgresAddress {
  private var options: [String: String] = [:]
  private var message: String?

  init(_ url: String) {
    var error: UnsafeMutablePointer<CChar>?
    guard let first = PQconninfoParse(url, &error) else {
      message = error.map { String(cString: $0).trimmed }
      PQfreemem(error)
      return
    }
    defer { PQconninfoFree(first) }
    var option = first
    // SAFETY: The list ends with an option without a keyword.
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val {
        options[String(cString: keyword)] = String(cString: value)
      }
      option += 1
    }
  }

  /// - Throws: A `StoreError` if the text is not a connection string.
  func check() throws {
    if let message {
      throw StoreError(
        .cannotConnect, reason: message.withoutQuotations,
        suggestion: "pass a URL such as postgresql://user@host/database")
    }
    if options["host"]?.contains("@") == true {
      throw StoreError(
        .cannotConnect, reason: "the URL has more than one `@`",
        suggestion: "write `@` in the user or the password as `%40`")
    }
  }

  /// The address without a password, for messages.
  var description: String {
    let user = options["user"].map { "\($0)@" } ?? ""
    let host = options["host"] ?? options["hostaddr"] ?? ""
    let port = options["port"].map { ":\($0)" } ?? ""
    return "postgresql://\(user)\(host)\(port)/\(options["dbname"] ?? "")"
  }

  /// A text without the password.
  func redacted(_ text: String) -> String {
    guard let password = options["password"], !password.isEmpty else { return text }
    return text.replacing(password, with: "***")
  }
}

extension String {
  /// The text without the parts in double quotes, which may contain passwords.
  fileprivate var withoutQuotations: String {
    split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .map { $0.offset.isMultiple(of: 2) ? String($0.element) : "…" }
      .joined(separator: "\"")
  }
}
