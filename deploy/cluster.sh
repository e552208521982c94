#!/usr/bin/env bash
# Runs a whole cluster on one machine: nginx, three nodes (one with haproxy), three PostgreSQL servers under Patroni with three
# etcd servers, three Redis servers with Sentinels, an S3 server (OpenStack Swift) and a mail server, from Debian's packages. Each
# part is a host in its own network namespace, so that hosts can be killed and links cut. Only for trials and tests: this file
# contains the passwords.
# Tested by `npm run faults -- cluster failover-kill …` and bench/faults/*.test.ts, on Debian 12.
#
#   npm run build
#   deploy/cluster.sh up                     starts everything and prints its address
#   deploy/cluster.sh status                 lists running hosts
#   deploy/cluster.sh kill node-2            kills a host's processes (SIGKILL)
#   deploy/cluster.sh stop redis-1           stops a host's programs (SIGTERM)
#   deploy/cluster.sh start node-2           starts a host's programs
#   deploy/cluster.sh cut node-3             disconnects a host
#   deploy/cluster.sh cut node-3 redis-1     drops packets between the first host and each of the others
#   deploy/cluster.sh mend node-3            reconnects a host
#   deploy/cluster.sh log node-1             prints a host's log
#   deploy/cluster.sh leader                 prints the PostgreSQL server that accepts writes
#   deploy/cluster.sh switchover             makes another server the leader
#   deploy/cluster.sh patroni list           runs patronictl with any of its commands and options
#   deploy/cluster.sh mail                   prints the last email, with the sign-in code
#   deploy/cluster.sh down                   stops everything and removes its data
#
# Hosts: proxy node-1…3 postgres-1…3 etcd-1…3 redis-1…3 storage mail. Needs root, for the namespaces.
#   CLUSTER_DIR    the folder for data and logs; default /var/tmp/stagedoor-cluster
#   CLUSTER_NAME   the prefix of namespaces and links, up to 6 letters; default sd
#   CLUSTER_NET    the first three bytes of its addresses; default 10.213.7
# The nodes also get the settings in $CLUSTER_DIR/node.env, one NAME=value per line.
set -Eeuo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
dir=${CLUSTER_DIR:-/var/tmp/stagedoor-cluster}
name=${CLUSTER_NAME:-sd}
net=${CLUSTER_NET:-10.213.7}

hosts=(
  etcd-1 etcd-2 etcd-3 postgres-1 postgres-2 postgres-3 redis-1 redis-2 redis-3 storage mail proxy node-1 node-2 node-3
)
declare -A address=(
  [proxy]=$net.10 [node-1]=$net.11 [node-2]=$net.12 [node-3]=$net.13
  [postgres-1]=$net.21 [postgres-2]=$net.22 [postgres-3]=$net.23
  [redis-1]=$net.31 [redis-2]=$net.32 [redis-3]=$net.33
  [etcd-1]=$net.41 [etcd-2]=$net.42 [etcd-3]=$net.43
  [storage]=$net.51 [mail]=$net.52
)
# Names of network links can have at most 15 characters.
declare -A link=(
  [proxy]=$name-px [node-1]=$name-n1 [node-2]=$name-n2 [node-3]=$name-n3
  [postgres-1]=$name-p1 [postgres-2]=$name-p2 [postgres-3]=$name-p3
  [redis-1]=$name-r1 [redis-2]=$name-r2 [redis-3]=$name-r3
  [etcd-1]=$name-e1 [etcd-2]=$name-e2 [etcd-3]=$name-e3
  [storage]=$name-s3 [mail]=$name-ml
)
bridge=$name-br
password=of-the-cluster
url=http://${address[proxy]}
# The addresses at which each node finds the database's writer and replicas: two nodes use the servers, one uses its own haproxy.
servers=${address[postgres-1]},${address[postgres-2]},${address[postgres-3]}
declare -A writer=(
  [node-1]=$servers/stagedoor?target_session_attrs=read-write
  [node-2]=$servers/stagedoor?target_session_attrs=read-write
  [node-3]=127.0.0.1/stagedoor
)
declare -A replicas=(
  [node-1]=$servers/stagedoor [node-2]=$servers/stagedoor [node-3]=127.0.0.1:5433/stagedoor
)
# PostgreSQL refuses to run as root, and etcd has no need to.
unprivileged=(setpriv --reuid=65534 --regid=65534 --clear-groups)
# Seconds to wait for a host to start. It may take half as long to stop.
patience=240

