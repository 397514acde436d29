-- The same as `0050_metades_de_evento.sqlite.sql`, where each column's meaning is told.
create table metade_de_evento (
  contador_id bigint not null references contador (id),
  chave text collate "C" not null,
  ambiente bigint not null,
  identidade text collate "C" not null,
  lado text collate "C" not null,
  digest text collate "C" not null,
  bytes bytea not null,
  arquivo_numero bigint not null,
  item_ordem bigint not null,
  criado_em bigint not null,
  primary key (contador_id, chave, ambiente, identidade, lado, digest)
);
select isolar_por_contador('metade_de_evento');
