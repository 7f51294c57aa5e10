#!/usr/bin/env bash
# A Slurm of one node, this machine, for tests: as root, with Debian's packages slurm-wlm and munge.
#   slurm.sh FOLDER        starts one; FOLDER/slurm.conf is for SLURM_CONF
#   slurm.sh FOLDER stop   ends it
# All that it writes is in FOLDER, and it has ports of its own: a Slurm that is here already is not touched.
set -euo pipefail
folder=$1
export SLURM_CONF=$folder/slurm.conf

if [[ ${2:-} == stop ]]; then
    # Nobody needs what they would save.
    for daemon in slurmd slurmctld munged; do
        if [[ -s $folder/$daemon.pid ]]; then kill -KILL "$(<"$folder/$daemon.pid")" || true; fi
    done
    exit 0
fi

# two: ports that are free now.
ports=$(python3 -c '
import socket
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(each.getsockname()[1] for each in held))')
read -r controller node <<<"$ports"
name=$(hostname -s)
memory=$(($(awk '/MemTotal/ {print $2}' /proc/meminfo) / 1024 * 9 / 10))
mkdir -p "$folder/state" "$folder/spool"
chmod 755 "$folder"

head -c 1024 /dev/urandom >"$folder/munge.key"
chmod 400 "$folder/munge.key"
munged --socket="$folder/munge.socket" --key-file="$folder/munge.key" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"

cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=$controller
SlurmdPort=$node
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
KillWait=2
NodeName=$name NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$memory
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE
CONF

slurmctld -c
slurmd
for _ in {1..100}; do
    if [[ $(sinfo --noheader --format=%t 2>/dev/null) == idle ]]; then exit 0; fi
    sleep 0.1
done
echo "the node is not idle:" >&2
sinfo >&2 || true
tail -n 5 "$folder"/*.log >&2
exit 1
