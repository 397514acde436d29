-- The same as `0065_manifestacao.sqlite.sql`, where each column's meaning is told.
create table manifestacao (
  contador_id bigint not null references contador (id),
  cliente_id bigint not null references cliente (id),
  chave text collate "C" not null,
  codigo text collate "C" not null,
  ambiente bigint not null,
  justificativa text collate "C",
  estado text collate "C" not null,
  pedida_em bigint not null,
  pedida_por text collate "C" not null,
  proxima_em bigint,
  enviada_em bigint,
  tentativas bigint not null default 0,
  resposta text collate "C",
  motivo text collate "C",
  respondida_em bigint,
  nprot text collate "C",
  primary key (contador_id, chave, codigo)
);
create index manifestacao_a_enviar on manifestacao (proxima_em) where proxima_em is not null;
create index manifestacao_cliente on manifestacao (cliente_id, pedida_em);
select isolar_por_contador('manifestacao');

create table resumo_de_nota (
  contador_id bigint not null references contador (id),
  cliente_id bigint not null references cliente (id),
  chave text collate "C" not null,
  ambiente bigint not null,
  emitente text collate "C",
  emitente_nome text collate "C",
  valor text collate "C",
  emitida_em bigint,
  autorizada_em bigint,
  situacao text collate "C" not null,
  visto_em bigint not null,
  primary key (cliente_id, chave)
);
create index resumo_de_nota_chave on resumo_de_nota (contador_id, chave);
select isolar_por_contador('resumo_de_nota');

create table manifestacao_regra (
  contador_id bigint not null references contador (id),
  cliente_id bigint not null primary key references cliente (id),
  ciencia bigint not null,
  mudada_em bigint not null,
  mudada_por text collate "C" not null
);
create index manifestacao_regra_contador on manifestacao_regra (contador_id);
select isolar_por_contador('manifestacao_regra');
