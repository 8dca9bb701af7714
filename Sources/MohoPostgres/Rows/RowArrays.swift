import MohoMapping
import MohoRows

/// The values of rows, by column. A statement takes them as arrays.
struct RowArrays {
  let types: [PostgresType]
  var columns: [PostgresArray]
  /// The number of rows.
  private(set) var count = 0

  /// The number of bytes of all values.
  var size: Int { columns.reduce(0) { $0 + $1.size } }

  init(_ types: [PostgresType]) {
    self.types = types
    columns = types.map { PostgresArray($0) }
  }

  mutating func removeAll() {
    count = 0
    for index in columns.indices { columns[index].removeAll() }
  }

  /// The maximum number of rows for which statements are prepared.
  static let preparedCount = 32

  /// Whether statements with these rows are prepared.
  var isPrepared: Bool { count <= Self.preparedCount }

  /// Ends a row. Columns without a value are null.
  mutating func endRow() {
    count += 1
    for index in columns.indices where columns[index].count < count {
      columns[index].appendNull()
    }
  }

  /// Removes the values of a row that has not ended.
  mutating func discardRow() { self = rows(at: 0..<count) }

  var arguments: PostgresArguments {
    var arguments = PostgresArguments()
    for column in columns { arguments.append(column) }
    return arguments
  }

  /// The values of the only row.
  var singleRow: PostgresArguments {
    var arguments = PostgresArguments()
    for column in columns { arguments.append(elementOf: column) }
    return arguments
  }

  /// Appends the rows to a `COPY`.
  func write(to copy: inout PostgresCopy) throws {
    var offsets = columns.map { _ in 0 }
    for _ in 0..<count {
      try copy.append { buffer in
        for index in columns.indices {
          columns[index].writeElement(at: &offsets[index], to: &buffer)
        }
      }
    }
  }

  /// Returns some of the rows.
  ///
  /// - Parameter indexes: The positions of the rows, which ascend.
  func rows(at indexes: some Collection<Int>) -> RowArrays {
    var rows = RowArrays(types)
    rows.columns = columns.map { $0.elements(at: indexes) }
    rows.count = indexes.count
    return rows
  }

  /// Returns a row source that has the columns `c0`, `c1` and so on, and the
  /// number `n` of each row, which starts at 1.
  ///
  /// - Parameter first: The number of the first parameter.
  static func source(_ types: [PostgresType], as alias: String, first: Int = 1) -> String {
    let arrays = types.enumerated().map { "$\(first + $0)::\($1.name)[]" }
    let names = types.indices.map { "c\($0)" } + ["n"]
    return "unnest(\(arrays.joined(separator: ", "))) WITH ORDINALITY"
      + " AS \(alias)(\(names.joined(separator: ", ")))"
  }
}
