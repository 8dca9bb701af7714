import Foundation
import MohoRows

extension PostgresConnection {
  /// Runs a closure that executes a statement, and logs the statement.
  func logged<Result>(
    _ sql: String, _ arguments: PostgresArguments = PostgresArguments(), _ body: () throws -> Result
  ) rethrows -> Result {
    guard log != nil else { return try body() }
    let start = ContinuousClock.now
    defer { writeLog(of: PostgresQuery(sql, arguments), since: start) }
    return try body()
  }

  /// Logs a statement that has been executed.
  func writeLog(of query: PostgresQuery, since start: ContinuousClock.Instant) {
    guard let log else { return }
    log.log(
      duration: (ContinuousClock.now - start) / .seconds(1), { query.sql },
      arguments: { query.arguments.descriptions })
  }
}

extension PostgresArguments {
  /// The values in messages.
  var descriptions: [String] {
    types.indices.map { index in
      withBytes(at: index) { bytes in
        guard let bytes else { return "NULL" }
        if types[index] == Self.inferredType { return bytes.description(as: .text) }
        guard let type = PostgresType(oid: types[index]) else { return bytes.arrayDescription }
        return bytes.description(as: type)
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  private func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type, at offset: Int = 0
  ) -> Integer {
    guard offset + MemoryLayout<Integer>.size <= count else { return 0 }
    return Integer(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// The value of a type in a message.
  fileprivate func description(as type: PostgresType) -> String {
    switch type {
    case .bool: return first == 0 ? "false" : "true"
    case .int2: return "\(integer(Int16.self))"
    case .int4: return "\(integer(Int32.self))"
    case .int8: return "\(integer(Int64.self))"
    case .float8: return "\(Double(bitPattern: integer(UInt64.self)))"
    case .numeric, .uint64: return PostgresNumeric(self)?.decimal?.description ?? "number"
    case .text: return "'\(String(decoding: self, as: UTF8.self))'"
    // The first byte is the version of the binary form.
    case .jsonb: return String(decoding: dropFirst(), as: UTF8.self)
    case .uuid where count == 16:
      return UUID(uuid: loadUnaligned(as: uuid_t.self)).uuidString
    case .timestamptz: return "\(PostgresDate.date(integer(Int64.self)))"
    case .uuid, .bytea: return "\(count) bytes"
    }
  }

  /// The first elements of an array in a message.
  fileprivate var arrayDescription: String {
    // The number of dimensions, a flag, the type, the number of elements, and
    // the index of the first one.
    guard let type = PostgresType(oid: integer(UInt32.self, at: 8)) else { return "array" }
    let elementCount = Int(integer(Int32.self, at: 12))
    var elements: [String] = []
    var offset = 20
    while elements.count < Swift.min(elementCount, 10) {
      let length = Int(integer(Int32.self, at: offset))
      offset += 4
      if length < 0 {
        elements.append("NULL")
      } else {
        guard offset + length <= count else { return "array" }
        let element = UnsafeRawBufferPointer(rebasing: self[offset..<offset + length])
        elements.append(element.description(as: type))
        offset += length
      }
    }
    if elementCount > elements.count { elements.append("… (\(elementCount))") }
    return "{\(elements.joined(separator: ", "))}"
  }
}
