import Foundation

/// JSON that the coders of structured text would change, such as an object whose members
/// are not sorted: coders do not preserve order, and `jsonb` of PostgreSQL does not, either.
///
/// It is stored as an object whose only member is its JSON text:
///
/// ```json
/// {"_moho_json": "{\"b\":1,\"a\":2}"}
/// ```
///
/// All other JSON is stored as it is, so that databases can read it. A reader accepts both
/// forms, also for values of other types: their keys could have been any JSON before.
package enum PreservedJSON {
  /// The name of the member. Structured text reserves its prefix.
  package static let name = reservedPrefix + "json"

  /// The prefix of names that are not those of a model or of a document.
  package static let reservedPrefix = "_moho_"

  private static let storing = CodingUserInfoKey(rawValue: "moho.structuredText")

  /// The user info of the coders of structured text.
  static let userInfo: [CodingUserInfoKey: any Sendable] = storing.map { [$0: true] } ?? [:]

  /// Whether a coder with some user info codes structured text.
  package static func isUsed(with userInfo: [CodingUserInfoKey: Any]) -> Bool {
    storing.map { userInfo[$0] != nil } ?? false
  }

  /// The preserved JSON text in an object. Nil for other objects, and in documents.
  package static func text<Name>(
    in members: KeyedDecodingContainer<Name>, of decoder: any Decoder
  ) -> String? {
    guard let member = Name(stringValue: name), members.contains(member),
      members.allKeys.count == 1, isUsed(with: decoder.userInfo)
    else { return nil }
    return try? members.decode(String.self, forKey: member)
  }
}

extension DecoderValue {
  /// The value that preserved JSON spells. Nil for other values.
  var preserved: DecoderValue? { preservedText.flatMap(Self.value) }

  /// The text of preserved JSON. Nil for other values.
  var preservedText: String? {
    guard let decoder, PreservedJSON.isUsed(with: decoder.userInfo),
      let members = try? decoder.container(keyedBy: AnyCodingKey.self)
    else { return nil }
    return PreservedJSON.text(in: members, of: decoder)
  }

  static func preserved(in members: Members, of decoder: any Decoder) -> DecoderValue? {
    PreservedJSON.text(in: members, of: decoder).flatMap(value)
  }

  private static func value(of text: String) -> DecoderValue? {
    // The text is a part of a document, which has no other preserved JSON.
    let whole = try? JSONDecoder().decode(WholeValue.self, from: Data(text.utf8))
    return whole.map { .whole($0.decoder) }
  }
}

/// Captures the decoder that creates it.
// Foundation copies the text for decoders that outlive the call.
struct WholeValue: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) { self.decoder = decoder }
}
