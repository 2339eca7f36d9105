#if os(Linux)
  import Foundation

  /// The number of bytes that `work` allocates and does not free.
  func allocation(of work: () -> Void) -> Int {
    // The first measurement allocates memory of its own, once.
    _ = allocatedBytes()
    let before = allocatedBytes()
    work()
    return allocatedBytes() - before
  }

  /// Ends the process if the work, done for `count` times, allocates as many bytes as the limit, and does not free them.
  ///
  /// - Parameter warmUp: The number of times for which the work is done before.
  func checkGrowth(below limit: Int, from warmUp: Int, to count: Int, _ work: (Int) -> Void) {
    work(warmUp)
    let growth = allocation { work(count) }
    precondition(growth < limit, "\(growth) bytes more after \(count) times")
  }

  /// The number of objects and of arrays that `work` allocates. In a process of its own only: it counts the allocations of all threads.
  ///
  /// The Swift runtime calls the function in a variable of its own for each allocation, if another variable says so.
  func allocatedObjects(in work: () -> Void) -> Int {
    let hook = dlsym(nil, "_swift_allocObject")!.assumingMemoryBound(to: Allocate.self)
    let isHooked = dlsym(nil, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")!
      .assumingMemoryBound(to: Bool.self)
    (allocate, allocations) = (hook.pointee, 0)
    hook.pointee = { type, size, alignment in
      allocations += 1
      return allocate!(type, size, alignment)
    }
    isHooked.pointee = true
    work()
    isHooked.pointee = false
    hook.pointee = allocate!
    return allocations
  }

  private typealias Allocate = @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer?
  nonisolated(unsafe) private var allocate: Allocate?
  nonisolated(unsafe) private var allocations = 0

  /// The number of bytes that this process has allocated and not freed, according to glibc.
  ///
  /// At the end of its report `malloc_info` writes, as totals of all arenas, the bytes obtained from the system and the free ones.
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
