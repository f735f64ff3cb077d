#!/usr/bin/env bash
# A real Slurm on one machine, for tests: four virtual nodes with two pretended GPUs each. Root, Debian or Ubuntu, no
# systemd, no cgroups, loopback only.
#   tools/slurm-sandbox.sh install              the packages it needs
#   tools/slurm-sandbox.sh up FOLDER PORT       starts it; prints nothing but errors. export SLURM_CONF=FOLDER/slurm.conf
#   tools/slurm-sandbox.sh kill-node FOLDER N   ends node N and what runs on it, as a power cut would
#   tools/slurm-sandbox.sh revive FOLDER        starts the nodes that were ended, and waits until jobs can run on them
#   tools/slurm-sandbox.sh down FOLDER          ends what `up` started, jobs included, and nothing else
set -euo pipefail

packages=(slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge)
nodes=(gpu1 gpu2 gpu3 gpu4)

fail() { echo "slurm-sandbox: $*" >&2; exit 1; }

# A process number may be somebody else's by now: only one that still is that program is ended.
still_is() { [ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ]; }

# Every process below one, deepest last.
below() { local child; for child in $(pgrep -P "$1" 2>/dev/null); do echo "$child"; below "$child"; done; }

# The steps of the sandbox, or of one node of it. A step has left its slurmd; the sandbox is in its own environment, its
# node in that of its job.
steps_of() {
  local folder=$1 node=$2 pid child
  for pid in $(pgrep slurmstepd 2>/dev/null); do
    has_setting "$pid" "SLURM_CONF=$folder/slurm.conf" || continue
    if [ -z "$node" ]; then
      echo "$pid"
      continue
    fi
    for child in $(below "$pid"); do
      if has_setting "$child" "SLURMD_NODENAME=$node"; then
        echo "$pid"
        break
      fi
    done
  done
}

has_setting() { tr '\0' '\n' 2>/dev/null <"/proc/$1/environ" | grep -qxF "$2"; } 2>/dev/null

install_packages() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${packages[@]}" && return
  apt-get -o DPkg::Lock::Timeout=300 update
  apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${packages[@]}"
}

write_configuration() {
  local folder=$1 port=$2 host
  host=$(hostname -s)
  cat >"$folder/slurm.conf" <<CONF
ClusterName=pawl
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# How long a requeued job waits before it may start again, too (120 s unless told).
AuthInfo=socket=$folder/munge/socket,cred_expire=${CRED_EXPIRE:-5}
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
GresTypes=gpu
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MinJobAge=300
SlurmdTimeout=${SLURMD_TIMEOUT:-6}
JobRequeue=1
ReturnToService=2
SchedulerParameters=bf_interval=2,sched_min_interval=0,batch_sched_delay=1
KillWait=3
MessageTimeout=${MESSAGE_TIMEOUT:-4}
SlurmdParameters=config_overrides
NodeName=gpu[1-4] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 4))] CPUs=8 RealMemory=1000 Gres=gpu:pretended:2 State=UNKNOWN
PartitionName=tune Nodes=gpu[1-4] Default=YES MaxTime=INFINITE State=UP
CONF
  # A count of GPUs without their files leaves a node invalid; 1:3 is /dev/null.
  cat >"$folder/gres.conf" <<CONF
AutoDetect=off
NodeName=gpu[1-4] Name=gpu Type=pretended File=$folder/dev/gpu[0-1]
CONF
  printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >"$folder/cgroup.conf"
}

up() {
  local folder=$1 port=$2 node
  [ -e "$folder/pids" ] && fail "$folder is up already"
  mkdir -p "$folder"/{state,log,spool,run,munge,dev}
  # munged wants everybody to reach its socket.
  chmod a+x "$folder"
  chmod 711 "$folder/munge"
  for i in 0 1; do [ -e "$folder/dev/gpu$i" ] || mknod -m 666 "$folder/dev/gpu$i" c 1 3; done
  head -c 128 /dev/urandom >"$folder/munge/key"
  chmod 400 "$folder/munge/key"
  write_configuration "$folder" "$port"
  export SLURM_CONF=$folder/slurm.conf
  : >"$folder/pids"
  # A key, a socket and a log of its own: a system's munged is left alone.
  setsid munged --foreground --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" \
    >"$folder/log/munged.out" 2>&1 </dev/null &
  echo "$! munged -" >>"$folder/pids"
  for _ in $(seq 100); do [ -S "$folder/munge/socket" ] && break; sleep .1; done
  if [ ! -S "$folder/munge/socket" ]; then
    cat "$folder/log/munged.out" >&2
    down "$folder"
    fail 'munged did not come up'
  fi
  setsid slurmctld -D -f "$SLURM_CONF" >"$folder/log/slurmctld.out" 2>&1 </dev/null &
  echo "$! slurmctld -" >>"$folder/pids"
  for node in "${nodes[@]}"; do start_node "$folder" "$node"; done
  wait_for_nodes && return
  tail -n 5 "$folder"/log/*.out >&2
  down "$folder"
  fail 'the nodes did not come up within a minute'
}

start_node() {
  local folder=$1 node=$2
  mkdir -p "$folder/spool/$node"
  setsid slurmd -D -N "$node" -f "$folder/slurm.conf" >>"$folder/log/slurmd.$node.out" 2>&1 </dev/null &
  echo "$! slurmd $node" >>"$folder/pids"
}

# Idle, or with a job.
wait_for_nodes() {
  local until=$((SECONDS + 60))
  while [ $SECONDS -lt $until ]; do
    [ "$(timeout 5 sinfo -h -N -o '%N %t' 2>/dev/null | sort -u | grep -cE ' (idle|mix|alloc)$')" = "${#nodes[@]}" ] && return
    sleep .2
  done
  return 1
}

revive() {
  local folder=$1 node pid
  export SLURM_CONF=$folder/slurm.conf
  for node in "${nodes[@]}"; do
    pid=$(pid_of "$folder" "$node")
    still_is "$pid" slurmd || start_node "$folder" "$node"
  done
  wait_for_nodes && return
  tail -n 5 "$folder"/log/*.out >&2
  fail 'the nodes did not come back within a minute'
}

# A node that was started again has its number in the last line.
pid_of() { awk -v node="$2" '$3 == node { pid = $1 } END { print pid }' "$1/pids"; }

kill_node() {
  local folder=$1 node=$2 pid step
  pid=$(pid_of "$folder" "$node")
  still_is "$pid" slurmd && kill -KILL "$pid"
  for step in $(steps_of "$folder" "$node"); do
    for pid in $step $(below "$step"); do kill -KILL "$pid" 2>/dev/null || true; done
  done
}

down() {
  local folder=$1 pid program step
  [ -e "$folder/pids" ] || return 0
  # Nobody needs its state: daemons first, so that nothing starts anew, then what outlived its job or its node.
  tac "$folder/pids" | while read -r pid program _; do
    if still_is "$pid" "$program"; then kill -KILL "$pid" 2>/dev/null || true; fi
  done
  for step in $(steps_of "$folder" ''); do
    for pid in $step $(below "$step"); do kill -KILL "$pid" 2>/dev/null || true; done
  done
  rm -f "$folder/pids"
}

case "${1:-}" in
install) install_packages ;;
up) up "${2:?folder}" "${3:?port}" ;;
kill-node) kill_node "${2:?folder}" "${3:?node}" ;;
revive) revive "${2:?folder}" ;;
down) down "${2:?folder}" ;;
*) fail 'install | up FOLDER PORT | kill-node FOLDER NODE | revive FOLDER | down FOLDER' ;;
esac
