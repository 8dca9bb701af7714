/// The form that a value has in documents, for descriptions such as JSON Schema.
///
/// Standard types, collections, models and the transforms of this module have a
/// schema. A type or a transform with its own functions can declare one:
///
/// ```swift
/// extension Percentage: FieldValue {
///   static var fieldSchema: FieldSchema { .integer(0...100) }
///   …
/// }
/// ```
///
/// A schema describes values. It does not check them: decoding does.
public struct FieldSchema: Sendable {
  package indirect enum Form: Sendable {
    /// Any value. A comment says that the form is not known.
    case any(comment: String?)
    case boolean
    case integer(ClosedRange<Int64>?)
    case unsignedInteger
    case number
    case string(format: String?, pattern: String?)
    case data
    case date(DateFormat)
    case constants([FieldContent])
    case array(FieldSchema)
    case dictionary(FieldSchema)
    // A function: mappings that contain each other would wait for each other.
    case object(@Sendable () -> ObjectSchema)
    case reference(@Sendable () -> ObjectSchema)
    case optional(FieldSchema)
    case anyOf([FieldSchema])
  }

  package let form: Form
  /// The name of the form in stores, where it is more exact than ``form``.
  let storedName: String?

  package init(_ form: Form, storedAs storedName: String? = nil) {
    self.form = form
    self.storedName = storedName
  }

  /// Any value.
  public static let any = FieldSchema(.any(comment: nil))
  /// A Boolean value.
  public static let boolean = FieldSchema(.boolean)
  /// An integer.
  public static let integer = FieldSchema(.integer(nil))
  /// A number.
  public static let number = FieldSchema(.number)
  /// A string.
  public static let string = FieldSchema(.string(format: nil, pattern: nil))
  /// Bytes, encoded in Base64.
  public static let data = FieldSchema(.data)

  /// An integer in a range.
  public static func integer(_ range: ClosedRange<Int64>) -> FieldSchema {
    FieldSchema(.integer(range))
  }

  /// A string of a format or a pattern.
  ///
  /// - Parameters:
  ///   - format: A format of JSON Schema, such as `email`.
  ///   - pattern: A regular expression of ECMA-262 that the string contains.
  public static func string(format: String? = nil, pattern: String? = nil) -> FieldSchema {
    FieldSchema(.string(format: format, pattern: pattern))
  }

  /// A date in a format.
  public static func date(_ format: DateFormat) -> FieldSchema { FieldSchema(.date(format)) }

  /// One of some values, as they are written.
  public static func one(of values: [some FieldValue]) -> FieldSchema {
    FieldSchema(.constants(values.compactMap { try? FieldRecorder.content(of: $0) }))
  }

  /// An array whose elements have a schema.
  public static func array(of element: FieldSchema) -> FieldSchema { FieldSchema(.array(element)) }

  /// A dictionary whose values have a schema.
  public static func dictionary(of value: FieldSchema) -> FieldSchema {
    FieldSchema(.dictionary(value))
  }

  /// An object with the keys of a model.
  public static func model<Model: MappedModel>(_ model: Model.Type) -> FieldSchema {
    FieldSchema(.object { Model.mapping.objectSchema })
  }

  /// A value of any of several schemas.
  public static func anyOf(_ schemas: FieldSchema...) -> FieldSchema {
    FieldSchema(.anyOf(schemas))
  }

  /// The schema, or null.
  public var optional: FieldSchema { FieldSchema(.optional(self)) }

  /// The schema of a value whose form only its functions know.
  ///
  /// - Parameter storedName: The name of the form in stores.
  static func unknown(_ comment: String, storedAs storedName: String? = nil) -> FieldSchema {
    FieldSchema(.any(comment: comment), storedAs: storedName)
  }
}

extension FieldSchema {
  /// Whether null has the schema. True if the form is not known.
  package var acceptsNull: Bool {
    switch form {
    case .any, .optional: true
    case .constants(let values): values.contains(.null)
    case .anyOf(let schemas): schemas.contains(where: \.acceptsNull)
    default: false
    }
  }

  /// Whether an element of an array can be absent. True if the form is not known.
  package var acceptsAbsence: Bool {
    switch form {
    case .any(let comment): comment != nil
    case .optional: true
    case .anyOf(let schemas): schemas.contains(where: \.acceptsAbsence)
    default: false
    }
  }

  /// The schema of a nested model; nil for other values.
  var object: ObjectSchema? {
    switch form {
    case .object(let object): object()
    case .optional(let schema): schema.object
    default: nil
    }
  }

  /// The format in which a date is written and the formats in which it is read. Nil if they
  /// are not known.
  var readableDateFormat: DateFormat? {
    switch form {
    case .date(let format): return format
    case .optional(let schema): return schema.readableDateFormat
    case .anyOf(let schemas):
      let formats = schemas.map(\.readableDateFormat)
      // The first form is the one that is written.
      return formats.first.flatMap { $0 } == nil ? nil : .oneOf(formats.compactMap { $0 })
    default: return nil
    }
  }

  /// Whether the value is any JSON, or has the form of its `Codable` conformance.
  var isJSON: Bool {
    switch form {
    case .any(let comment): comment == nil || storedName != nil
    case .optional(let schema): schema.isJSON
    default: false
    }
  }

  /// The schema of the elements of an array.
  package var element: FieldSchema {
    switch form {
    case .array(let element): element
    case .optional(let schema): schema.element
    default: .unknown("the form of the elements is not known")
    }
  }

  /// The schema of the values of a dictionary.
  package var member: FieldSchema {
    if case .dictionary(let member) = form { member } else { .any }
  }
}

extension FieldValue {
  /// The default is the schema of ``fieldType``.
  public static var fieldSchema: FieldSchema {
    switch fieldType {
    case .boolean: .boolean
    case .integer: .integer
    case .unsignedInteger: FieldSchema(.unsignedInteger)
    case .double: .number
    case .decimal: FieldSchema(.number, storedAs: "decimal")
    case .string: .string
    case .uuid: .string(format: "uuid")
    case .data: .data
    case .array: .array(of: .unknown("the elements of `\(Self.self)`"))
    case .dictionary: .dictionary(of: .unknown("the values of `\(Self.self)`"))
    case .null, .date, .object, .reference: .unknown("the form of `\(Self.self)`")
    }
  }
}

extension FieldValue where Self: RawRepresentable, RawValue: FieldValue {
  /// One of the raw values if the type is `CaseIterable`. Otherwise the schema of
  /// the raw value type.
  public static var fieldSchema: FieldSchema {
    guard let cases else { return RawValue.fieldSchema }
    return .one(of: cases.map(\.rawValue))
  }
}

extension FieldValue where Self: FixedWidthInteger {
  /// An integer in the range of the type. Integers of 64 bits have no bounds
  /// other than zero.
  public static var fieldSchema: FieldSchema {
    if bitWidth < 64, let least = Int64(exactly: min), let greatest = Int64(exactly: max) {
      return .integer(least...greatest)
    }
    return FieldSchema(isSigned ? .integer(nil) : .unsignedInteger)
  }
}

extension MappedModel {
  /// An object with the keys of the model.
  public static var fieldSchema: FieldSchema { .model(Self.self) }
}
