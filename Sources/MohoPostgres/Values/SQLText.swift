/// Returns a text as an SQL literal, independently of the server's setting
/// `standard_conforming_strings`. The text must not contain null characters.
func quotedText(_ text: String) -> String {
  let quoted = text.replacing("'", with: "''")
  return text.utf8.contains(UInt8(ascii: "\\"))
    ? "E'\(quoted.replacing("\\", with: "\\\\"))'" : "'\(quoted)'"
}

/// Returns a hash of a text that is the same in all processes (FNV-1a), as 16
/// hexadecimal digits.
func stableHash(_ text: String) -> String {
  var hash: UInt64 = 0xcbf2_9ce4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  let digits = String(hash, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
