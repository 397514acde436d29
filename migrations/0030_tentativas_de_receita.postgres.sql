-- The same as `0030_tentativas_de_receita.sqlite.sql`, where each column's meaning is told.
alter table arquivo add column receita_tentativas bigint not null default 0;
alter table arquivo add column receita_tentada_em bigint;
