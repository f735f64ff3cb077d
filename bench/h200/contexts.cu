// How long N processes take to make a CUDA context at the same time, and to end: nvcc -O2 -cudart static -o contexts
// contexts.cu && ./contexts. With "judge 1", another process has a context throughout.
#include <cuda_runtime.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

constexpr int MOST = 8, ROUNDS = 3;

struct Shared {
  std::atomic<int> go, ready, done;
  double launched_ms[MOST];
};

static double now_ms() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

__global__ void nothing(float *data) { data[0] = 1; }

[[noreturn]] static void make_context(Shared &shared, int index) {
  ++shared.ready;
  while (!shared.go) usleep(50);
  float *data = nullptr;
  cudaMalloc(&data, 1 << 20);
  nothing<<<1, 1>>>(data);
  cudaDeviceSynchronize();
  shared.launched_ms[index] = now_ms();
  ++shared.done;
  for (;;) pause();
}

static pid_t start_judge() {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t judge = fork();
  char ready = 1;
  if (judge == 0) {
    cudaFree(nullptr);
    if (write(ends[1], &ready, 1) == 1) pause();
    _exit(1);
  }
  if (read(ends[0], &ready, 1) != 1) return -1;
  return judge;
}

static void measure(Shared &shared, int count, bool with_judge) {
  const pid_t judge = with_judge ? start_judge() : 0;
  for (int round = 0; round < ROUNDS; ++round) {
    shared.go = shared.ready = shared.done = 0;
    pid_t processes[MOST];
    for (int i = 0; i < count; ++i)
      if ((processes[i] = fork()) == 0) make_context(shared, i);
    while (shared.ready < count) usleep(100);
    const double began = now_ms();
    shared.go = 1;
    while (shared.done < count) usleep(100);
    const double all = now_ms() - began;
    const double first = *std::min_element(shared.launched_ms, shared.launched_ms + count) - began;
    for (int i = 0; i < count; ++i) kill(processes[i], SIGKILL);
    const double killed = now_ms();
    wait(nullptr);
    const double one_ended = now_ms() - killed;
    for (int i = 1; i < count; ++i) wait(nullptr);
    std::printf("judge %d n %d: all ready %.0f ms (%.0f each), first %.0f | ended %.0f ms, first %.0f\n", with_judge, count,
                all, all / count, first, now_ms() - killed, one_ended);
    std::fflush(stdout);
  }
  if (!with_judge) return;
  kill(judge, SIGKILL);
  waitpid(judge, nullptr, 0);
}

int main() {
  auto *shared = static_cast<Shared *>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (const int count : {1, 2, 4, 8}) measure(*shared, count, true);
  for (const int count : {1, 4}) measure(*shared, count, false);
}
