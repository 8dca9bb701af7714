extension Transform {
  /// The transform of an array whose elements have this form.
  ///
  /// Null is none of the elements, unless this transform takes it:
  /// `optional.array` keeps null elements as nil, `array.optional` makes the
  /// array itself optional.
  ///
  /// Reading throws the errors of all elements that failed, in order, each with
  /// the path of its element.
  public var array: Transform<[Value]> {
    let (read, write, sample) = (read, write, sample)
    return Transform<[Value]>(
      type: .array,
      isOptional: false,
      problems: problems,
      parts: parts + 1,
      read: { decoder, index in
        let elements = try decoder.array(at: index)
        return try readAll(elements.count) { try read(elements.decoder, $0) }
      },
      write: { values, encoder, index in
        try encoder.encodeArray(at: index, count: values.count) { encoder in
          for (position, value) in values.enumerated() {
            do {
              try write(value, encoder, position)
            } catch {
              throw encoder.failure(error, at: position) { value }
            }
          }
        }
      },
      sample: { sample($0.omissible).map { [$0] } })
  }

  /// The transform of a dictionary whose values have this form, by name.
  ///
  /// Reading throws the errors of all members that failed, in their order, each
  /// with its path. Members are written by ascending name.
  public var dictionary: Transform<[String: Value]> {
    let (read, write, sample) = (read, write, sample)
    return Transform<[String: Value]>(
      type: .dictionary,
      isOptional: false,
      problems: problems,
      parts: parts + 1,
      read: { decoder, index in
        let members = try decoder.dictionary(at: index)
        let values = try readAll(members.names.count) { try read(members.decoder, $0) }
        return Dictionary(zip(members.names, values)) { $1 }
      },
      write: { values, encoder, index in
        let members = values.sorted { $0.key < $1.key }
        try encoder.encodeDictionary(at: index, names: members.map(\.key)) { encoder in
          for (position, member) in members.enumerated() {
            do {
              try write(member.value, encoder, position)
            } catch {
              throw encoder.failure(error, at: position) { member.value }
            }
          }
        }
      },
      sample: { sample($0.omissible).map { ["sample": $0] } })
  }
}

extension Transform where Value: FieldValue {
  /// The transform of an array that keeps the elements that can be read in this
  /// form, and says which cannot.
  public var lossyArray: Transform<LossyArray<Value>> {
    let (read, array) = (read, array)
    return Transform<LossyArray<Value>>(
      type: .array,
      isOptional: false,
      problems: problems,
      parts: parts + 1,
      read: { decoder, index in
        try LossyArray(from: decoder, at: index) { try read($0, $1) }
      },
      write: { values, encoder, index in try array.write(values.elements, encoder, index) },
      sample: { array.sample($0).map { LossyArray($0) } })
  }
}

extension Transform where Value: Hashable {
  /// The transform of a set whose elements have this form: an array of which
  /// equal elements are one, written in no particular order.
  public var set: Transform<Set<Value>> {
    array.map(to: { Set($0) }, from: { Array($0) })
  }
}
