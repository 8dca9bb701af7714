/// The kinds of work that are measured with each feature. The raw value is the
/// title of the work.
enum FeatureWork: String, CaseIterable {
  case decode = "decode statuses"
  case encode = "encode statuses"
  case save = "save statuses into a new store"
  case saveAgain = "save statuses that are already stored"
  case fetch = "fetch all statuses"
  case partials = "decode statuses as partial models"

  /// The title of the column in the table of all features.
  var column: String {
    switch self {
    case .decode: "decode"
    case .encode: "encode"
    case .save: "save"
    case .saveAgain: "save again"
    case .fetch: "fetch"
    case .partials: "partials"
    }
  }
}
