import MohoMapping

/// Where an object lies in a document: under a prefix, at an index of an array,
/// in an envelope. Put together only for messages.
struct ElementPlace {
  var prefix = FieldPath([])
  var index: Int?
  var envelope: FieldPath?

  /// The way to the array's element, which holds the envelope.
  var element: FieldPath {
    index.map { prefix.appending(.index($0)) } ?? prefix
  }

  /// The way to the object.
  var path: FieldPath {
    envelope.map { element.appending($0) } ?? element
  }
}
