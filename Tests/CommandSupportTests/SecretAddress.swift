import Foundation
import MohoTesting

/// A connection string with a password, in a form that libpq accepts, or that a user confuses
/// with one.
struct SecretAddress: CustomStringConvertible {
  let text: String
  /// The parts of the password that no message may contain.
  let parts: [String]

  var description: String { text.debugDescription }

  /// Creates an address of the form with a number.
  init(_ number: Int, _ generator: inout SeededGenerator) {
    let (password, parts) = Self.password(&generator)
    self.parts = parts
    let encoded = password.utf8.map { "%" + String(Int($0) + 0x100, radix: 16).dropFirst() }
      .joined()
    let quoted = "'" + password.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    let host =
      ["host", "/nowhere", "127.0.0.1:1", "", "[::1]:1", "a,b:7"]
      .randomElement(using: &generator) ?? ""
    let socket = "host=/nowhere"
    let name = host.replacing("/", with: "%2F")
    let scheme =
      ["postgresql", "postgres", "PostgreSQL", " postgresql", "mysql"]
      .randomElement(using: &generator) ?? ""
    let secret = generator.oneIn(2) ? password : encoded
    let value = generator.oneIn(2) ? password : quoted
    let urls = [
      "//bob:\(secret)@\(name)/x", "//bob:\(secret)@\(name)", "//:\(secret)@\(name)/x",
      "//bob:\(secret)@", "//bob:\(secret)@/x?\(socket)", "/bob:\(secret)@\(name)/x",
      "///bob:\(secret)@\(name)/x", "////bob:\(secret)@\(name)/x",
      "//bob@\(name)/x?password=\(secret)", "//\(name)/x?user=bob&password=\(secret)",
      "//\(name)?password=\(secret)", "//?\(socket)&password=\(secret)",
      "//\(name)/x?sslpassword=\(secret)", "//\(name)/x?password=\(secret)&password=\(secret)",
      "//\(name)/x#password=\(secret)", "//\(name)/x&password=\(secret)",
      "//\(name)/x?host=y?password=\(secret)", "//\(name)/x?pass%77ord=\(secret)",
      "//\(name)/x;password=\(secret)", "//a/x?dbname=postgresql://bob:\(secret)@b/x",
      "//bob:\(secret)@\(name)/x?nonsense=1", "//bob:\(secret)@a@\(name)/x",
      "//bob%3A\(encoded)@\(name)/x", "//\(name)/x?user=bob%3A\(encoded)",
      "//\(name)/x%3Fpassword%3D\(encoded)", "//\(name)/x?sslmode=password%3D\(encoded)",
      "//\(name)/x?PASSWORD=\(secret)", "//\(name)/x?pasword=\(secret)",
    ]
    let lists = [
      "\(socket) password=\(value)", "password=\(value) \(socket)", "password = \(quoted)",
      "\(socket) password=\(quoted) dbname=x user=bob", "\(socket) pasword=\(value)",
      "dbname=postgresql://bob:\(password)@h/x", "dbname='postgresql://bob:\(encoded)@h/x'",
      "host=bob:\(password)@h", "hostaddr=bob:\(password)@h", "user=bob:\(password)@h/x",
      "\(socket) sslpassword=\(quoted) password=\(quoted)", "host=\(quoted)@h password=\(quoted)",
      "host='h password=\(encoded)'", "PASSWORD=\(value) \(socket)",
      "\(socket) sslmode= password=\(encoded)", "\(socket) connect_timeout= password=\(encoded)",
      "user=bob:\(encoded) \(socket)", "user='bob password=\(encoded)' \(socket)",
      "\(socket) dbname='x;password=\(encoded)'", "service=x password=\(value)",
      "\(socket) application_name='password=\(encoded)'", "passwrod=\(value)", "Pwd=\(value)",
      "PGPASSWORD=\(value) dbname=x", "Server=host;Database=x;Password=\(encoded)",
      "host/x?password=\(secret)", "db.example.com/x?user=bob&pass=\(secret)",
      "//bob:\(encoded)@host/x", "bob:\(encoded)@host/x", "postgresql//bob:\(encoded)@host/x",
      "jdbc:postgresql://host/x?user=bob&password=\(secret)", "redis://:\(encoded)",
      "mysql://bob:\(encoded)/x", "sqlite:bob:\(encoded)@x", "https://bob:\(encoded)@host/x",
      "passfile=/nowhere password=\(value)", "host=/nowhere\tpassword=\(value)",
    ]
    let form = number % (urls.count + lists.count)
    text = form < urls.count ? "\(scheme):\(urls[form])" : lists[form - urls.count]
  }

  private static func password(
    _ generator: inout SeededGenerator
  ) -> (String, parts: [String]) {
    if generator.oneIn(3) {
      let digits = String(10_000 + generator.below(55_000))
      return (digits, [digits, digits.utf8.map { "%" + String($0, radix: 16) }.joined()])
    }
    let special = Array("@/:?#%&=+'\"\\[]{}<>^| ;,.\té")
    let middle = String(
      (0..<generator.below(4)).map { _ in special[generator.below(special.count)] })
    return ("XQZJ\(middle)JXQZ", ["XQZJ", "JXQZ", "%58%51", "%58%5"])
  }
}
