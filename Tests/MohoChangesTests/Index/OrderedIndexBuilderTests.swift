import MohoChanges
import Testing

@Suite struct OrderedIndexBuilderTests {
  @Test func nonContiguousSectionThrowsAnErrorWithBothKeys() throws {
    var builder = OrderedIndex.Builder(sectioned: true)
    try builder.append(1, section: .text("Drama"))
    try builder.append(2, section: .text("News"))

    let error = #expect(throws: OrderedIndexError.self) {
      try builder.append(3, section: .text("Drama"))
    }

    #expect(error?.code == .misorderedSection)
    #expect(error?.section == .text("Drama"))
    #expect(error?.interveningSection == .text("News"))
    #expect(
      error?.description == """
        misordered section key: found "Drama" again after "News", \
        expected contiguous rows in each section - row 3; \
        order by the section key first
        """)
  }

  @Test func rejectedRowLeavesTheBuilderUnchanged() throws {
    var builder = OrderedIndex.Builder(sectioned: true)
    try builder.append(1, section: .integer(1))
    try builder.append(2, section: .integer(2))

    #expect(throws: OrderedIndexError.self) { try builder.append(3, section: .integer(1)) }
    try builder.append(4, section: .integer(2))

    #expect(builder.finish().rows == [[1], [2, 4]])
  }

  @Test func longKeysAreTruncatedInTheDescription() throws {
    var builder = OrderedIndex.Builder(sectioned: true)
    let long = SectionKey.text(String(repeating: "x", count: 500))
    try builder.append(1, section: long)
    try builder.append(2, section: .null)

    let error = #expect(throws: OrderedIndexError.self) { try builder.append(3, section: long) }

    #expect(error?.description.contains("\"\(String(repeating: "x", count: 80))…\" again") == true)
  }

  @Test func unsectionedBuilderIgnoresKeys() throws {
    var builder = OrderedIndex.Builder(sectioned: false)
    try builder.append(1, section: .integer(1))
    try builder.append(2, section: .integer(2))
    try builder.append(3)

    #expect(builder.finish() == OrderedIndex(rowIDs: [1, 2, 3]))
  }

  @Test func nullIsASeparateSection() throws {
    var builder = OrderedIndex.Builder(sectioned: true)
    try builder.append(1, section: .null)
    try builder.append(2, section: .text(""))

    #expect(builder.finish().sectionKeys == [.null, .text("")])
  }

  @Test func emptyBatchStartsNoSection() throws {
    var builder = OrderedIndex.Builder(sectioned: true)
    try builder.append(1, section: .integer(1))
    try builder.append(contentsOf: [], section: .integer(2))
    try builder.append(2, section: .integer(1))

    #expect(builder.finish().rows == [[1, 2]])
  }

  @Test(arguments: [1, 64, 191, 192, 193, 1_000])
  func batchesOfAnySizeBuildTheSameIndexAsSingleRows(size: Int) throws {
    var (batches, rows) = (
      OrderedIndex.Builder(sectioned: true), OrderedIndex.Builder(sectioned: true)
    )
    let rowIDs = (0..<2_000).map { Int64($0) * 7 }
    for start in stride(from: 0, to: rowIDs.count, by: size) {
      let batch = rowIDs[start..<min(start + size, rowIDs.count)]
      try batches.append(contentsOf: batch, section: .integer(batch[start] / 3_000))
      for rowID in batch { try rows.append(rowID, section: .integer(batch[start] / 3_000)) }
    }
    let (fromBatches, fromRows) = (batches.finish(), rows.finish())

    #expect(fromBatches == fromRows)
    #expect(fromBatches.rowIDs.elementsEqual(rowIDs))
    #expect(fromBatches.storage.bytes < rowIDs.count * 14)
    #expect(fromRows.storage.bytes < rowIDs.count * 14)
    #expect(fromBatches.invariantViolation == nil)
  }
}
