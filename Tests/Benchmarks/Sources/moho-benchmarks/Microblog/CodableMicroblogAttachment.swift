/// The attachment with a `Codable` conformance.
enum CodableMicroblogAttachment: Codable, Sendable {
  case image(CodableMicroblogFile, Image?)
  case video(CodableMicroblogFile, Clip?)
  case animation(CodableMicroblogFile, Clip?)
  case audio(CodableMicroblogFile, Sound?)
  case other(type: String, members: [String: CodableJSON])

  enum CodingKeys: String, CodingKey {
    case type, meta
  }

  struct Image: Codable {
    var original: CodableMicroblogSize?
    var focus: [String: Double]?
  }

  struct Clip: Codable {
    struct Original: Codable {
      var duration: Double?
    }

    var original: Original?
    var small: CodableMicroblogSize?
  }

  struct Sound: Codable {
    struct Original: Codable {
      var duration: Double?
      var bitrate: Int?
    }

    var original: Original?
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func file() throws -> CodableMicroblogFile { try CodableMicroblogFile(from: decoder) }
    switch try values.decode(String.self, forKey: .type) {
    case "image": self = .image(try file(), try values.decodeIfPresent(Image.self, forKey: .meta))
    case "video": self = .video(try file(), try values.decodeIfPresent(Clip.self, forKey: .meta))
    case "gifv":
      self = .animation(try file(), try values.decodeIfPresent(Clip.self, forKey: .meta))
    case "audio": self = .audio(try file(), try values.decodeIfPresent(Sound.self, forKey: .meta))
    case let type:
      let members = try decoder.container(keyedBy: CodableJSON.Key.self)
      var others: [String: CodableJSON] = [:]
      for key in members.allKeys where key.stringValue != "type" {
        others[key.stringValue] = try members.decode(CodableJSON.self, forKey: key)
      }
      self = .other(type: type, members: others)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    func encode(_ type: String, _ file: CodableMicroblogFile, _ meta: (some Codable)?) throws {
      try values.encode(type, forKey: .type)
      try file.encode(to: encoder)
      try values.encodeIfPresent(meta, forKey: .meta)
    }
    switch self {
    case .image(let file, let meta): try encode("image", file, meta)
    case .video(let file, let meta): try encode("video", file, meta)
    case .animation(let file, let meta): try encode("gifv", file, meta)
    case .audio(let file, let meta): try encode("audio", file, meta)
    case .other(let type, let members):
      try values.encode(type, forKey: .type)
      var container = encoder.container(keyedBy: CodableJSON.Key.self)
      for (name, value) in members {
        try container.encode(value, forKey: CodableJSON.Key(stringValue: name))
      }
    }
  }
}

/// Any JSON value, for members that a `Codable` type does not know.
enum CodableJSON: Codable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([CodableJSON])
  case object([String: CodableJSON])

  /// The name of any member.
  struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([CodableJSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: CodableJSON].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let bool): try container.encode(bool)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .string(let string): try container.encode(string)
    case .array(let array): try container.encode(array)
    case .object(let object): try container.encode(object)
    }
  }
}
