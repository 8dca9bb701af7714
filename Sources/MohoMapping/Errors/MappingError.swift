/// Why a model could not be read or written by its mapping.
///
/// The description is one line an error, such as
///
/// ```
/// invalid type: string "12a", expected integer - `Episode.duration` at /items/3/duration, 41:17
/// ```
public struct MappingError: Error, Sendable {
  /// What kind of mistake it is.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// What messages begin with.
    public var description: String { name }

    /// There is no value, and the key is neither optional nor has a default.
    public static let missingValue = Code(name: "missing value")
    /// The value is null, and the key is not optional.
    public static let unexpectedNull = Code(name: "unexpected null")
    /// The value is of another type.
    public static let invalidType = Code(name: "invalid type")
    /// The value is of the right type, and none that the key can hold.
    public static let invalidValue = Code(name: "invalid value")
    /// No key is mapped to what is there.
    public static let unknownKey = Code(name: "unknown key")
    /// The value, or the model as a whole, does not meet a validation.
    public static let failedValidation = Code(name: "failed validation")
    /// The format cannot hold a value of the kind.
    public static let unsupported = Code(name: "unsupported value")
    /// The declaration of the mapping is not sound.
    public static let invalidDeclaration = Code(name: "invalid mapping")
    /// More than 128 models are nested, not counting inlined ones, or arrays and
    /// objects more than 2,048 levels deep.
    public static let tooDeep = Code(name: "too deep")
    /// Several keys failed; see ``MappingError/errors``.
    public static let severalErrors = Code(name: "several errors")
  }

  /// What kind of mistake it is.
  public var code: Code
  /// The name of the model's mapping.
  public var model: String?
  /// The name of the key.
  public var key: String?
  /// The way to the value from the root of what was decoded.
  public var path: FieldPath?
  /// Where the value begins in the text that was decoded, or, where there is
  /// none, the object or array that should hold it; nil for what is no text.
  public var position: TextPosition?
  /// What was found, cut at 80 characters.
  public var found: String?
  /// What was expected.
  public var expected: String?
  /// What the error came from.
  public var underlying: (any Error)?
  /// The key that was perhaps meant: one that is there where a key is missing, or
  /// a missing one where a key is unknown.
  public var suggestion: String?
  /// Where else the value was looked for, where a key with alternatives is
  /// missing.
  public var alternatives: [FieldPath] = []

  private var several: [MappingError] = []

  /// Makes an error.
  public init(
    _ code: Code, model: String? = nil, key: String? = nil, path: FieldPath? = nil,
    found: String? = nil, expected: String? = nil, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.model = model
    self.key = key
    self.path = path
    self.found = found
    self.expected = expected
    self.underlying = underlying
  }

  /// Makes one error of several: the only one itself, or one of code
  /// ``Code/severalErrors`` that holds them. Nil of none.
  public init?(_ errors: [MappingError]) {
    let errors = errors.flatMap(\.errors)
    guard let first = errors.first else { return nil }
    self = first
    if errors.count > 1 {
      self = MappingError(.severalErrors, model: first.model)
      several = errors
    }
  }

  /// The errors, in declaration order: this one alone unless there are several.
  public var errors: [MappingError] { several.isEmpty ? [self] : several }

  func naming(model: String, key: String) -> MappingError {
    // What names its model already is about a key of that, or about none.
    guard self.model == nil else { return self }
    var error = self
    error.model = model
    error.key = key
    error.several = several.map { $0.naming(model: model, key: key) }
    return error
  }

  /// The error with the path of the value, unless it has one.
  package func locating(at path: FieldPath?) -> MappingError {
    var error = self
    error.path = self.path ?? path
    error.several = several.map { $0.locating(at: path) }
    return error
  }

  /// The error, whose path begins at the root of another document or value.
  ///
  /// - Parameters:
  ///   - path: The path of the value that the error's path begins at.
  ///   - count: How many of the first components of the error's path to drop.
  package func inside(_ path: FieldPath, dropping count: Int = 0) -> MappingError {
    var error = self
    let rest = FieldPath(Array((self.path?.components ?? []).dropFirst(count)))
    error.path = path.appending(rest)
    error.several = several.map { $0.inside(path, dropping: count) }
    return error
  }

  /// The error, about an element of a list. A value without a path has that of
  /// its key.
  package func inElement(_ index: Int) -> MappingError {
    var error = self
    let key = key.map { FieldPath([.key($0)]) } ?? FieldPath([])
    error.path = FieldPath([.index(index)]).appending(path ?? key)
    error.several = several.map { $0.inElement(index) }
    return error
  }
}
