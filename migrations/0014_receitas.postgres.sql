-- The same as `0014_receitas.sqlite.sql`, where each column's meaning is told.
create table receita_de_envio (
  arquivo_id text collate "C" primary key references arquivo (id),
  contador_id bigint not null references contador (id),
  receita bytea not null
);
alter table receita_de_envio alter column receita set storage external;
select isolar_por_contador('receita_de_envio');

alter table arquivo add column receita bigint not null default 0;
create index arquivo_a_compactar on arquivo (fim_em) where receita = 0 and blob is not null;
