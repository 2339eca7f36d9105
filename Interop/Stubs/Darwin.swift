// Darwin's C library is Glibc's here, but for what differs. Type-checked only: see .ci/platforms.
@_exported import Glibc

// swift-format-ignore: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
public struct _opaque_pthread_t {}
// swift-format-ignore: TypeNamesShouldBeCapitalized
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
// swift-format-ignore: AlwaysUseLowerCamelCase
public func pthread_self() -> pthread_t { fatalError() }
// swift-format-ignore: AlwaysUseLowerCamelCase
public func pthread_equal(_ left: pthread_t?, _ right: pthread_t?) -> Int32 { fatalError() }

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
