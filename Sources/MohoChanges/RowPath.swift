public struct RowPath: Sendable {}
