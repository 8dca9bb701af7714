import MohoMapping
import MohoRows

/// The statements of an SQL text that an app has written, in order.
///
/// Texts are divided as `psql` does it: see `psqlscan.l` of PostgreSQL. Each statement is sent
/// alone and with parameters, so the server refuses a text that was divided at too few places.
/// Therefore, the first word of each statement decides reliably what it controls.
struct AppStatements {
  private(set) var statements: [AppStatement] = []

  /// - Throws: A `StoreError` if a statement controls transactions, connections or files, or
  ///   if the number of arguments is not that of the parameters.
  init(_ sql: AppSQL, on connection: PostgresConnection) throws {
    try self.init(sql, escapesAllTexts: connection.escapesAllTexts)
  }

  /// - Parameter escapesAllTexts: Whether `\` escapes characters in all texts.
  init(_ sql: AppSQL, escapesAllTexts: Bool = false) throws {
    let bytes = Array(sql.text.utf8)
    var scanner = SQLScanner(bytes, escapesAllTexts: escapesAllTexts)
    var statement = AppStatement()
    var routine = RoutineBody()
    var depth = 0
    var start = 0
    func end(_ statement: inout AppStatement, at end: Int) {
      if !statement.isEmpty {
        statement.sql = String(decoding: bytes[start..<end], as: UTF8.self)
        statements.append(statement)
      }
      statement = AppStatement()
    }
    while let token = scanner.next() {
      switch token {
      case .opening: depth += 1
      case .closing: depth = max(0, depth - 1)
      case .word(let word): routine.add(word, isNested: depth > 0)
      case .semicolon where depth == 0 && !routine.isOpen:
        end(&statement, at: scanner.position - 1)
        (start, routine) = (scanner.position, RoutineBody())
        continue
      case .semicolon, .parameter, .other: break
      }
      statement.add(token, isNested: depth > 0)
    }
    end(&statement, at: bytes.count)
    for statement in statements {
      if let name = statement.controlName {
        throw StoreError.controlStatement(name, configuration: "PostgresConfiguration")
      }
    }
    try sql.checkArguments(parameterCount: statements.map(\.parameterCount).max() ?? 0)
  }
}

/// A single statement that an app has written.
struct AppStatement {
  /// The statement without a semicolon.
  fileprivate(set) var sql = ""
  /// The words before other tokens, up to three.
  private(set) var firstWords: [String] = []
  /// The numbers of the parameters.
  private(set) var parameters: Set<Int> = []
  private(set) var isEmpty = true
  private var hasOnlyWords = true
  private var hasChangingWord = false

  /// The greatest number of a parameter.
  var parameterCount: Int { parameters.max() ?? 0 }

  /// Whether the statement seems to write rows. Only the server knows it.
  var seemsToChangeRows: Bool {
    firstWords.first.map { Self.changingWords.contains($0) || $0 == "WITH" && hasChangingWord }
      ?? false
  }

  private static let changingWords: Set<String> = [
    "INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "CREATE", "ALTER", "DROP",
  ]

  fileprivate mutating func add(_ token: SQLScanner.Token, isNested: Bool) {
    isEmpty = false
    switch token {
    case .word(let word):
      if hasOnlyWords, firstWords.count < 3 { firstWords.append(word) }
      if !isNested, Self.changingWords.contains(word) { hasChangingWord = true }
      return
    case .parameter(let number): parameters.insert(number)
    case .opening, .closing, .semicolon, .other: break
    }
    hasOnlyWords = false
  }
}

/// Whether a semicolon belongs to the body of a function in SQL, `BEGIN ATOMIC … END`.
private struct RoutineBody {
  private var words: [String] = []
  private var depth = 0

  var isOpen: Bool { depth > 0 }

  mutating func add(_ word: String, isNested: Bool) {
    if words.count < 4 { words.append(word) }
    guard !isNested, createsRoutine else { return }
    switch word {
    case "BEGIN": depth += 1
    // It ends with `END`, too.
    case "CASE" where isOpen: depth += 1
    case "END" where isOpen: depth -= 1
    default: break
    }
  }

  private var createsRoutine: Bool {
    let kind = words.starts(with: ["CREATE", "OR", "REPLACE"]) ? 3 : 1
    return words.first == "CREATE" && words.count > kind
      && ["FUNCTION", "PROCEDURE"].contains(words[kind])
  }
}