fail() {
  echo "$*" >&2
  exit 1
}

# Runs a program on a host. It doesn't inherit stdin, so that it can't hold the caller's pipe open.
on_host() {
  local host=$1
  shift
  ip netns exec "$name-$host" "$@" </dev/null
}

# Starts a program on a host. A host can run several.
launch() {
  local host=$1
  shift
  (exec ip netns exec "$name-$host" setsid "$@" </dev/null >>"$dir/$host.log" 2>&1) &
  echo $! >>"$dir/$host.pid"
}

# Restarts a program whenever it ends, as a service manager does: a node exits if another node has taken its place.
supervised=(
  bash -c 'trap "kill \$pid 2>/dev/null; wait \$pid; exit" TERM; while :; do "$@" & pid=$!; wait $pid || true; sleep 1; done' supervised
)

# Lists the processes of a host.
pids() {
  ip netns pids "$name-$1" 2>/dev/null || true
}

# Succeeds if a host's program is running, even if it has not entered its namespace yet.
lives() {
  local pid
  [ -z "$(pids "$1")" ] || return 0
  while read -r pid; do
    if kill -0 "$pid" 2>/dev/null; then return 0; fi
  done <"$dir/$1.pid"
  return 1
}

# Succeeds if something listens on a host's port.
listens() {
  timeout 1 bash -c "exec 3<>/dev/tcp/${address[$1]}/$2" 2>/dev/null
}

