import GRDBSQLite
import MohoMapping
import MohoRows
import Synchronization

/// FTS5's own tokenizer, so that texts are divided in memory as in full-text
/// tables.
// SAFETY: The tokenizer has a buffer, so the lock allows one use at a time. It
// and the connection that provides it are never released. SQLite documents the
// types of the functions (https://www.sqlite.org/fts5.html#extending_fts5).
final class SearchTokenizer: TextTokenizer, @unchecked Sendable {
  /// The tokenizer of the process, or nil if SQLite was built without FTS5.
  static let shared = SearchTokenizer()

  private let functions: fts5_tokenizer
  private let tokenizer: OpaquePointer?
  private let lock = Lock(())

  private init?() {
    var connection: OpaquePointer?
    guard sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK,
      let api = Self.interface(of: connection), let find = api.pointee.xFindTokenizer
    else {
      sqlite3_close_v2(connection)
      return nil
    }
    var context: UnsafeMutableRawPointer?
    var functions = fts5_tokenizer()
    var tokenizer: OpaquePointer?
    let (name, arguments) = SearchIndex.tokenizer
    let code = find(api, name, &context, &functions)
    guard code == SQLITE_OK, let create = functions.xCreate, functions.xTokenize != nil,
      Self.withCStrings(
        arguments, { create(context, &$0, Int32(arguments.count), &tokenizer) }) == SQLITE_OK
    else {
      sqlite3_close_v2(connection)
      return nil
    }
    self.functions = functions
    self.tokenizer = tokenizer
  }

  func words(of text: String, for purpose: TokenizedText) -> [[UInt8]] {
    let flags =
      switch purpose {
      case .document: FTS5_TOKENIZE_DOCUMENT
      case .query: FTS5_TOKENIZE_QUERY
      case .prefixQuery: FTS5_TOKENIZE_QUERY | FTS5_TOKENIZE_PREFIX
      }
    var text = text
    var words: [[UInt8]] = []
    text.withUTF8 { bytes in
      // SAFETY: SQLite calls the closure only during this call, with bytes that
      // are valid until the closure returns.
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        withUnsafeMutablePointer(to: &words) { words in
          lock.withLock { _ in
            _ = functions.xTokenize?(
              tokenizer, words, flags, bytes.baseAddress, Int32(clamping: bytes.count)
            ) { words, _, word, count, _, _ in
              // FTS5 truncates long words.
              let bytes = UnsafeRawBufferPointer(start: word, count: min(Int(count), 32_768))
              words?.assumingMemoryBound(to: [[UInt8]].self).pointee.append(Array(bytes))
              return SQLITE_OK
            }
          }
        }
      }
    }
    return words
  }

  /// Returns the functions of FTS5, or nil if the connection does not have it.
  private static func interface(of connection: OpaquePointer?) -> UnsafeMutablePointer<fts5_api>? {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, "SELECT fts5(?1)", -1, &statement, nil) == SQLITE_OK
    else { return nil }
    defer { sqlite3_finalize(statement) }
    var api: UnsafeMutablePointer<fts5_api>?
    return "fts5_api_ptr".withCString { type in
      withUnsafeMutablePointer(to: &api) { pointer in
        sqlite3_bind_pointer(statement, 1, pointer, type, nil)
        sqlite3_step(statement)
        return pointer.pointee
      }
    }
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (inout [UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let bytes = texts.map { $0.utf8CString }
    func append(_ index: Int, _ pointers: inout [UnsafePointer<CChar>?]) -> Result {
      if index == bytes.count { return body(&pointers) }
      return bytes[index].withUnsafeBufferPointer { text in
        pointers.append(text.baseAddress)
        return append(index + 1, &pointers)
      }
    }
    var pointers: [UnsafePointer<CChar>?] = []
    return append(0, &pointers)
  }
}
