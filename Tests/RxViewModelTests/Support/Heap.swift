#if os(Linux)
  import Foundation

  /// How many bytes more are allocated behind `work` than before it.
  func allocation(of work: () -> Void) -> Int {
    // The first time counts what counting itself allocates, once for all.
    _ = allocatedBytes()
    let before = allocatedBytes()
    work()
    return allocatedBytes() - before
  }

  /// How many bytes this process has allocated and not freed, as glibc counts them.
  ///
  /// `malloc_info` writes, for all arenas together at its end, what they have got from the system and what of it is free.
  private func allocatedBytes() -> Int {
    typealias MallocInfo = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
    let write = unsafeBitCast(dlsym(nil, "malloc_info")!, to: MallocInfo.self)
    var (text, length) = (UnsafeMutablePointer<CChar>?.none, 0)
    let stream = open_memstream(&text, &length)!
    _ = write(0, stream)
    fclose(stream)
    defer { free(text) }
    let totals = String(cString: text!).components(separatedBy: "</heap>").last!
    func size(_ tag: String) -> Int {
      let line = totals.split(separator: "\n").first { $0.contains(tag) }!
      return Int(line.components(separatedBy: "size=\"").last!.prefix { $0.isNumber })!
    }
    return size("<system type=\"current\"") + size("\"mmap\"") - size("\"fast\"") - size("\"rest\"")
  }
#endif
