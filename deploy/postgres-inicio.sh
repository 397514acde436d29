#!/bin/sh
# Primeiro início do PostgreSQL: o papel "malote", dono do banco e sem privilégio nenhum além disso.
set -eu
psql -v ON_ERROR_STOP=1 -v senha="$MALOTE_PASSWORD" -U postgres <<'SQL'
create role malote login password :'senha' nosuperuser nocreatedb nocreaterole nobypassrls;
create database malote owner malote encoding 'UTF8' template template0;
SQL
