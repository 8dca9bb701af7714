extension Transform {
  /// The transform of an array whose elements have this form.
  ///
  /// A null element is an error unless this transform is optional.
  /// `optional.array` reads null elements as nil. `array.optional` makes the
  /// array itself optional.
  ///
  /// Reading throws the errors of all elements that failed, in order, with the
  /// paths of the elements.
  public var array: Transform<[Value]> {
    let (read, write, sample) = (read, write, sample)
    return Transform<[Value]>(
      type: .array,
      isOptional: false,
      problems: problems,
      parts: parts + 1,
      schema: .array(of: schema),
      read: { decoder, index in
        let elements = try decoder.array(at: index)
        return try readAll(elements.count) { try read(elements.decoder, $0) }
      },
      write: { values, encoder, index in try values.encode(to: encoder, at: index, write) },
      sample: { sample($0.omissible).map { [$0] } })
  }

  /// The transform of a dictionary whose values have this form.
  ///
  /// Reading throws the errors of all members that failed, in order, with their
  /// paths. Members are written sorted by name.
  public var dictionary: Transform<[String: Value]> {
    let (read, write, sample) = (read, write, sample)
    return Transform<[String: Value]>(
      type: .dictionary,
      isOptional: false,
      problems: problems,
      parts: parts + 1,
      schema: .dictionary(of: schema),
      read: { decoder, index in try Dictionary.decode(from: decoder, at: index, read) },
      write: { values, encoder, index in try values.encode(to: encoder, at: index, write) },
      sample: { sample($0.omissible).map { ["sample": $0] } })
  }
}

extension Transform where Value: FieldValue {
  /// The transform of an array that skips elements that cannot be read in this
  /// form, and reports their errors.
  public var lossyArray: Transform<LossyArray<Value>> {
    let (read, array) = (read, array)
    return Transform<LossyArray<Value>>(
      type: .array,
      isOptional: false,
      problems: problems,
      parts: parts + 1,
      schema: .array(of: .anyOf(schema, .unknown("elements in other forms are skipped"))),
      read: { decoder, index in
        try LossyArray(from: decoder, at: index) { try read($0, $1) }
      },
      write: { values, encoder, index in try array.write(values.elements, encoder, index) },
      sample: { array.sample($0).map { LossyArray($0) } })
  }
}

extension Transform where Value: Hashable {
  /// The transform of a set whose elements have this form. It is an array in
  /// which equal elements become one, written in no particular order.
  public var set: Transform<Set<Value>> {
    array.map(to: { Set($0) }, from: { Array($0) })
  }
}
