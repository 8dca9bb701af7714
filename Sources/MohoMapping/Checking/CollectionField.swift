/// Collections whose empty value needs no samples of the elements.
protocol CollectionField {
  static var empty: Self { get }
}

extension Array: CollectionField {
  static var empty: [Element] { [] }
}

extension Set: CollectionField {
  static var empty: Set<Element> { [] }
}

extension Dictionary: CollectionField {
  static var empty: [Key: Value] { [:] }
}

extension LossyArray: CollectionField {
  static var empty: LossyArray<Element> { LossyArray([]) }
}
