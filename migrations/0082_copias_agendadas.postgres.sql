-- The same as `0082_copias_agendadas.sqlite.sql`, where each column's meaning is told.
create table copia_agendada (
  id bigint primary key check (id = 1),
  hora text collate "C" not null,
  proxima_em bigint not null,
  pedida_em bigint,
  por text collate "C",
  lease_ate bigint not null default 0,
  inicio_em bigint,
  fim_em bigint,
  erro text collate "C"
);
