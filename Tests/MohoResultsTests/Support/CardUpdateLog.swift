import MohoChanges
import MohoResults

/// Logs the updates of a result.
final class CardUpdateLog: ResultsControllerDelegate {
  var updates: [ResultsUpdate<Card>] = []
  var onUpdate: (() -> Void)?

  init(_ results: ContextResultsController<Card>) { results.delegate = self }

  var changes: [String] { updates.map(\.changes.description) }

  func controller(
    _ controller: any PresentedResults<Card>, didApply update: ResultsUpdate<Card>
  ) {
    updates.append(update)
    onUpdate?()
  }
}
