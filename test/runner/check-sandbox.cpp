// What a user of the sandbox library relies on; each line is a claim and whether it holds.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../../runner/src/sandbox/environment.hpp"
#include "../../runner/src/sandbox/sandbox.hpp"

static void claim(const char *what, bool holds) {
  printf("%s: %s\n", what, holds ? "yes" : "no");
  fflush(stdout);
}

static std::string read_all(int fd) {
  std::string text;
  char chunk[512];
  for (ssize_t got; (got = read(fd, chunk, sizeof chunk)) > 0;) text.append(chunk, static_cast<std::size_t>(got));
  return text;
}

static int status_of(const pawl::Spawned &spawned) {
  int status = -1;
  if (read(spawned.status_fd, &status, sizeof status) != sizeof status) status = -1;
  pawl::end_confined(spawned.pid);
  close(spawned.status_fd);
  return status;
}

/** Of children that have ended, and of theirs. */
static double children_s() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval &time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

static long resident_pages(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  long all = 0, resident = 0;
  file >> all >> resident;
  return resident;
}

int main(int argc, char **argv) {
  const std::string scratch = argc > 1 ? argv[1] : "/nowhere";
  const std::vector<std::string> without(argv + std::min(argc, 2), argv + argc);
  pawl::SandboxPolicy policy;
  policy.writable = {scratch};
  policy.processes = true;
  policy.without = without;
  const std::vector<std::string> env{"PATH=/usr/bin:/bin", "GIVEN=yes"};
  const auto shell = [&](const std::string &script, const std::vector<std::pair<int, int>> &keep) {
    return pawl::spawn_confined(policy, {"/bin/sh", "-c", script}, env, scratch, keep);
  };

  int out[2];
  if (pipe2(out, O_CLOEXEC) != 0) return 1;
  const int stray = open("/dev/zero", O_RDONLY);  // without close-on-exec
  pawl::Spawned spawned = shell("pwd; echo $GIVEN; ls /proc/self/fd | tr '\\n' ' '; exit 7", {{out[1], 1}, {out[1], 5}});
  close(out[1]);
  const std::string said = read_all(out[0]);
  const int status = status_of(spawned);
  claim("it ends with the program's code", WIFEXITED(status) && WEXITSTATUS(status) == 7);
  claim("it runs in the folder it was given", said.find(scratch + "\n") == 0);
  claim("it has the environment it was given", said.find("\nyes\n") != std::string::npos);
  // Of the two more, one is what lists them, and the others are /dev/null.
  claim("it has the descriptors it was given, and no others", said.find("0 1 2 3 5 ") != std::string::npos);
  close(stray);

  spawned = shell("kill -11 $$", {});
  claim("a signal is told", WTERMSIG(status_of(spawned)) == SIGSEGV);

  try {
    pawl::spawn_confined(policy, {"/nowhere/at/all"}, env, scratch, {});
    claim("a program that is not there throws", false);
  } catch (const std::runtime_error &error) {
    claim("a program that is not there throws", strstr(error.what(), "No such file") != nullptr);
  }
  try {
    pawl::spawn_confined(policy, {"/bin/true"}, env, "/nowhere", {});
    claim("a folder that is not there throws", false);
  } catch (const std::runtime_error &error) {
    claim("a folder that is not there throws", strstr(error.what(), "chdir") != nullptr);
  }

  // 128 MB that the guard is forked from and must not keep.
  std::vector<char> secret(128 << 20, 'x');
  spawned = shell("sleep 1000", {});
  long resident = resident_pages(spawned.pid);
  for (int tries = 0; tries < 200 && resident > 4096; tries++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    resident = resident_pages(spawned.pid);
  }
  claim("the guard keeps nothing of what it was forked from", resident < 4096 && secret.back() == 'x');
  pawl::end_confined(spawned.pid);
  close(spawned.status_fd);
  claim("a guard that was ended is gone", kill(spawned.pid, 0) != 0);

  // It says what it took, and is ended while it sleeps.
  int said_times[2];
  if (pipe2(said_times, O_CLOEXEC) != 0) return 1;
  const double before_s = children_s();
  spawned = shell("i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; times; exec sleep 1000 >&-", {{said_times[1], 1}});
  close(said_times[1]);
  double minutes = 0, took_s = 0;
  const bool has_said = sscanf(read_all(said_times[0]).c_str(), "%lfm%lfs", &minutes, &took_s) == 2;
  pawl::end_confined(spawned.pid);
  close(spawned.status_fd);
  claim("processor time of what it ended is that of a child", has_said && took_s > 0 && children_s() - before_s >= took_s);

  // Whoever leaves the session and the family.
  int alive[2];
  if (pipe2(alive, O_CLOEXEC) != 0) return 1;
  spawned = shell("(setsid sh -c '(trap \"\" TERM; sleep 1000 & sleep 1000 & wait) & exit' & ) ; sleep 0.2; exit 0", {{alive[1], 1}});
  close(alive[1]);
  status_of(spawned);
  // End of file comes when the last of them is gone.
  claim("nothing outlives the end", read_all(alive[0]).empty());

  setenv("GITHUB_TOKEN", "secret", 1);
  setenv("OMP_NUM_THREADS", "3", 1);
  const auto clean = pawl::clean_environment("/scratch");
  const auto has = [&](const char *text) { return std::find(clean.begin(), clean.end(), text) != clean.end(); };
  claim("a clean environment has no token", std::none_of(clean.begin(), clean.end(), [](const std::string &one) {
          return one.find("secret") != std::string::npos;
        }));
  claim("a clean environment keeps what changes speed", has("OMP_NUM_THREADS=3"));
  claim("a clean environment writes into the scratch folder", has("TMPDIR=/scratch") && has("HOME=/scratch"));
}
