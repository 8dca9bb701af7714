import MohoRows

extension PostgresSession {
  var linkedRows: any LinkedRowSource { self }

  func damage(limit: Int) -> [String] { [] }
}
