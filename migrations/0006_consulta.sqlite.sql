-- What the console looks documents up by, who looked at them, how far consumers have read, and mass exports.

-- ── documentos ────────────────────────────────────────────────────────────────────────────────────────────────
-- A listing of the whole office walks one of these, newest first; with a client it walks `participacao_listagem`.
create index documento_listagem on documento (contador_id, modelo, emitido_em, id) where classe <> 'evento';
-- Few rows: most documents are authorised.
create index documento_excecao on documento (contador_id, status, emitido_em, id)
  where classe <> 'evento' and status <> 'Autorizada';
create index documento_corrigido on documento (contador_id, emitido_em, id)
  where classe = 'documento' and carta_correcao = 1;
-- Numbers that begin with what was typed are a few ranges.
create index documento_numero on documento (contador_id, numero_inicial) where classe <> 'evento';

-- Names repeat: a company stands here once for every way it was ever written, not once a document.
create table empresa (
  contador_id integer not null references contador (id),
  cpf_cnpj text not null,
  nome text not null,
  primary key (contador_id, cpf_cnpj, nome)
) strict, without rowid;
-- The words of these names, upper case without accents: what is typed is the beginning of some of them.
create table empresa_palavra (
  contador_id integer not null references contador (id),
  palavra text not null,
  cpf_cnpj text not null,
  primary key (contador_id, palavra, cpf_cnpj)
) strict, without rowid;
-- How far the names of documents that were there before this table have been taken over; without a row, all are.
create table empresa_pendente (
  contador_id integer primary key references contador (id),
  depois_de text not null
) strict;
insert into empresa_pendente (contador_id, depois_de)
  select id, '' from contador where exists (select 1 from participante where participante.contador_id = contador.id);

-- Missing numbers that a person has explained: they are shown apart and no longer counted.
create table faltante_justificado (
  contador_id integer not null references contador (id),
  cliente_id integer not null references cliente (id),
  modelo text not null,
  serie text not null,
  numero_inicial integer not null,
  numero_final integer not null,
  motivo text not null,
  por text not null,
  em integer not null,
  primary key (cliente_id, modelo, serie, numero_inicial)
) strict, without rowid;

-- ── acessos ───────────────────────────────────────────────────────────────────────────────────────────────────
-- Who read a document (LGPD): one row each time.
create table acesso (
  id integer primary key,
  contador_id integer not null references contador (id),
  documento_id integer not null references documento (id),
  em integer not null,
  -- leitura, xml, pdf, exportacao, endereco (the signed address).
  ato text not null,
  -- As in the audit log: `usuario:<id>`, `token:<id>`; `endereco` where a signed address was used.
  autor text not null
) strict;
create index acesso_documento on acesso (documento_id, id);
create index acesso_contador on acesso (contador_id, em);
-- The same for pages of a feed: a range of NSU, not a row for each document.
create table acesso_em_lote (
  id integer primary key,
  contador_id integer not null references contador (id),
  cliente_id integer not null references cliente (id),
  autor text not null,
  nsu_de integer not null,
  nsu_ate integer not null,
  de integer not null,
  ate integer not null
) strict;
create index acesso_em_lote_cliente on acesso_em_lote (cliente_id, nsu_ate);
create index acesso_em_lote_contador on acesso_em_lote (contador_id, ate);

-- How far each token has read each feed.
create table leitura_do_feed (
  contador_id integer not null references contador (id),
  cliente_id integer not null references cliente (id),
  token_id integer not null references token_integracao (id),
  nsu integer not null,
  em integer not null,
  primary key (cliente_id, token_id)
) strict, without rowid;
create index leitura_do_feed_contador on leitura_do_feed (contador_id);

-- ── exportacoes ───────────────────────────────────────────────────────────────────────────────────────────────
create table exportacao (
  id text primary key,
  contador_id integer not null references contador (id),
  usuario_id integer not null,
  -- null: all clients of the office; else the one that the user may see.
  cliente_id integer references cliente (id),
  tipo text not null check (tipo in ('zip', 'xlsx', 'csv')),
  -- JSON of what was asked for.
  pedido text not null,
  estado text not null check (estado in ('na_fila', 'em_andamento', 'pronta', 'falhou', 'interrompida', 'expirada')),
  -- Process that makes it and has its file.
  processo text not null,
  feitos integer not null default 0,
  total integer,
  bytes integer,
  erro text,
  criado_em integer not null,
  fim_em integer,
  expira_em integer not null
) strict, without rowid;
create index exportacao_contador on exportacao (contador_id, criado_em);
create index exportacao_viva on exportacao (expira_em) where estado <> 'expirada';

-- ── importacao ────────────────────────────────────────────────────────────────────────────────────────────────
alter table arquivo add column origem text not null default 'api' check (origem in ('api', 'console', 'sistema'));
alter table arquivo add column usuario_id integer;
-- As the browser names it; a label, never a path.
alter table arquivo add column nome text;
-- The file of which this one is another try, with the same bytes.
alter table arquivo add column reimportado_de text references arquivo (id);
create index arquivo_reimportado on arquivo (reimportado_de) where reimportado_de is not null;
