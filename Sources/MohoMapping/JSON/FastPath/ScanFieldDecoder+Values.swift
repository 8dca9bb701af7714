import Foundation

/// Typed values, by the rules of `TreeFieldDecoder`.
extension ScanFieldDecoder {
  func isAbsent(at index: Int) -> Bool { token(index).kind == .none }

  func isNull(at index: Int) throws -> Bool {
    switch token(index).kind {
    case .none, .null: return true
    case .obstacle: throw mismatch()
    default: return false
    }
  }

  func bool(at index: Int) throws -> Bool {
    switch token(index).kind {
    case .true: return true
    case .false: return false
    default: throw mismatch()
    }
  }

  func int64(at index: Int) throws -> Int64 {
    guard let value = scanner.pointee.int64(token(index)) else { throw mismatch() }
    return value
  }

  func uint64(at index: Int) throws -> UInt64 {
    guard let value = scanner.pointee.uint64(token(index)) else { throw mismatch() }
    return value
  }

  func double(at index: Int) throws -> Double {
    guard let value = scanner.pointee.double(token(index)) else { throw mismatch() }
    return value
  }

  func decimal(at index: Int) throws -> Decimal {
    guard let value = scanner.pointee.decimal(token(index)) else { throw mismatch() }
    return value
  }

  func string(at index: Int) throws -> String {
    let token = token(index)
    guard token.kind.isText else { throw mismatch() }
    return scanner.pointee.string(token)
  }

  func utf8(at index: Int) throws -> BorrowedUTF8 {
    let token = token(index)
    guard token.kind.isText else { throw mismatch() }
    return BorrowedUTF8(scanner.pointee.text(token), isStable: token.kind != .escaped)
  }

  func data(at index: Int) throws -> Data {
    guard let data = Data(base64Encoded: try string(at: index)) else { throw mismatch() }
    return data
  }

  func date(at index: Int, _ format: DateFormat) throws -> Date {
    let token = token(index)
    let date: Date?
    switch token.kind {
    case .ascii where format.holdsText, .utf8 where format.holdsText,
      .escaped where format.holdsText:
      date = format.date(utf8: scanner.pointee.text(token))
    case let kind where kind.isNumber && format.holdsNumbers:
      date = scanner.pointee.double(token).flatMap { format.date($0) }
    default: throw mismatch()
    }
    guard let date else { throw mismatch() }
    return date
  }

  // Errors need a description. They are left to the diagnostic path.
  func field(at index: Int) -> FieldDescription {
    _ = giveUp()
    return FieldDescription(path: FieldPath([]), found: nil)
  }

  var objectPath: FieldPath? {
    _ = giveUp()
    return nil
  }
}
