import Foundation
import MohoMapping
import MohoRows

/// A model with every type of value and a unique text key.
struct Everything: MappedModel, Equatable {
  var name: String
  var int8: Int8
  var uint16: UInt16
  var int64: Int64
  var uint64: UInt64?
  var double: Double
  var float: Float
  var decimal: Decimal?
  var flag: Bool
  var date: Date
  var data: Data
  var uuid: UUID
  var url: URL?

  static let mapping = Mapping(
    "Everything", Everything.init,
    .key("name", \.name, .unique),
    .key("int8", \.int8),
    .key("uint16", \.uint16),
    .key("int64", \.int64),
    .key("uint64", \.uint64),
    .key("double", \.double),
    .key("float", \.float),
    .key("decimal", \.decimal),
    .key("flag", \.flag),
    .key("date", \.date),
    .key("data", \.data),
    .key("uuid", \.uuid),
    .key("url", \.url))
}

/// A model without a unique key, with SQL keywords as names.
struct Note: MappedModel, Equatable {
  var order: String
  var description: String

  static let mapping = Mapping(
    "select", Note.init, .key("order", \.order), .key("a \"quoted\" name", \.description))
}

/// A model whose name has a meaning in SQL upserts, with a decimal and
/// transforms.
struct Price: MappedModel, Equatable {
  var id: Int
  var amount: Decimal
  var rate: Double?
  var isNet = false
  var receipt: Data?

  static let mapping = Mapping(
    "Excluded", Price.init,
    .key("id", \.id, .unique),
    .key("amount", \.amount),
    .key("rate", \.rate),
    .key(
      "isNet", \.isNet,
      Transform<String>.standard.map(to: { $0 == "net" }, from: { $0 ? "net" : "gross" })),
    .key("receipt", \.receipt))
}
