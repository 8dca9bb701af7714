import MohoMapping

/// The path of an object in a document, in its parts: the array, the index in it
/// and the envelope. Only errors join them.
struct ElementLocation {
  var array = FieldPath([])
  var index: Int?
  var envelope: FieldPath?

  /// The path of the array's element, which contains the envelope.
  var element: FieldPath { index.map { array.appending(.index($0)) } ?? array }

  /// The path of the object.
  var path: FieldPath { envelope.map { element.appending($0) } ?? element }
}
