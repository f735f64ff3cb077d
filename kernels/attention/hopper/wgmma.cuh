// The tensor cores' products, one overload a width: d has half as many elements a thread as the product columns.
#ifndef PAWL_ATTENTION_HOPPER_WGMMA_CUH
#define PAWL_ATTENTION_HOPPER_WGMMA_CUH

// Operands eight at a time: their places in the instruction's text, and what is bound to them.
#define PLACES_0 "%0, %1, %2, %3, %4, %5, %6, %7"
#define PLACES_8 "%8, %9, %10, %11, %12, %13, %14, %15"
#define PLACES_16 "%16, %17, %18, %19, %20, %21, %22, %23"
#define PLACES_24 "%24, %25, %26, %27, %28, %29, %30, %31"
#define PLACES_32 "%32, %33, %34, %35, %36, %37, %38, %39"
#define PLACES_40 "%40, %41, %42, %43, %44, %45, %46, %47"
#define PLACES_48 "%48, %49, %50, %51, %52, %53, %54, %55"
#define PLACES_56 "%56, %57, %58, %59, %60, %61, %62, %63"
#define EIGHT(d, i)                                                                                            \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]),  \
      "+f"(d[i + 7])

// d = a·bᵀ, or d += a·bᵀ: a is 64×16 and b N×16 in shared memory, both with k contiguous.
DEVICE void multiply_shared(float (&d)[16], uint64_t a, uint64_t b, bool add) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %18, 0; wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 "
      "{" PLACES_0 ", " PLACES_8 "}, %16, %17, p, 1, 1, 0, 0;}"
      : EIGHT(d, 0), EIGHT(d, 8)
      : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}

DEVICE void multiply_shared(float (&d)[24], uint64_t a, uint64_t b, bool add) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %26, 0; wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16 "
      "{" PLACES_0 ", " PLACES_8 ", " PLACES_16 "}, %24, %25, p, 1, 1, 0, 0;}"
      : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16)
      : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}

DEVICE void multiply_shared(float (&d)[32], uint64_t a, uint64_t b, bool add) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %34, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{" PLACES_0 ", " PLACES_8 ", " PLACES_16 ", " PLACES_24 "}, %32, %33, p, 1, 1, 0, 0;}"
      : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24)
      : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}

DEVICE void multiply_shared(float (&d)[48], uint64_t a, uint64_t b, bool add) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %50, 0; wgmma.mma_async.sync.aligned.m64n96k16.f32.f16.f16 "
      "{" PLACES_0 ", " PLACES_8 ", " PLACES_16 ", " PLACES_24 ", " PLACES_32
      ", " PLACES_40 "}, %48, %49, p, 1, 1, 0, 0;}"
      : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40)
      : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}

DEVICE void multiply_shared(float (&d)[64], uint64_t a, uint64_t b, bool add) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %66, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{" PLACES_0 ", " PLACES_8 ", " PLACES_16 ", " PLACES_24 ", " PLACES_32 ", " PLACES_40 ", " PLACES_48
      ", " PLACES_56 "}, %64, %65, p, 1, 1, 0, 0;}"
      : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24),
        EIGHT(d, 32), EIGHT(d, 40), EIGHT(d, 48), EIGHT(d, 56)
      : "l"(a), "l"(b), "r"(static_cast<int>(add)));
}

// The same with a in registers; ACROSS has the columns of b contiguous, and makes the product a·b.
template <bool ACROSS>
DEVICE void multiply_registers(float (&d)[16], const uint32_t (&a)[4], uint64_t b, bool add) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %21, 0; wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 "
      "{" PLACES_0 ", " PLACES_8 "}, "
      "{%16, %17, %18, %19}, %20, p, 1, 1, %22;}"
      : EIGHT(d, 0), EIGHT(d, 8)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)), "n"(ACROSS));
}

template <bool ACROSS>
DEVICE void multiply_registers(float (&d)[24], const uint32_t (&a)[4], uint64_t b, bool add) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %29, 0; wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16 "
      "{" PLACES_0 ", " PLACES_8 ", " PLACES_16 "}, "
      "{%24, %25, %26, %27}, %28, p, 1, 1, %30;}"
      : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)), "n"(ACROSS));
}

template <bool ACROSS>
DEVICE void multiply_registers(float (&d)[32], const uint32_t (&a)[4], uint64_t b, bool add) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %37, 0; wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
      "{" PLACES_0 ", " PLACES_8 ", " PLACES_16 ", " PLACES_24 "}, "
      "{%32, %33, %34, %35}, %36, p, 1, 1, %38;}"
      : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)), "n"(ACROSS));
}

template <bool ACROSS>
DEVICE void multiply_registers(float (&d)[48], const uint32_t (&a)[4], uint64_t b, bool add) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %53, 0; wgmma.mma_async.sync.aligned.m64n96k16.f32.f16.f16 "
      "{" PLACES_0 ", " PLACES_8 ", " PLACES_16 ", " PLACES_24 ", " PLACES_32 ", " PLACES_40 "}, "
      "{%48, %49, %50, %51}, %52, p, 1, 1, %54;}"
      : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)), "n"(ACROSS));
}

template <bool ACROSS>
DEVICE void multiply_registers(float (&d)[64], const uint32_t (&a)[4], uint64_t b, bool add) {
  asm volatile(
      "{.reg .pred p; setp.ne.b32 p, %69, 0; wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
      "{" PLACES_0 ", " PLACES_8 ", " PLACES_16 ", " PLACES_24 ", " PLACES_32 ", " PLACES_40 ", " PLACES_48 ", " PLACES_56 "}, "
      "{%64, %65, %66, %67}, %68, p, 1, 1, %70;}"
      : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40), EIGHT(d, 48), EIGHT(d, 56)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(static_cast<int>(add)), "n"(ACROSS));
}

#endif
