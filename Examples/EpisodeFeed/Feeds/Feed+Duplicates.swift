import Moho

extension Feed {
  /// Removes episodes whose id an earlier one has, and lists them as failures.
  ///
  /// - Parameter indices: The positions of the episodes in the document.
  mutating func removeDuplicates(indices: [Int]) {
    var first: [String: Int] = [:]
    var kept: [Episode] = []
    for (episode, index) in zip(episodes, indices) {
      if let earlier = first[episode.id] {
        let message =
          "duplicate id: \"\(episode.id)\" - `Episode.id` at \(idPath(index).pointer),"
          + " first at \(idPath(earlier).pointer)"
        failures.append(ItemFailure(index: index, messages: [message]))
      } else {
        first[episode.id] = index
        kept.append(episode)
      }
    }
    episodes = kept
  }

  /// Where the id of an item is.
  private func idPath(_ index: Int) -> FieldPath {
    let key = format.adapter.mapping.key(for: \Episode.id)?.source
    let steps = [format.adapter.envelope, key].compactMap { $0 }
    return steps.reduce((format.items ?? FieldPath([])).appending(.index(index))) {
      $0.appending($1)
    }
  }
}
