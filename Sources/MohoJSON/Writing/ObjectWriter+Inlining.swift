import MohoMapping

extension ObjectWriter {
  /// Ends an object whose values were collected.
  func end(_ collection: MemberCollection) throws {
    let plan = try collection.plan
    let end = layout.pointee.text.count
    let values = layout.pointee.text.cut(from: collection.mark)
    layout.pointee.prepare(plan)
    layout.pointee.begin(plan)
    collection.forEachValue(of: plan, until: end) { slot, range in
      if layout.pointee.label(slot, plan) { layout.pointee.text.append(values, range) }
    }
    layout.pointee.end(plan)
  }

  /// Writes null for every key of an inlined model.
  func encodeNull(inlinedAt index: Int, _ collection: MemberCollection) {
    guard let keys = collection.keysOfNil(at: index) else { return }
    collection.inline(keys, at: index) {
      for (index, key) in keys.keys.enumerated() where key.source != nil {
        if key.isInlined {
          encodeNull(inlinedAt: index, collection)
        } else if label(index) {
          layout.pointee.text.append(literal: "null")
        }
      }
    }
  }
}