# Succeeds if a host answers a GET request with 200.
answers() {
  local answer
  answer=$(timeout 2 bash -c "
    exec 3<>/dev/tcp/${address[$1]}/$2
    printf 'GET $3 HTTP/1.0\r\nHost: x\r\n\r\n' >&3
    head -n 1 <&3" 2>/dev/null) && [[ $answer == *' 200 '* ]]
}

# Prints the PostgreSQL server that accepts writes; fails if there is none.
leader() {
  local host
  for host in postgres-1 postgres-2 postgres-3; do
    if answers "$host" 8008 /primary; then
      echo "$host"
      return
    fi
  done
  return 1
}

# Succeeds if every confirmed commit is on two servers.
is_replicated() {
  local host
  leader >/dev/null || return 1
  for host in postgres-1 postgres-2 postgres-3; do
    if answers "$host" 8008 /synchronous; then return 0; fi
  done
  return 1
}

# Waits until a host is ready.
wait_for() {
  local host=$1 deadline=$((SECONDS + patience))
  shift
  until "$@"; do
    lives "$host" || fail "$host ended: $(tail -n 5 "$dir/$host.log")"
    [ $SECONDS -lt $deadline ] || fail "$host is not ready after $patience s; see $dir/$host.log"
    sleep 0.1
  done
}

need() {
  local missing=()
  [ -x /usr/sbin/nginx ] || missing+=(nginx-light)
  [ -x /usr/sbin/haproxy ] || missing+=(haproxy)
  [ -x /usr/bin/redis-server ] || missing+=(redis-server)
  [ -x /usr/bin/redis-sentinel ] || missing+=(redis-sentinel)
  [ -n "$(postgres_bin)" ] || missing+=(postgresql)
  [ -x /usr/bin/patroni ] || missing+=(patroni python3-etcd)
  [ -x /usr/bin/etcd ] || missing+=(etcd-server)
  [ -x /usr/bin/aiosmtpd ] || missing+=(python3-aiosmtpd)
  command -v ip >/dev/null || missing+=(iproute2)
  local server
  for server in account container object proxy; do
    [ -x "/usr/bin/swift-$server-server" ] || missing+=("swift-$server")
  done
  [ ${#missing[@]} -eq 0 ] ||
    fail "missing; apt-get install --no-install-recommends ${missing[*]}"
  [ "$(id -u)" -eq 0 ] || fail 'must be root, for the network namespaces'
  [ -e "$root/apps/server/dist/main.js" ] || fail 'the server is not built: npm ci && npm run build'
}

postgres_bin() {
  local bins=(/usr/lib/postgresql/*/bin/postgres)
  [ -x "${bins[-1]}" ] && dirname "${bins[-1]}" || true
}

lay_network() {
  ip link add "$bridge" type bridge
  ip addr add "$net.1/24" dev "$bridge"
  ip link set "$bridge" up
  local host
  for host in "${hosts[@]}"; do
    ip netns add "$name-$host"
    ip link add "${link[$host]}" type veth peer name eth0 netns "$name-$host"
    ip link set "${link[$host]}" master "$bridge" up
    ip -n "$name-$host" link set lo up
    ip -n "$name-$host" addr add "${address[$host]}/24" dev eth0
    ip -n "$name-$host" link set eth0 up
  done
}

# Uses deploy/patroni.yml, with a different folder for the socket.
make_postgres() {
  local host
  for host in postgres-1 postgres-2 postgres-3; do
    install -d -o 65534 -g 65534 "$dir/$host"
    sed "s#/var/run/postgresql#$dir/$host#" "$root/deploy/patroni.yml" >"$dir/$host/patroni.yml"
  done
}

patroni_settings() {
  local self=${address[$1]}
  printf '%s\n' PATRONI_NAME="$1" \
    PATRONI_RESTAPI_LISTEN="$self:8008" PATRONI_RESTAPI_CONNECT_ADDRESS="$self:8008" \
    PATRONI_POSTGRESQL_LISTEN="$self:5432" PATRONI_POSTGRESQL_CONNECT_ADDRESS="$self:5432" \
    PATRONI_POSTGRESQL_DATA_DIR="$dir/$1/main" PATRONI_POSTGRESQL_BIN_DIR="$(postgres_bin)" \
    PATRONI_POSTGRESQL_PGPASS="$dir/$1/pgpass" \
    PATRONI_ETCD3_HOSTS="${address[etcd-1]}:2379,${address[etcd-2]}:2379,${address[etcd-3]}:2379" \
    PATRONI_SUPERUSER_USERNAME=postgres PATRONI_SUPERUSER_PASSWORD="$password" \
    PATRONI_REPLICATION_USERNAME=replicator PATRONI_REPLICATION_PASSWORD="$password" \
    DATABASE_PASSWORD="$password"
}

make_etcd() {
  local host
  for host in etcd-1 etcd-2 etcd-3; do install -d -m 700 -o 65534 -g 65534 "$dir/$host"; done
}

# Redis needs no storage on disk. Sentinel rewrites both files.
make_redis() {
  local host
  for host in redis-1 redis-2 redis-3; do
    mkdir -p "$dir/$host"
    cat >"$dir/$host/redis.conf" <<EOF
bind ${address[$host]}
protected-mode no
save ""
appendonly no
repl-diskless-sync-delay 0
dir $dir/$host
EOF
    [ "$host" = redis-1 ] || echo "replicaof ${address[redis-1]} 6379" >>"$dir/$host/redis.conf"
    cat >"$dir/$host/sentinel.conf" <<EOF
bind ${address[$host]}
port 26379
protected-mode no
dir $dir/$host
sentinel monitor stagedoor ${address[redis-1]} 6379 2
sentinel down-after-milliseconds stagedoor 3000
sentinel failover-timeout stagedoor 10000
EOF
  done
}

# Configures Swift with one device and one copy of each object.
make_storage() {
  local data=$dir/storage ring port=6200
  mkdir -p "$data/node/d1"
  printf '[swift-hash]\nswift_hash_path_suffix = cluster\nswift_hash_path_prefix = cluster\n' \
    >"$data/swift.conf"
  (cd "$data" && /usr/bin/python3 -c "
from swift.common.ring import RingBuilder
for port, ring in enumerate(('account', 'container', 'object'), $port):
    builder = RingBuilder(4, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '${address[storage]}', 'port': port, 'device': 'd1', 'weight': 1})
    builder.rebalance()
    builder.get_ring().save(f'{ring}.ring.gz')
")
  for ring in account container object; do
    { storage_settings $port && cat; } >"$data/$ring.conf" <<EOF
devices = $data/node
mount_check = false
recon_cache_path = $data
[pipeline:main]
pipeline = $ring-server
[app:$ring-server]
use = egg:swift#$ring
EOF
    port=$((port + 1))
  done
  { storage_settings 8080 && cat; } >"$data/proxy.conf" <<EOF
[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo dlo copy proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
error_suppression_limit = 10000
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_cluster_stagedoor = $password .admin
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:copy]
use = egg:swift#copy
EOF
}

storage_settings() {
  cat <<EOF
[DEFAULT]
bind_ip = ${address[storage]}
bind_port = $1
swift_dir = $dir/storage
user = root
workers = 0
log_name = swift
log_address = $dir/storage/no-syslog
EOF
}

make_bucket() {
  (cd "$root/apps/server" && on_host node-1 env "${storage_access[@]}" node --input-type=module -e "
    import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
    const { S3_ENDPOINT: endpoint, S3_REGION: region, S3_BUCKET: Bucket } = process.env;
    const client = new S3Client({ endpoint, region, forcePathStyle: true, maxAttempts: 1 });
    await client.send(new CreateBucketCommand({ Bucket }));
  ") >>"$dir/storage.log" 2>&1
}
storage_access=(
  S3_ENDPOINT="http://${address[storage]}:8080" S3_REGION=us-east-1 S3_BUCKET=stagedoor
  AWS_ACCESS_KEY_ID=cluster:stagedoor AWS_SECRET_ACCESS_KEY="$password"
)

# Uses deploy/nginx.conf, without TLS and with three nodes as upstreams.
make_proxy() {
  local data=$dir/proxy of
  mkdir -p "$data"
  # shellcheck disable=SC2016 # awk's own
  awk '
    /^server {/ { block = ""; within = 1 }
    !within { print }
    within { block = block $0 ORS }
    within && /^}/ { within = 0; if (block !~ /return 308/) printf "%s", block }
  ' "$root/deploy/nginx.conf" |
    sed -e '/^ *ssl_/d' -e '/listen \[::\]/d' -e 's/listen 443 ssl http2;/listen 80;/' \
      -e "s/server_name .*/server_name ${address[proxy]};/" \
      -e "s#/var/log/nginx/stagedoor.log#$data/access.log#" \
      -e "s#^  server 127.0.0.1:3000;#  server ${address[node-1]}:3000; server ${address[node-2]}:3000; server ${address[node-3]}:3000;#" \
      >"$data/site.conf"
  {
    echo "worker_processes 1; pid $data/pid; error_log $dir/proxy.log; daemon off;"
    echo 'events { worker_connections 20000; }'
    echo 'http {'
    for of in client_body proxy fastcgi uwsgi scgi; do echo "${of}_temp_path $data/$of;"; done
    echo "include $data/site.conf;"
    echo '}'
  } >"$data/nginx.conf"
}

start_host() {
  local host=$1
  [ -z "$(pids "$host")" ] || return 0
  rm -f "$dir/$host.pid"
  case $host in
    postgres-*)
      local settings
      mapfile -t settings < <(patroni_settings "$host")
      launch "$host" env "${settings[@]}" "${unprivileged[@]}" patroni "$dir/$host/patroni.yml"
      wait_for "$host" answers "$host" 8008 /health
      ;;
    etcd-*)
      local self=${address[$host]}
      launch "$host" "${unprivileged[@]}" etcd --name "$host" --data-dir "$dir/$host/data" \
        --listen-client-urls "http://$self:2379" --advertise-client-urls "http://$self:2379" \
        --listen-peer-urls "http://$self:2380" --initial-advertise-peer-urls "http://$self:2380" \
        --initial-cluster "etcd-1=http://${address[etcd-1]}:2380,etcd-2=http://${address[etcd-2]}:2380,etcd-3=http://${address[etcd-3]}:2380" \
        --pre-vote --log-level warn
      wait_for "$host" listens "$host" 2379
      ;;
    redis-*)
      launch "$host" redis-server "$dir/$host/redis.conf"
      launch "$host" redis-sentinel "$dir/$host/sentinel.conf"
      wait_for "$host" listens "$host" 6379
      wait_for "$host" listens "$host" 26379
      ;;
    storage)
      local server
      for server in account container object proxy; do
        launch storage "swift-$server-server" "$dir/storage/$server.conf" --verbose
      done
      wait_for storage make_bucket
      ;;
    mail)
      # Accepts every email and stores it as a file.
      launch mail aiosmtpd --nosetuid --class aiosmtpd.handlers.Mailbox \
        --listen "${address[mail]}:25" "$dir/mail"
      wait_for mail listens mail 25
      ;;
    node-*)
      local extra=()
      [ ! -e "$dir/node.env" ] || mapfile -t extra <"$dir/node.env"
      mkdir -p "$dir/$host"
      if [[ ${writer[$host]} == 127.* ]]; then
        sed "s/10\.0\.0\./$net./" "$root/deploy/haproxy.cfg" >"$dir/$host/haproxy.cfg"
        launch "$host" haproxy -db -f "$dir/$host/haproxy.cfg"
      fi
      (cd "$root" && launch "$host" env -i PATH="$PATH" HOME="$HOME" NODE_ENV=production \
        SMTP_URL="smtp://${address[mail]}:25" MAIL_FROM=stagedoor@example.com \
        OWNER_EMAIL=owner@example.com \
        HOST="${address[$host]}" PORT=3000 DATA_DIR="$dir/$host" PUBLIC_URL="$url" \
        TRUST_PROXY="${address[proxy]}" \
        DATABASE_URL="postgres://stagedoor:$password@${writer[$host]}" \
        DATABASE_REPLICA_URL="postgres://stagedoor:$password@${replicas[$host]}" \
        REDIS_URL="redis+sentinel://${address[redis-1]},${address[redis-2]},${address[redis-3]}/stagedoor" \
        "${storage_access[@]}" \
        "${extra[@]}" "${supervised[@]}" node apps/server/dist/main.js)
      wait_for "$host" answers "$host" 3000 /api/health
      ;;
    proxy)
      launch proxy nginx -p "$dir/proxy" -c "$dir/proxy/nginx.conf"
      wait_for proxy listens proxy 80
      ;;
  esac
}

