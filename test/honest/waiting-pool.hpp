// Threads that are kept between calls and wait for work on a condition variable.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

class WaitingPool {
 public:
  explicit WaitingPool(int size) {
    for (int i = 0; i < size; i++) threads_.emplace_back([this, i] { work(i); });
  }
  ~WaitingPool() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    started_.notify_all();
    for (std::thread &thread : threads_) thread.join();
  }

  /** Runs part(i) on thread i of the pool, and returns when all have returned. */
  void run(const std::function<void(int)> &part) {
    std::unique_lock<std::mutex> lock(mutex_);
    part_ = &part;
    left_ = static_cast<int>(threads_.size());
    round_++;
    started_.notify_all();
    finished_.wait(lock, [this] { return left_ == 0; });
  }

 private:
  void work(int index) {
    std::unique_lock<std::mutex> lock(mutex_);
    for (long seen = 0;;) {
      started_.wait(lock, [&] { return ended_ || round_ != seen; });
      if (ended_) return;
      seen = round_;
      lock.unlock();
      (*part_)(index);
      lock.lock();
      if (--left_ == 0) finished_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable started_, finished_;
  const std::function<void(int)> *part_ = nullptr;
  int left_ = 0;
  long round_ = 0;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};
