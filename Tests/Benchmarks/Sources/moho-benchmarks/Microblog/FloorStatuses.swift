import Foundation
import SimdjsonFloors

/// Decodes a document into C++ structs with simdjson.
final class FloorStatuses {
  private let count: Int
  /// The document with the padding that simdjson needs.
  private let padded: Data
  private var statuses: OpaquePointer?

  init(_ document: MicroblogDocument) {
    count = document.text.count
    padded = document.text + Data(count: floor_statuses_padding())
  }

  deinit { floor_statuses_free(statuses) }

  func decode() throws {
    statuses = padded.withUnsafeBytes { floor_statuses_decode($0.baseAddress, count) }
    if statuses == nil { throw ChecksumMismatch(description: floorFailure) }
  }

  /// Frees the statuses, and returns their checksum.
  func takeChecksum() throws -> Int {
    defer {
      floor_statuses_free(statuses)
      statuses = nil
    }
    let checksum = floor_statuses_checksum(statuses)
    if checksum < 0 { throw ChecksumMismatch(description: floorFailure) }
    return Int(checksum)
  }
}
