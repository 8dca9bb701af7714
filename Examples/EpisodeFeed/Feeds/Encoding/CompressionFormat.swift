import Foundation

/// A format of compressed files, which are recognized by their first bytes.
enum CompressionFormat: String, CaseIterable {
  case gzip, zip, bzip2, xz, zstd

  /// The format of a compressed file; nil for other files.
  init?(of data: Data) {
    guard let format = Self.allCases.first(where: { $0.isFormat(of: data) }) else { return nil }
    self = format
  }

  private func isFormat(of data: Data) -> Bool { signatures.contains { data.starts(with: $0) } }

  private var signatures: [[UInt8]] {
    switch self {
    case .gzip: [[0x1F, 0x8B]]
    // An archive with files, without files, and one of several parts.
    case .zip: [[3, 4], [5, 6], [7, 8]].map { Array("PK".utf8) + $0 }
    case .bzip2: [Array("BZh".utf8)]
    case .xz: [[0xFD] + Array("7zXZ".utf8) + [0]]
    case .zstd: [[0x28, 0xB5, 0x2F, 0xFD]]
    }
  }
}
