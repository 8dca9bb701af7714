import Foundation

/// Compares models that have one feature of a mapping with the same model
/// without it. Foundation decodes the model without features. The searchable key is
/// also compared with insertions of the same texts into a full-text table.
struct FeatureCosts {
  /// The number of the workload in reports.
  static let number = "W18"
  /// The contender that the others are compared with.
  static let base = "Moho, base"

  /// The number of statuses.
  var count: Int { documents.count }

  private let documents: StatusDocuments
  private let features: [any FeatureContending]
  private let indexedByHand: FeatureContenders<BaseStatus>

  init(_ documents: StatusDocuments, folder: URL) {
    func feature<Model: FeatureStatus>(
      _ name: String, _: Model.Type
    ) -> any FeatureContending {
      FeatureContenders<Model>(name, documents, folder: folder)
    }
    self.documents = documents
    features = [
      feature(Self.base, BaseStatus.self),
      feature("Moho, a path of two names", PathStatus.self),
      feature("Moho, an alternative path", AlternativeStatus.self),
      feature("Moho, a nested model of 3 keys", NestingStatus.self),
      feature("Moho, a to-one relation to it", RelatingStatus.self),
      feature("Moho, an inlined model of 2 keys", InliningStatus.self),
      feature("Moho, a collected path", CollectingStatus.self),
      feature("Moho, a validation", ValidatedStatus.self),
      feature("Moho, a JSON value", ValueStatus.self),
      feature("Moho, unknown members", UnknownStatus.self),
      feature("Moho, a merge policy", MergedStatus.self),
      feature("Moho, a searchable key", SearchableStatus.self),
    ]
    indexedByHand = FeatureContenders<BaseStatus>("Moho, FTS5 by hand", documents, folder: folder)
  }

  func contenders(_ work: FeatureWork) -> [Contender] {
    let contenders = features.map { $0.contender(work) }
    return switch work {
    case .decode: contenders + [foundation]
    case .save: contenders + [indexedByHand.contenderWithIndexedTexts]
    case .encode, .saveAgain, .fetch, .partials: contenders
    }
  }

  private var foundation: Contender {
    var statuses: [CodableStatus] = []
    return Contender(
      name: "JSONDecoder, Codable",
      work: {
        statuses = try CodableStatus.decoder.decode([CodableStatus].self, from: documents.text)
      },
      checksum: {
        defer { statuses = [] }
        return try StatusTotals(counts: statuses.lazy.map(\.count))
          .checksum(expected: documents.totals)
      })
  }
}
