import CPostgresFloors

/// A statement of the C program, and the values of its parameters.
struct FloorBatch {
  enum Column {
    case integers([Int64])
    case numbers([Double])
    case texts([String])
  }

  let sql: String
  let columns: [Column]
}

/// Statements of the C program with the values in its memory.
///
/// The measured time begins with these values, as that of Moho begins with models.
final class FloorBatches {
  private var allocations: [UnsafeMutableRawPointer] = []
  private var batches: [postgres_floor_batch] = []

  // SAFETY: The batches point into `allocations`, which `deinit` frees. Only `write(on:)`
  // exposes the pointers.
  init(_ batches: [FloorBatch]) {
    for batch in batches {
      var rowCount = 0
      let columns = batch.columns.map { column in
        switch column {
        case .integers(let values):
          rowCount = values.count
          return postgres_floor_column(type: FLOOR_INTEGER, values: allocate(values))
        case .numbers(let values):
          rowCount = values.count
          return postgres_floor_column(type: FLOOR_NUMBER, values: allocate(values))
        case .texts(let values):
          rowCount = values.count
          return postgres_floor_column(
            type: FLOOR_TEXT, values: allocate(values.map { allocate(Array($0.utf8CString)) }))
        }
      }
      self.batches.append(
        postgres_floor_batch(
          sql: allocate(Array(batch.sql.utf8CString)).assumingMemoryBound(to: CChar.self),
          columns: allocate(columns).assumingMemoryBound(to: postgres_floor_column.self),
          column_count: columns.count, row_count: rowCount))
    }
  }

  deinit { for allocation in allocations { allocation.deallocate() } }

  private func allocate<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafeRawPointer {
    let bytes = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, values.count * MemoryLayout<Value>.stride), alignment: 16)
    values.withUnsafeBytes { values in
      guard let start = values.baseAddress else { return }
      bytes.copyMemory(from: start, byteCount: values.count)
    }
    allocations.append(bytes)
    return UnsafeRawPointer(bytes)
  }

  /// - Returns: The number of written rows, or -1.
  func write(on floor: OpaquePointer) -> Int {
    Int(postgres_floor_write(floor, batches, batches.count))
  }
}
