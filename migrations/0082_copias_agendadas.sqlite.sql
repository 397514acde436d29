-- Backups by schedule: one row for the installation. Of its processes one makes the backup that is due, under a lease.
create table copia_agendada (
  id integer primary key check (id = 1),
  -- The setting that `proxima_em` was reckoned from, HH:MM.
  hora text not null,
  proxima_em integer not null,
  -- Somebody wants one now: when they asked; null: nobody.
  pedida_em integer,
  -- The process that makes one, and until when that is believed.
  por text,
  lease_ate integer not null default 0,
  -- The last one that was begun, and what became of it: `fim_em` null while it is being made.
  inicio_em integer,
  fim_em integer,
  -- Why it failed, for people (pt-BR); null: it did not.
  erro text
) strict;
