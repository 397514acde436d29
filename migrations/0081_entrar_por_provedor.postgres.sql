-- The same as `0081_entrar_por_provedor.sqlite.sql`, where each column's meaning is told.
create table identidade_externa (
  usuario_id bigint not null references usuario (id),
  contador_id bigint not null references contador (id),
  emissor text collate "C" not null,
  sub text collate "C" not null,
  ligada_em bigint not null,
  primary key (usuario_id, emissor)
);
create index identidade_externa_sub on identidade_externa (emissor, sub);
select isolar_por_contador('identidade_externa');
create table entrada_externa (
  hash text collate "C" primary key,
  provedor text collate "C" not null,
  emissor text collate "C" not null,
  sub text collate "C" not null,
  email_chave text collate "C" not null,
  expira_em bigint not null
);
