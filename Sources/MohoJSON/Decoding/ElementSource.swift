import MohoMapping

/// The elements of an array, one after the other.
struct ElementSource: ~Copyable {
  /// The way to the array.
  let path: FieldPath?
  let text: SourceText
  /// What passes elements that need not be parsed.
  let scanner: ElementScanner?
  /// The next element.
  let next: () throws -> WalkStep
  /// Takes back the last element, which the scanner has passed: it comes again,
  /// parsed.
  let goBack: () -> Void
  /// Which part of the text was passed.
  let part: () -> Double
}
