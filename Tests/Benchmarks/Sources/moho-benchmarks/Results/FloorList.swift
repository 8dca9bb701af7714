import CFloors
import Foundation

/// A list in C that uses SQLite directly.
final class FloorList {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let list: OpaquePointer

  init(path: String) throws {
    guard let list = floor_list_open(path) else {
      throw Failure(description: "the C floor cannot open \(path): \(floorFailure)")
    }
    self.list = list
  }

  deinit { floor_list_close(list) }

  func prepare(_ sql: String) throws -> Int32 {
    let number = floor_list_prepare(list, sql)
    guard number >= 0 else {
      throw Failure(description: "the C floor cannot prepare \(sql): \(floorFailure)")
    }
    return number
  }

  func scan(_ select: Int32) -> Int { Int(floor_list_scan(list, select)) }

  /// The row IDs of the last scan or merge.
  func ids(_ range: Range<Int>) -> UnsafeBufferPointer<Int64> {
    // SAFETY: Callers pass ranges within the count of the last scan, and use
    // the buffer only until the next scan or merge, which frees it.
    UnsafeBufferPointer(
      start: floor_list_ids(list).map { $0 + range.lowerBound }, count: range.count)
  }

  func read(_ select: Int32, _ ids: UnsafeBufferPointer<Int64>? = nil) -> Double {
    floor_list_read(list, select, ids?.baseAddress, ids?.count ?? 0)
  }

  func write(_ edit: Int32, _ edits: [floor_edit]) throws {
    guard floor_list_write(list, edit, edits, edits.count) else {
      throw Failure(description: "the C floor cannot write: \(floorFailure)")
    }
  }

  /// Returns the ID of the row before a row: 0 if the row is the first, -1 if it
  /// does not exist.
  func predecessor(_ evaluate: Int32, _ probe: Int32, _ id: Int64) throws -> Int64 {
    let row = floor_list_predecessor(list, evaluate, probe, id)
    guard row != -2 else {
      throw Failure(
        description: "the C floor cannot find the position of row \(id): \(floorFailure)")
    }
    return row
  }

  func merge(_ edits: [floor_edit]) throws {
    guard floor_list_merge(list, edits, edits.count) else {
      throw Failure(description: "the C floor cannot merge: not enough memory")
    }
  }

  func compare(_ evaluate: Int32, _ id: Int64, _ numbers: [Double]) -> Int {
    Int(floor_list_compare(list, evaluate, id, numbers, numbers.count))
  }
}
