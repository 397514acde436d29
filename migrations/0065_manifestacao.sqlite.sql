-- Manifestação do destinatário (docs/manifestacao.md): what was asked to be declared to SEFAZ of a document, and what became
-- of it. Times are milliseconds UTC.

-- One row for each thing said of a document: nothing is said twice. An office speaks for its own client.
create table manifestacao (
  contador_id integer not null references contador (id),
  cliente_id integer not null references cliente (id),
  chave text not null,
  -- tpEvento: '210200', '210210', '210220', '210240' or '610110'.
  codigo text not null,
  -- 1: produção, 2: homologação.
  ambiente integer not null,
  justificativa text,
  -- 'pendente', 'enviando' (written before it is sent), 'registrada' or 'recusada'.
  estado text not null,
  -- Who asked, as in the audit log; 'regra' for what the client's rule asks.
  pedida_em integer not null,
  pedida_por text not null,
  -- Not sent before; null: there is nothing left to send.
  proxima_em integer,
  enviada_em integer,
  tentativas integer not null default 0,
  -- cStat of the answer or code of a failure, and the service's own words.
  resposta text,
  motivo text,
  respondida_em integer,
  nprot text,
  primary key (contador_id, chave, codigo)
) strict, without rowid;
create index manifestacao_a_enviar on manifestacao (proxima_em) where proxima_em is not null;
create index manifestacao_cliente on manifestacao (cliente_id, pedida_em);

-- What SEFAZ told a recipient of a note that it has not given whole yet (resNFe).
create table resumo_de_nota (
  contador_id integer not null references contador (id),
  cliente_id integer not null references cliente (id),
  chave text not null,
  ambiente integer not null,
  emitente text,
  emitente_nome text,
  valor text,
  emitida_em integer,
  -- dhRecbto: from here terms are counted.
  autorizada_em integer,
  -- As cSitNFe says: 'Autorizada', 'Denegada' or 'Cancelada'.
  situacao text not null,
  visto_em integer not null,
  primary key (cliente_id, chave)
) strict, without rowid;
create index resumo_de_nota_chave on resumo_de_nota (contador_id, chave);

-- Whether a client's summaries are answered with Ciência da Operação as they come. No row: they are not.
create table manifestacao_regra (
  contador_id integer not null references contador (id),
  cliente_id integer not null primary key references cliente (id),
  ciencia integer not null,
  mudada_em integer not null,
  mudada_por text not null
) strict, without rowid;
create index manifestacao_regra_contador on manifestacao_regra (contador_id);
