public import Foundation

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
