// Imports the C library for all files of this program. Other modules do not see the re-export, because none of them
// imports an executable.

#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Android)
  @_exported import Android
#else
  #error("LoginExample does not know this system: import its C library here")
#endif
