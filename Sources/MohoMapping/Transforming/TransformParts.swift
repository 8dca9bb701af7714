/// How many transforms one is composed of at most.
enum TransformParts {
  static let limit = 128

  static let problem = "the transform is composed of more than \(limit) others"

  static var error: MappingError { MappingError(.invalidDeclaration, found: problem) }
}
