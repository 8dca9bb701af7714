import MohoMapping

extension StoreError {
  /// The error for a row whose model would contain too many nested models.
  ///
  /// Reading nested models is recursive; see ``NestingDepth``.
  init(nestedIn row: String?) {
    self.init(
      .cycle, subject: row,
      reason: "models are nested more than \(NestingDepth.limit) levels deep",
      suggestion: "hold the related models by `ModelReference`")
  }
}
