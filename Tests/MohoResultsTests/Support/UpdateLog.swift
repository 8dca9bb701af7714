import MohoChanges
import MohoMapping
import MohoResults

/// Logs the updates of a result.
final class UpdateLog<Model: MappedModel>: ResultsControllerDelegate {
  var updates: [ResultsUpdate<Model>] = []
  var onUpdate: (() -> Void)?

  init(_ results: any PresentedResults<Model>) { results.delegate = self }

  var changes: [String] { updates.map(\.changes.description) }

  func controller(
    _ controller: any PresentedResults<Model>, didApply update: ResultsUpdate<Model>
  ) {
    updates.append(update)
    onUpdate?()
  }
}
