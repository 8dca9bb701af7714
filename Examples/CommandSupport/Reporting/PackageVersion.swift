/// The version of the package, which is that of all its programs.
public enum PackageVersion {
  /// The version that `--version` prints.
  public static let current = "0.1.0-dev"
}
