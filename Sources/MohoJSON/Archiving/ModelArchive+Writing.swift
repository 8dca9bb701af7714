public import Foundation

extension ModelArchive {
  /// The archive of a model, in UTF-8.
  ///
  /// - Throws: ``ArchiveError`` where the declaration of the versions is not
  ///   sound, `MappingError` where a value has no JSON.
  public func data(from model: Model) throws -> Data {
    try checkDeclaration()
    var data = Data(#"{"\#(Names.version)":\#(version),"#.utf8)
    // The adapter writes an object that holds the model alone.
    data += try adapter.data(from: model).dropFirst()
    return data
  }
}
