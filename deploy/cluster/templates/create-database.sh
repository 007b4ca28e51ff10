#!/bin/sh
# Patroni runs this once, on the first server. The argument is the superuser's address; its password is in PGPASSFILE.
# Written by deploy/cluster/cluster.js.
exec psql "$1" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 <<'SQL'
create role {{databaseUser}} login password '{{databasePassword}}';
create database {{databaseName}} owner {{databaseUser}};
SQL
