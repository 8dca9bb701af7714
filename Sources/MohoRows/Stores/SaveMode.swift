public import MohoMapping

/// The way saving treats rows that are not among the saved models.
public enum SaveMode<Model: MappedModel>: Sendable {
  /// Saving deletes no rows.
  case save

  /// Saving deletes the rows of a request that are not among the models. The
  /// store then mirrors the models.
  ///
  /// ```swift
  /// let feed = ModelRequest<Episode>().filter { $0.season == 4 }
  /// try store.write {
  ///   try $0.save(episodes, mode: .mirror(feed, deletingAtMost: 0.2))
  /// }
  /// ```
  ///
  /// The request is evaluated before the models are saved. If saving would
  /// delete more than the given fraction of its rows, nothing is saved and a
  /// ``StoreError`` with the code ``StoreError/Code/tooManyDeletions`` is
  /// thrown. This prevents an empty feed from emptying the store.
  case mirror(ModelRequest<Model>, deletingAtMost: Double)
}
