#!/usr/bin/env bash
# Moves the database to a newer major version of PostgreSQL by logical replication. Writes stop for a few seconds only.
# Tested by `npm run faults -- upgrade-postgres` and bench/faults/upgrade-postgres.test.ts, from PostgreSQL 15 to 18.
#
#   export OLD=postgres://postgres@db1/stagedoor NEW=postgres://postgres@db2/stagedoor
#   deploy/upgrade-postgres.sh prepare   copies schema and rows while the server keeps running, then keeps copying changes
#   deploy/upgrade-postgres.sh status    prints how far the copy is behind
#   deploy/upgrade-postgres.sh switch    stops writes, waits until the last are copied, and moves the server to the new database
#   deploy/upgrade-postgres.sh cancel    undoes an unfinished switch, and removes what `prepare` created in the old database
#
# OLD and NEW are superusers' URLs that work from this machine; OLD must also work from the new server. The old server needs
# `wal_level = logical`. The new database must exist and be empty. Needs psql and pg_dump of the old version or newer. Don't install
# another version of Stagedoor between `prepare` and `switch`.
#   UPGRADE_PATIENCE   seconds until a switch that has not finished is undone; default 20
set -Eeuo pipefail

name=stagedoor_upgrade
patience=${UPGRADE_PATIENCE:-20}

fail() {
  echo "$*" >&2
  exit 1
}

old() { psql -XAtq -v ON_ERROR_STOP=1 -d "$OLD" "$@"; }
new() { psql -XAtq -v ON_ERROR_STOP=1 -d "$NEW" "$@"; }
# Runs psql in a session that may write even during a switch, when the database is read-only.
old_writing() { PGOPTIONS='-c default_transaction_read_only=off' old "$@"; }

# Runs each statement that a query returns.
old_each() { old_writing <<<"$1 \\gexec"; }
new_each() { new <<<"$1 \\gexec"; }

# Prints the role that the server signs in as: the owner of the old database.
owner() { old -c 'select datdba::regrole from pg_database where datname = current_database()'; }

prepare() {
  [ "$(old -c 'show wal_level')" = logical ] || fail 'the old server needs wal_level = logical, and a restart'
  [ "$(old -c 'show server_version_num')" -lt "$(new -c 'show server_version_num')" ] ||
    fail 'the new server is not newer'
  [ "$(new -c "select count(*) from pg_class where relnamespace::regnamespace::text !~ '^pg_|^information_schema' and relkind in ('r', 'p')")" = 0 ] ||
    fail 'the new database is not empty'
  local role
  role=$(owner)
  [ "$(old -c 'select current_user')" != "$role" ] || fail "OLD must be another superuser than the server's role $role"

  # The role can't sign in to the new database yet, so the server keeps using the old one.
  old -c "select format('create role %I nologin password %L', rolname, rolpassword) from pg_authid where oid = '$role'::regrole" | {
    read -r create
    [ "$(new -c "select to_regrole('$role') is null")" = f ] || new -c "$create"
  }
  new -c "alter role $role nologin"
  new_each "select format('alter database %I owner to $role', current_database())"

  # `switch` adds a row. When it arrives, everything committed before it has arrived too.
  old -c "create table $name (at timestamptz primary key)"
  # Replicated updates and deletes must identify their row, even in tables without a primary key.
  old_each "select format('alter table %s replica identity full', c.oid::regclass) from pg_class c
    where relkind in ('r', 'p') and relnamespace::regnamespace::text !~ '^pg_|^information_schema' and relreplident = 'd'
      and not exists (select from pg_index where indrelid = c.oid and indisprimary)"
  old -c "create publication $name for all tables"
  pg_dump --schema-only --no-publications --no-subscriptions -d "$OLD" |
    sed '/^SET transaction_timeout/d; /^CREATE SCHEMA public;$/d' | new -1 >/dev/null
  new -v old="$OLD" <<<"create subscription $name connection :'old' publication $name"
  until [ "$(copying)" = 0 ]; do sleep 0.5; done
  new -c analyze
  echo 'the copy is complete; changes are still being copied'
}

copying() { new -c "select count(*) from pg_subscription_rel where srsubstate <> 'r'"; }

status() {
  echo "tables still being copied: $(copying)"
  echo "behind by: $(behind) bytes"
}

behind() {
  old -c "select pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::bigint from pg_replication_slots where slot_name = '$name'"
}

# Ends the sessions that may still write.
end_sessions() {
  old -c "select count(pg_terminate_backend(pid)) from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()" >/dev/null
}

allow_writes() {
  old_each "select format('alter database %I reset default_transaction_read_only', current_database())"
}

# Once the server may sign in to the new database, the old one must stay read-only.
check_not_switched() {
  [ "$(new -c "select rolcanlogin from pg_roles where oid = to_regrole('$(owner)')")" = f ] ||
    fail 'not prepared, or already switched'
}

undo() {
  allow_writes
  fail 'undone: the server keeps using the old database'
}

# Removes what the switch needed. Drops the subscription last in the new database: until then, the switch counts as unfinished.
finish() {
  new -c "drop table if exists $name" -c "drop subscription $name"
  old_writing -c "drop publication if exists $name" -c "drop table if exists $name"
}

switch() {
  # A switch that was killed after the server moved.
  if [ "$(new -c "select count(*) from pg_subscription, pg_roles r where subname = '$name' and r.oid = to_regrole('$(owner)') and rolcanlogin")" = 1 ]; then
    finish
    return
  fi
  check_not_switched
  [ "$(copying)" = 0 ] || fail 'tables are still being copied'
  local role began marker
  role=$(owner)
  began=$(date +%s%N)
  trap undo ERR INT TERM HUP
  # A switch that was killed may have disabled it.
  new -c "alter subscription $name enable"
  old_each "select format('alter database %I set default_transaction_read_only = on', current_database())"
  end_sessions
  # Also ends connections that were still being opened and so were not listed yet.
  sleep 0.5
  end_sessions
  marker=$(old_writing -c "insert into $name values (clock_timestamp()) returning at")
  timeout "$patience" bash -c "until [ \"\$(psql -XAtq -d \"\$NEW\" -c \"select count(*) from $name where at = '$marker'\")\" = 1 ]; do sleep 0.1; done"
  old -c "select format('select setval(%L, %s);', format('%I.%I', schemaname, sequencename), last_value)
    from pg_sequences where last_value is not null" | new >/dev/null
  new -c "alter subscription $name disable"
  trap - ERR
  # Once the new database accepts writes, only the cleanup is left. A lost terminal must not stop it.
  trap '' INT TERM HUP
  new -c "alter role $role login"
  echo "read-only for $((($(date +%s%N) - began) / 1000000)) ms" || true
  finish
}

cancel() {
  check_not_switched
  new -c "drop subscription if exists $name"
  allow_writes
  old -c "drop publication if exists $name" -c "drop table if exists $name"
  echo 'cancelled; drop the new database'
}

[ -n "${OLD:-}" ] && [ -n "${NEW:-}" ] || set -- usage
export OLD NEW
case ${1:-} in
  prepare) prepare ;;
  status) status ;;
  switch) switch ;;
  cancel) cancel ;;
  *)
    sed -n '2,/^set/ { /^set/d; s/^# \{0,1\}//; p }' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac
