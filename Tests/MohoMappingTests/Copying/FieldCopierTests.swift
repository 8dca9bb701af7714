import Foundation
import Testing

@testable import MohoMapping

private struct Visit: MappedModel, Equatable {
  var id: Int?
  var server: String?
  var readAt: Date?
  var count: Int

  static let mapping = Mapping(
    "Visit", Visit.init, .key("id", \.id), .key("server", \.server, .storeOnly),
    .key("readAt", \.readAt, .storeOnly), .key("count", \.count, default: 7, .storeOnly))
}

@Suite struct FieldCopierTests {
  @Test func aStoreOnlyKeyIsCopiedInItsPlainForm() {
    struct Page: MappedModel {
      var id: Int
      var server: String?
      static let mapping = Mapping(
        "Page", Page.init, .key("id", \.id), .key("server", \.server, .storeOnly))
    }

    #expect(Page.mapping.copier(to: FieldRecorder())?.writesAll == true)
  }

  @Test func oneCopierCopiesDocumentsWithAndWithoutSuppliedValues() throws {
    var supplied = SuppliedValues()
    supplied.set("a", named: "server")
    supplied.set(9, named: "count")
    let decoders = [
      ContentDecoder([.int64(1), nil, nil, nil]), ContentDecoder(supplied: supplied),
      ContentDecoder(supplied: SuppliedValues()),
      ContentDecoder([.int64(2), .string("b"), .null, .int64(3)]),
    ]
    let recorder = FieldRecorder()
    let copier = try #require(Visit.mapping.copier(to: recorder))

    for decoder in decoders { try copier.copy(from: decoder) }

    #expect(
      recorder.contents == [
        .int64(1), .null, .null, .int64(7), .null, .string("a"), .null, .int64(9), .null, .null,
        .null, .int64(7), .int64(2), .string("b"), .null, .int64(3),
      ])
    for decoder in decoders { #expect(try Visit.mapping.copiesAsWritten(from: decoder)) }
  }
}
