/// An error about a model that could not be read or written by its mapping.
///
/// The description has one line per error:
///
/// ```
/// invalid type: string "12a", expected integer - `Episode.duration` at /items/3/duration, 41:17
/// ```
public struct MappingError: Error, Sendable {
  /// The kind of an error.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let name: String

    /// The beginning of messages.
    public var description: String { name }

    /// There is no value, and the key is neither optional nor has a default.
    public static let missingValue = Code(name: "missing value")
    /// The value is null, and the key is not optional.
    public static let unexpectedNull = Code(name: "unexpected null")
    /// The value has another type.
    public static let invalidType = Code(name: "invalid type")
    /// The value has the right type, but the key cannot represent it.
    public static let invalidValue = Code(name: "invalid value")
    /// No key is mapped to a member of the document.
    public static let unknownKey = Code(name: "unknown key")
    /// A validation of the key or of the model failed.
    public static let failedValidation = Code(name: "failed validation")
    /// The format cannot represent this kind of value.
    public static let unsupported = Code(name: "unsupported value")
    /// The declaration of the mapping has issues.
    public static let invalidDeclaration = Code(name: "invalid mapping")
    /// More than 128 models are nested, not counting inlined models, or more
    /// than 2,048 arrays and objects. An array or dictionary directly inside
    /// another one counts as a model.
    public static let tooDeep = Code(name: "too deep")
    /// Several keys failed; see ``MappingError/errors``.
    public static let severalErrors = Code(name: "several errors")
  }

  /// The kind of the error.
  public var code: Code
  /// The name of the mapping.
  public var model: String?
  /// The name of the key.
  public var key: String?
  /// The path of the value from the root of the document.
  public var path: FieldPath?
  /// The position of the value in the text. If there is no value, the position
  /// of the object or array that lacks it. Nil if the document is not text.
  public var position: TextPosition?
  /// The row of a store that could not be read: the model and its unique key.
  public var row: String?
  /// The value that was found, cut at 80 characters.
  public var found: String?
  /// The value that was expected.
  public var expected: String?
  /// The error that caused this error.
  public var underlying: (any Error)?
  /// A similar key: an unknown key of the document if a key is missing, or a
  /// missing key if a key is unknown.
  public var suggestion: String?
  /// What to do about the error.
  public var advice: String?
  /// For a missing value, the alternative paths of the key.
  public var alternatives: [FieldPath] = []

  private var several: [MappingError] = []

  /// Creates an error.
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

  /// Combines errors. The result is the error itself if there is one, an error
  /// with code ``Code/severalErrors`` if there are several, and nil if the
  /// array is empty.
  public init?(_ errors: [MappingError]) {
    let errors = errors.flatMap(\.errors)
    guard let first = errors.first else { return nil }
    self = first
    if errors.count > 1 {
      self = MappingError(.severalErrors, model: first.model)
      several = errors
    }
  }

  /// The combined errors, in declaration order, or only this error.
  public var errors: [MappingError] { several.isEmpty ? [self] : several }

  /// Returns the error with a change applied to it and to the errors it
  /// combines.
  private func changed(_ change: (inout MappingError) -> Void) -> MappingError {
    var error = self
    change(&error)
    error.several = several.map { $0.changed(change) }
    return error
  }

  /// Returns the error with the names of the model and the key.
  func naming(model: String, key: String) -> MappingError {
    // An error that names a model is about a key of that model, or about no
    // key.
    guard self.model == nil else { return self }
    var error = self
    error.model = model
    error.key = key
    error.several = several.map { $0.naming(model: model, key: key) }
    return error
  }

  /// Returns the error with a row, unless it has one.
  package func naming(row: String) -> MappingError {
    changed { $0.row = $0.row ?? row }
  }

  /// Returns the error with a path, unless it has one.
  package func locating(at path: FieldPath?) -> MappingError {
    changed { $0.path = $0.path ?? path }
  }

  /// Returns the error with a path that is relative to another root.
  ///
  /// - Parameters:
  ///   - path: The path of the current root in the new one.
  ///   - count: The number of leading components to remove from the error's
  ///     path.
  package func inside(_ path: FieldPath, dropping count: Int = 0) -> MappingError {
    changed {
      let rest = ($0.path?.components ?? []).dropFirst(count)
      $0.path = path.appending(FieldPath(Array(rest)))
    }
  }

  /// Returns the error about a value that was the first element of an array, with the path
  /// of that value.
  func insideFirstElement(of path: FieldPath) -> MappingError {
    changed {
      let own = $0.path?.components ?? []
      let rest = own.first == .index(0) ? own.dropFirst() : own[...]
      $0.path = path.appending(FieldPath(Array(rest)))
    }
  }

  /// Returns the error about elements of a list with other indexes.
  package func mappingElements(_ index: (Int) -> Int) -> MappingError {
    changed {
      guard var components = $0.path?.components, case .index(let old)? = components.first else {
        return
      }
      components[0] = .index(index(old))
      $0.path = FieldPath(components)
    }
  }

  /// Returns the error as one about an element of a list. If it has no path,
  /// the name of its key becomes the path inside the element.
  package func inElement(_ index: Int) -> MappingError {
    changed {
      let key = FieldPath($0.key.map { [.key($0)] } ?? [])
      $0.path = FieldPath([.index(index)]).appending($0.path ?? key)
    }
  }
}

/// A position in a text.
public struct TextPosition: Hashable, Sendable, CustomStringConvertible {
  /// The line, starting at 1. Lines end with a line feed.
  public var line: Int
  /// The column in characters (grapheme clusters), starting at 1.
  public var column: Int
  /// The number of bytes before the position.
  public var offset: Int

  /// Creates a position.
  public init(line: Int, column: Int, offset: Int) {
    self.line = line
    self.column = column
    self.offset = offset
  }

  /// The line and the column, such as `41:17`.
  public var description: String { "\(line):\(column)" }
}
