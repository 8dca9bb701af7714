import Foundation
import MohoMapping

/// The outline of a country: mostly numbers.
struct Outline: MappedModel {
  var id: Int
  var name: String
  var rings: [[[Double]]]

  static let mapping = Mapping(
    "Outline", Outline.init,
    .key("id", \.id, .unique), .key("name", \.name), .key("rings", \.rings))

  var checksum: Double {
    rings.reduce(Double(id + name.utf8.count)) { sum, ring in
      ring.reduce(sum) { sum, point in point.reduce(sum, +) }
    }
  }

  /// Returns outlines as JSON. The coordinates have as many digits as computed
  /// numbers.
  static func text(_ count: Int) -> Data {
    var text = "["
    for number in 0..<count {
      if number > 0 { text += "," }
      let points = (0..<500).map { step in
        let angle = Double(step) / 80
        return "[\(-65.613616999999977 + cos(angle) * Double(number % 90 + 1) / 10),"
          + "\(43.420273000000009 + sin(angle) * Double(number % 40 + 1) / 10)]"
      }
      text +=
        #"{"id":\#(number),"name":"Outline \#(number)","rings":[[\#(points.joined(separator: ","))]]}"#
    }
    return Data((text + "]").utf8)
  }
}

/// The same outline with a synthesized `Codable` conformance.
struct CodableOutline: Codable {
  var id: Int
  var name: String
  var rings: [[[Double]]]

  var model: Outline { Outline(id: id, name: name, rings: rings) }
}
