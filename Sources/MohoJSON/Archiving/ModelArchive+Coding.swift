public import Foundation
import MohoMapping

extension ModelArchive {
  /// Decodes the model of an archive, after upgrading it step by step from an older
  /// version.
  ///
  /// - Throws: ``ArchiveError`` if the version is newer or too old, if a required version
  ///   is missing, or if an upgrade fails; `JSONError` if the archive is not JSON;
  ///   `MappingError` with all keys that failed, without lines and columns if the model
  ///   was upgraded.
  public func model(from data: Data) throws -> Model {
    try checkDeclaration()
    let document = try JSONDocument(parsing: data)
    let found = try version(of: document)
    guard found <= version else { throw error(.newerVersion, found: found) }
    let path = FieldPath([.key(ArchiveKeys.model)])
    guard found < version, document.kind(at: path) == .object, let model = document.value(at: path)
    else {
      return try adapter.model(from: document)
    }
    return try read(upgrading(model, from: found))
  }

  private func version(of document: JSONDocument) throws -> Int {
    guard document.kind() == .object else { return version }
    switch document.value(at: FieldPath([.key(ArchiveKeys.version)])) {
    case nil:
      guard let unversioned else { throw error(.missingVersion, found: nil) }
      return unversioned
    case .integer(let number)? where number >= 0: return Int(clamping: number)
    case let other?:
      var error = error(.invalidVersion, found: nil)
      error.underlying = MappingError(
        .invalidType, path: FieldPath([.key(ArchiveKeys.version)]),
        found: (try? other.data()).map { String(decoding: $0, as: UTF8.self) },
        expected: "version number")
      throw error
    }
  }

  private func upgrading(_ model: JSONValue, from oldest: Int) throws -> JSONValue {
    var model = model
    for step in oldest..<version {
      guard let upgrade = upgrades[step] else {
        throw error(.missingUpgrade, found: oldest)
      }
      do {
        try upgrade(&model)
      } catch let underlying {
        var error = error(.failedUpgrade, found: step)
        error.underlying = underlying
        throw error
      }
    }
    return model
  }

  private func read(_ model: JSONValue) throws -> Model {
    let archive = JSONValue.object([JSONValue.Member(ArchiveKeys.model, model)])
    do {
      return try adapter.model(from: archive.data())
    } catch let error as MappingError {
      // Their positions refer to a text that the user does not have.
      throw MappingError(error.errors.map { $0.withoutPosition }) ?? error
    }
  }

  func checkDeclaration() throws {
    guard let problem else { return }
    var error = error(.invalidDeclaration, found: nil)
    error.problem = problem
    throw error
  }

  private func error(_ code: ArchiveError.Code, found: Int?) -> ArchiveError {
    ArchiveError(code: code, model: adapter.mapping.name, version: version, foundVersion: found)
  }
}

extension MappingError {
  fileprivate var withoutPosition: MappingError {
    var error = self
    error.position = nil
    return error
  }
}

extension ModelArchive {
  /// Encodes the archive of a model in UTF-8.
  ///
  /// - Throws: ``ArchiveError`` if the declaration of the versions is invalid;
  ///   `MappingError` if JSON cannot represent a value.
  public func data(from model: Model) throws -> Data {
    try checkDeclaration()
    var data = Data(#"{"\#(ArchiveKeys.version)":\#(version),"#.utf8)
    // The adapter writes an object with the model as its only member.
    data += try adapter.data(from: model).dropFirst()
    return data
  }
}
