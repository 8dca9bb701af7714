import Foundation

/// The result of decoding a text: a value or an error.
enum Verdict<Value: Equatable>: Equatable {
  case value(Value)
  case refused(String)

  init(_ body: () throws -> Value) {
    do {
      self = .value(try body())
    } catch {
      self = .refused("\(type(of: error)): \(error)")
    }
  }
}

extension Data {
  /// Data whose memory ends with its last byte, so that a sanitizer detects reads past
  /// the end.
  init(exactly bytes: [UInt8]) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Swift.max(bytes.count, 1), alignment: 1)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    self.init(
      bytesNoCopy: memory, count: bytes.count,
      deallocator: .custom { memory, _ in memory.deallocate() })
  }
}
