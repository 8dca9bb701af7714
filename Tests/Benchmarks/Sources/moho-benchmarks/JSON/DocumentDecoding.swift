import CFloors
import Foundation
import MohoJSON
import MohoMapping

/// Decodes an array of models: Moho, a C program with
/// Jansson, and Foundation.
struct DocumentDecoding<Model: MappedModel, Twin: Decodable> {
  let text: () throws -> Data
  let checksum: (Model) -> Double
  let model: (Twin) -> Model
  let floor: (UnsafeRawBufferPointer) -> Double

  var contenders: [Contender] {
    let adapter = JSONAdapter<Model>()
    let (text, checksum, model, floor) = (text, checksum, model, floor)
    return [
      Contender(name: "Moho") {
        try adapter.models(from: text()).reduce(into: 0.0) { $0 += checksum($1) }
      },
      Contender(name: "C, Jansson element by element") {
        try text().withUnsafeBytes { floor($0) }
      },
      Contender(name: "JSONDecoder, Codable") {
        try FeedInput.decoder.decode([Twin].self, from: text())
          .reduce(into: 0.0) { $0 += checksum(model($1)) }
      },
    ]
  }
}
