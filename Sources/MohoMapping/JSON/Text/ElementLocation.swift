/// The path of an object in a document, in its parts: the array, the index in it
/// and the envelope. Only errors join them.
package struct ElementLocation {
  package var array: FieldPath
  package var index: Int?
  package var envelope: FieldPath?

  package init(array: FieldPath = FieldPath([]), index: Int? = nil, envelope: FieldPath? = nil) {
    self.array = array
    self.index = index
    self.envelope = envelope
  }

  /// The path of the array's element, which contains the envelope.
  package var element: FieldPath { index.map { array.appending(.index($0)) } ?? array }

  /// The path of the object.
  package var path: FieldPath { envelope.map { element.appending($0) } ?? element }
}
