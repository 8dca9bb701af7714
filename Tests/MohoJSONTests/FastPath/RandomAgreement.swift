import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Expects that random objects, most of them slightly damaged, are read with and without the
/// fast path to the same models or errors, and that nine of ten valid ones take it.
///
/// - Parameter check: Receives each valid text with its model.
func expectAgreement<Model: MappedModel & Equatable>(
  of model: Model.Type, _ check: (Data, Model, Comment) throws -> Void
) throws {
  let scanning = JSONAdapter<Model>()
  let parsing = scanning.withoutFastPath
  var (wholeCount, scannedCount) = (0, 0)
  for seed in Campaign.scanSeeds {
    var random = RandomShow(seed: seed)
    let whole = random.object()
    let text = seed.isMultiple(of: 4) ? whole : random.mutation(of: whole)
    let data = Data(exactly: text)
    let comment: Comment = "seed \(seed): \(String(decoding: text, as: UTF8.self))"
    let parsed = Verdict { try parsing.model(from: data) }
    #expect(Verdict { try scanning.model(from: data) } == parsed, comment)
    guard case .value(let model) = parsed else { continue }
    wholeCount += 1
    if scanning.isScanned(data) { scannedCount += 1 }
    try check(data, model, comment)
  }
  #expect(Double(scannedCount) > Double(wholeCount) * 0.9)
}
