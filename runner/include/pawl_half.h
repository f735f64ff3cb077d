/* The compiler's own 16-bit float, for host code: C++ compilers do not agree on its name. Arithmetic may be done in
 * float; a conversion rounds once, to nearest. */
#ifndef PAWL_HALF_H
#define PAWL_HALF_H

#if defined(__aarch64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
typedef __fp16 pawl_half; /* g++ 12 knows _Float16 on Arm in C alone */
#else
typedef _Float16 pawl_half;
#endif

#endif