end_host() {
  local signal=$1 host=$2 deadline=$((SECONDS + patience / 2))
  # A crash kills all processes at once; a stop lets each program end its children.
  [ "$signal" = KILL ] || signal_all "$signal" <"$dir/$host.pid"
  while [ -n "$(pids "$host")" ]; do
    [ $SECONDS -lt $deadline ] || fail "$host did not stop within $((patience / 2)) s"
    [ "$signal" != KILL ] || pids "$host" | signal_all KILL
    sleep 0.05
  done
}

signal_all() {
  local pid
  while read -r pid; do kill "-$1" "$pid" 2>/dev/null || true; done
}

# Silently drops all packets between two hosts, by giving each a wrong hardware address for the other.
lose() {
  ip -n "$name-$1" neigh replace "${address[$2]}" lladdr 02:00:00:00:00:00 dev eth0 nud permanent
  ip -n "$name-$2" neigh replace "${address[$1]}" lladdr 02:00:00:00:00:00 dev eth0 nud permanent
}

cut_host() {
  local host=$1 other
  shift
  [ $# -gt 0 ] || ip link set "${link[$host]}" down
  for other; do is_host "$other" && lose "$host" "$other"; done
}

mend_host() {
  local other
  ip link set "${link[$1]}" up
  for other in "${hosts[@]}"; do
    ip -n "$name-$1" neigh del "${address[$other]}" dev eth0 2>/dev/null || true
    ip -n "$name-$other" neigh del "${address[$1]}" dev eth0 2>/dev/null || true
  done
}

is_host() {
  [ -n "${address[${1:-}]:-}" ] || fail "hosts are: ${hosts[*]}"
}

# Starts several hosts at the same time.
start_all() {
  local host started=()
  for host; do
    start_host "$host" &
    started+=($!)
  done
  for host in "${started[@]}"; do wait "$host"; done
}

up() {
  need
  [ ! -e "$dir/up" ] || fail "it is up, at $url"
  mkdir -p "$dir"
  touch "$dir/up"
  trap 'echo "the cluster did not start; deploy/cluster.sh down removes it" >&2' ERR
  lay_network
  make_etcd
  make_postgres
  make_redis
  make_storage
  make_proxy
  echo 'starting etcd, PostgreSQL, Redis, storage, mail and the proxy'
  start_all etcd-{1..3} postgres-{1..3} redis-{1..3} storage mail proxy
  wait_for postgres-1 is_replicated
  # The first node creates the tables and the keys.
  echo 'starting the nodes'
  start_host node-1
  start_all node-2 node-3
  echo "$url"
}

last_mail() {
  local mails
  mails=$(ls -t "$dir/mail/new" 2>/dev/null | head -n 1)
  [ -n "$mails" ] || fail 'no email has been received'
  cat "$dir/mail/new/$mails"
}

remove_host() {
  end_host KILL "$1"
  ip netns del "$name-$1" 2>/dev/null || true
  ip link del "${link[$1]}" 2>/dev/null || true
}

down() {
  local host
  for host in "${hosts[@]}"; do remove_host "$host" & done
  wait
  ip link del "$bridge" 2>/dev/null || true
  rm -rf "$dir"
}

status() {
  local host running
  for host in "${hosts[@]}"; do
    running=$(pids "$host")
    printf '%-10s %-13s %s\n' "$host" "${address[$host]}" "${running:+runs}"
  done
}

# Runs patronictl. On a real database machine: patronictl -c /etc/patroni/config.yml, with the settings of /etc/patroni_env.conf
patroni_ctl() {
  local settings
  mapfile -t settings < <(patroni_settings postgres-1)
  env "${settings[@]}" patronictl -c "$dir/postgres-1/patroni.yml" "$@"
}

case ${1:-} in
  up) up ;;
  down) down ;;
  status) status ;;
  url) echo "$url" ;;
  start) is_host "${2:-}" && start_host "$2" ;;
  stop) is_host "${2:-}" && end_host TERM "$2" ;;
  kill) is_host "${2:-}" && end_host KILL "$2" ;;
  cut) is_host "${2:-}" && cut_host "${@:2}" ;;
  mend) is_host "${2:-}" && mend_host "$2" ;;
  log) is_host "${2:-}" && cat "$dir/$2.log" ;;
  leader) leader || fail 'no server takes writes' ;;
  switchover) patroni_ctl switchover --leader "$(leader)" --force stagedoor ;;
  patroni) patroni_ctl "${@:2}" ;;
  mail) last_mail ;;
  *)
    sed -n '2,/^set/ { /^set/d; s/^# \{0,1\}//; p }' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
