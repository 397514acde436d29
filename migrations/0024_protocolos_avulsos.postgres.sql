-- The same as `0024_protocolos_avulsos.sqlite.sql`, where each column's meaning is told.
create table protocolo_avulso (
  contador_id bigint not null references contador (id),
  chave text collate "C" not null,
  ambiente bigint not null,
  digest text collate "C" not null,
  status text collate "C" not null,
  bytes bytea not null,
  arquivo_numero bigint not null,
  item_ordem bigint not null,
  no_item bigint not null,
  criado_em bigint not null,
  primary key (contador_id, chave, ambiente, digest)
);
select isolar_por_contador('protocolo_avulso');
