// Darwin's C library is Glibc's here, but for what differs. Type-checked only: see .ci/platforms.
@_exported import Glibc

// swift-format-ignore: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
public struct __sigaction_u {
  public var __sa_handler: (@convention(c) (Int32) -> Void)!
}

// swift-format-ignore: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
extension sigaction {
  public var __sigaction_u: __sigaction_u {
    get { fatalError() }
    set { fatalError() }
  }
}
