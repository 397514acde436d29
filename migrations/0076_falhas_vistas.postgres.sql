-- The same as `0076_falhas_vistas.sqlite.sql`, where each column's meaning is told.
create table falha_vista (
  contador_id bigint not null references contador (id),
  arquivo_numero bigint not null,
  ordem bigint not null,
  codigo text collate "C" not null,
  situacao text collate "C" not null check (situacao in ('visto', 'resolvido')),
  motivo text collate "C" not null,
  por text collate "C" not null,
  em bigint not null,
  primary key (contador_id, arquivo_numero, ordem)
);
create index falha_vista_em on falha_vista (contador_id, em);
select isolar_por_contador('falha_vista');

create index item_falha on item (arquivo_numero, ordem) where resultado in ('rejeitado', 'conflito');
