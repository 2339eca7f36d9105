// Stands for Darwin's C library: exports Glibc, and declares the parts that Glibc lacks. It is only type-checked: see .ci/platforms.
@_exported import Glibc

// swift-format-ignore: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase
public struct _opaque_pthread_t {}
// swift-format-ignore: TypeNamesShouldBeCapitalized
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
// swift-format-ignore: AlwaysUseLowerCamelCase
public func pthread_self() -> pthread_t { fatalError() }
// swift-format-ignore: AlwaysUseLowerCamelCase
public func pthread_equal(_ left: pthread_t?, _ right: pthread_t?) -> Int32 { fatalError() }
