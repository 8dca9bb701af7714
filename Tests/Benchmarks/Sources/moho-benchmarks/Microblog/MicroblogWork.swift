/// What is measured with the statuses of a microblog. The raw value is the
/// title of the work.
enum MicroblogWork: String, CaseIterable {
  case decode = "decode statuses"
  case encode = "encode statuses"
  case importNew = "import statuses into a new store"
  case importAgain = "import the same statuses again"
  case importChanged = "import the statuses again, 1 % changed"
  case fetch = "fetch all statuses with their relations"
  case page = "fetch the 40 newest statuses with their relations"
  case change = "save one changed status while a list is observed"

  /// The title of the work with a single page. Nil if it is not measured.
  var titleOfPage: String? {
    switch self {
    case .decode: "decode a page of 40 statuses"
    case .encode: "encode a page of 40 statuses"
    case .importNew: "import a page of 40 statuses into a new store"
    case .importAgain: "import the same page of 40 statuses again"
    case .importChanged, .fetch, .page, .change: nil
    }
  }

  /// Whether the work reads or writes the document.
  var isOfDocument: Bool {
    switch self {
    case .decode, .encode, .importNew, .importAgain, .importChanged: true
    case .fetch, .page, .change: false
    }
  }

  /// The maximum ratio of the time of Moho to the time of a contender.
  var limits: [(contender: String, ratio: Double)] {
    switch self {
    case .decode: [(Microblog.decoder, 0.35), (Microblog.floor, 2)]
    case .encode: [(Microblog.encoder, 0.2)]
    case .importNew: [(Microblog.importer, 0.3)]
    case .importAgain, .importChanged, .fetch, .page, .change: []
    }
  }
}
