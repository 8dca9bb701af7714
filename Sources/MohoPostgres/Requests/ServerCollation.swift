import Foundation
import MohoMapping
import MohoRows
import Synchronization

/// A collation of the server with the order of a ``TextCollation``.
///
/// The server and the process can have different versions of ICU. The collation is used only
/// for texts of characters that the server sorts as the process does. To find out, the order
/// of a set of texts is compared. It has each character alone and with others, so that the
/// order also shows which differences precede others, and the groups of letters that
/// languages sort as one letter.
struct ServerCollation: Sendable {
  /// The qualified name in SQL.
  let name: String
  /// A regular expression that finds characters that the server may sort otherwise.
  let othersPattern: String

  /// The Latin, Greek and Cyrillic alphabets, and punctuation.
  private static let alphabets: [ClosedRange<UInt32>] = [
    0x1...0x7F, 0xA0...0x24F, 0x370...0x377, 0x37A...0x37F, 0x384...0x38A, 0x38C...0x38C,
    0x38E...0x3A1, 0x3A3...0x52F, 0x1E00...0x1EFF, 0x2010...0x2017, 0x2020...0x2027,
    0x2030...0x205E, 0x20AC...0x20AC,
  ]

  /// Blocks whose order depends on the version of ICU: quotation marks and currencies.
  private static let variableBlocks: [[ClosedRange<UInt32>]] = [
    [0x2018...0x201F], [0x20A0...0x20AB, 0x20AD...0x20BF],
  ]

  /// Finds a collation, and creates it if it does not exist and may be created.
  ///
  /// - Returns: Nil if the server has no such collation, or if it has another order.
  init?(
    _ collation: TextCollation, in schema: String, _ connection: PostgresConnection,
    createsCollation: Bool
  ) throws {
    let collator = TextCollator.collator(for: collation)
    let ownName = "Moho \(collation)"
    guard collator.hasSortKeys, ownName.utf8.count <= PostgresName.limit else { return nil }
    let name = qualifiedName(ownName, in: schema)
    var arguments = PostgresArguments()
    try arguments.append(schema)
    try arguments.append(ownName)
    let exists = try connection.query(
      """
      SELECT FROM pg_collation AS c JOIN pg_namespace AS n ON n.oid = c.collnamespace
      WHERE n.nspname = $1 AND c.collname = $2
      """, arguments)
    if exists.first == nil {
      guard createsCollation else { return nil }
      try connection.execute(
        "CREATE COLLATION IF NOT EXISTS \(name)"
          + " (provider = icu, locale = \(quotedText(collation.serverLocale)))")
    }
    func isSame(_ ranges: [ClosedRange<UInt32>]) throws -> Bool {
      try Self.isSorted(Self.texts(of: ranges), by: collator, name, connection)
    }
    var ranges = Self.alphabets + Self.variableBlocks.joined()
    if try !isSame(ranges) {
      ranges = Self.alphabets
      guard try isSame(ranges) else { return nil }
      for block in Self.variableBlocks where try isSame(ranges + block) { ranges += block }
    }
    self.name = name
    othersPattern = "[^\(ranges.expression)]"
  }

  private static func isSorted(
    _ texts: Set<String>, by collator: TextCollator, _ name: String,
    _ connection: PostgresConnection
  ) throws -> Bool {
    let sorted = texts.map { ($0, collator.sortContent(of: $0).sortKey) }
      .sorted { $0.1.lexicographicallyPrecedes($1.1) }
    var arguments = PostgresArguments()
    try arguments.append(sorted.map(\.0))
    let misplaced = try connection.query(
      """
      SELECT FROM (SELECT t COLLATE \(name) < lag(t) OVER (ORDER BY n) COLLATE \(name) AS f
        FROM unnest($1::text[]) WITH ORDINALITY AS u(t, n)) AS s
      WHERE f LIMIT 1
      """, arguments)
    return misplaced.first == nil
  }

  /// Returns the texts whose order is compared.
  private static func texts(of ranges: [ClosedRange<UInt32>]) -> Set<String> {
    let characters = ranges.joined().compactMap { Unicode.Scalar($0) }.map {
      String(Character($0))
    }
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z")).map { String(UnicodeScalar($0)) }
    let accented = (0xC0...0x17F as ClosedRange<UInt32>).compactMap { Unicode.Scalar($0) }.map {
      String(Character($0))
    }
    var texts = Set(characters)
    for character in characters {
      for letter in ["a", "b", "á", "A", "1"] {
        texts.formUnion([character + letter, letter + character])
      }
    }
    for letter in letters {
      let others = letters + accented
      texts.formUnion(others.flatMap { [letter + $0, letter.uppercased() + $0, $0 + letter] })
      texts.formUnion(others.map { letter + $0 + "h" })
    }
    for text in ["ccs", "ddz", "ddzs", "dzs", "ggy", "lly", "nny", "ssz", "tty", "zzs", "ngh"] {
      texts.formUnion(["", "a", "z"].flatMap { [text + $0, text.capitalized + $0] })
    }
    for number in ["0", "1", "2", "9", "10", "11", "19", "20", "99", "100", "007", "1.5", "1,5"] {
      texts.formUnion([number, "a\(number)", "a \(number)", "a\(number)b", "-\(number)"])
    }
    return texts
  }
}

extension TextCollation {
  /// The locale in the form of PostgreSQL.
  fileprivate var serverLocale: String {
    let locale = localeIdentifier.isEmpty ? "und" : localeIdentifier
    return comparesNumbers ? locale + (locale.contains("@") ? ";" : "@") + "colNumeric=yes" : locale
  }
}

extension FieldContent {
  fileprivate var sortKey: Data { if case .data(let key) = self { key } else { Data() } }
}

/// The collations of a server that a store uses, which are compared once.
final class ServerCollations: Sendable {
  private let address: PostgresAddress
  private let schemaName: String
  private let createsCollations: Bool
  private let known = Lock<[TextCollation: ServerCollation?]>([:])

  init(_ address: PostgresAddress, in schemaName: String, createsCollations: Bool) {
    self.address = address
    self.schemaName = schemaName
    self.createsCollations = createsCollations
  }

  /// Returns a collation, or nil if the process must sort texts itself.
  ///
  /// It is created on a connection of its own, because transactions that read cannot create
  /// it, and others would lock it until they end.
  subscript(collation: TextCollation) -> ServerCollation? {
    if let known = known.withLock({ $0[collation] }) { return known }
    do {
      let new = try find(collation)
      known.withLock { $0[collation] = .some(new) }
      return new
    } catch let error as StoreError
      where [.cannotConnect, .connectionLost, .busy, .conflict].contains(error.code)
    {
      // The next request tries again.
    } catch {
      // Without the right to create it, or without ICU, the process sorts the texts.
      known.withLock { $0[collation] = .some(nil) }
    }
    return nil
  }

  private func find(_ collation: TextCollation) throws -> ServerCollation? {
    let connection = try PostgresConnection(address)
    func found() throws -> ServerCollation? {
      try ServerCollation(
        collation, in: schemaName, connection, createsCollation: createsCollations)
    }
    do {
      return try found()
    } catch let error as StoreError where error.code == .notUnique {
      // Another process has created it at the same time.
      return try found()
    }
  }
}
