/**
 * Layouts as types, in the manner of CuTe: a shape and its strides are known to the compiler, a tensor is a pointer
 * with a layout, and algorithms are templates that vanish into the kernel that calls them.
 */
#pragma once

namespace tile {

template <int Rows_, int Columns_, int RowStride_, int ColumnStride_>
struct Layout {
  static constexpr int Rows = Rows_;
  static constexpr int Columns = Columns_;
  static constexpr int Size = Rows_ * Columns_;
  __device__ static constexpr int at(int row, int column) { return row * RowStride_ + column * ColumnStride_; }
};

template <int Rows, int Columns>
using RowMajor = Layout<Rows, Columns, Columns, 1>;
template <int Rows, int Columns>
using ColumnMajor = Layout<Rows, Columns, 1, Rows>;
template <int Rows, int Columns>
using Padded = Layout<Rows, Columns, Columns + 1, 1>;

template <class T, class Layout_>
struct Tensor {
  using Layout = Layout_;
  T* data;
  __device__ T& operator()(int row, int column) const { return data[Layout::at(row, column)]; }
};

template <class Layout, class T>
__device__ Tensor<T, Layout> make_tensor(T* data) {
  return {data};
}

/** The threads of a block side by side along columns. */
struct AlongColumns {
  template <class L>
  __device__ static void place(int i, int& row, int& column) {
    row = i / L::Columns;
    column = i % L::Columns;
  }
};

/** The threads of a block side by side along rows. */
struct AlongRows {
  template <class L>
  __device__ static void place(int i, int& row, int& column) {
    row = i % L::Rows;
    column = i / L::Rows;
  }
};

/** Every thread takes the elements that its order gives it. */
template <class Order, class From, class To>
__device__ __forceinline__ void copy(const From& from, const To& to) {
#pragma unroll
  for (int i = 0; i < From::Layout::Size / kThreads; ++i) {
    int row, column;
    Order::template place<typename From::Layout>(threadIdx.x + i * kThreads, row, column);
    to(row, column) = from(row, column);
  }
}

/** Maps every element of a thread's row. */
template <class Row, class Map>
__device__ __forceinline__ float fold(const Row& tensor, int row, Map map) {
  float result = 0;
#pragma unroll 4
  for (int column = 0; column < Row::Layout::Columns; ++column) {
    result = map(result, tensor(row, column));
  }
  return result;
}

}  // namespace tile
