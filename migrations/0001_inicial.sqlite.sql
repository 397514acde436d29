-- The first shape of the store, SQLite text. Times are integers, milliseconds since 1970 UTC, unless a column says
-- otherwise. `contrato` = the public contract of the service; what a column means is told once, here.

-- ── contas ────────────────────────────────────────────────────────────────────────────────────────────────────
create table contador (
  id integer primary key,
  codigo_crm text not null unique check (length(codigo_crm) = 6),
  nome text not null,
  email text not null,
  criado_em integer not null
) strict;

create table cliente (
  id integer primary key,
  contador_id integer not null references contador (id),
  cpf_cnpj text not null,
  nome text not null,
  email text not null,
  trabalha_com_procuracao integer not null default 0,
  criado_em integer not null,
  atualizado_em integer not null,
  -- The counter row of this client's feed: taken in the transaction that commits the entries, never given back.
  ultimo_nsu integer not null default 0,
  unique (contador_id, cpf_cnpj)
) strict;

-- ── autorizacao ───────────────────────────────────────────────────────────────────────────────────────────────
create table token_integracao (
  id integer primary key,
  contador_id integer not null references contador (id),
  nome text not null,
  -- SHA-256 of the token, hex; the token itself is shown once and kept nowhere.
  hash text not null unique,
  finais text not null,
  -- null: the single key of the specification; a new one revokes it. Else a named, additional token.
  adicional integer not null default 0,
  criado_em integer not null,
  expira_em integer,
  revogado_em integer,
  ultimo_uso_em integer
) strict;
create index token_integracao_contador on token_integracao (contador_id);

create table cliente_oauth (
  id integer primary key,
  client_id text not null unique,
  -- scrypt of the secret, with its parameters.
  segredo_hash text not null,
  nome text not null,
  criado_em integer not null,
  revogado_em integer
) strict;

create table cliente_oauth_contador (
  cliente_oauth_id integer not null references cliente_oauth (id),
  contador_id integer not null references contador (id),
  primary key (cliente_oauth_id, contador_id)
) strict, without rowid;

create table convite_console (
  id integer primary key,
  contador_id integer not null references contador (id),
  email text not null,
  hash text not null unique,
  criado_em integer not null,
  expira_em integer not null,
  usado_em integer
) strict;

-- Keys that sign addresses, sealed with the master key.
create table chave_de_endereco (
  kid text primary key,
  selada blob not null,
  criada_em integer not null,
  aposentada_em integer
) strict, without rowid;

-- ── importacao ────────────────────────────────────────────────────────────────────────────────────────────────
create table arquivo (
  id text primary key,
  contador_id integer not null references contador (id),
  token_id integer,
  extensao text not null,
  tamanho_anunciado integer not null,
  tamanho integer,
  status text not null,
  criado_em integer not null,
  -- Unix seconds, as in the signed address.
  expira_em integer not null,
  kid text not null,
  recebido_em integer,
  inicio_em integer,
  fim_em integer,
  log text not null default '',
  sha256 text,
  md5 text,
  -- Key of the bytes in the blob store.
  blob text
) strict, without rowid;
create index arquivo_contador on arquivo (contador_id, criado_em);
create index arquivo_expirando on arquivo (expira_em) where status = 'Aguardando Upload';

create table job (
  id integer primary key,
  tipo text not null,
  arquivo_id text not null unique references arquivo (id),
  contador_id integer not null,
  estado text not null check (estado in ('pronto', 'em_execucao', 'feito', 'falhou')),
  tentativas integer not null default 0,
  disponivel_em integer not null,
  tomado_por text,
  tomado_ate integer,
  -- How many entries of the file are already committed: where a second try goes on.
  entradas_prontas integer not null default 0,
  itens_prontos integer not null default 0,
  erro text
) strict;
create index job_disponivel on job (disponivel_em, id) where estado = 'pronto';
create index job_tomado on job (tomado_ate) where estado = 'em_execucao';

-- One row for every thing found in a file; dense `ordem` from 1, so that pages are ranges.
create table item (
  arquivo_id text not null references arquivo (id),
  ordem integer not null,
  caminho text not null,
  sha256 text,
  especie text not null,
  chave text,
  resultado text not null,
  codigo text,
  mensagem text,
  linha integer,
  coluna integer,
  elemento text,
  documento_id integer,
  primary key (arquivo_id, ordem)
) strict, without rowid;
create index item_documento on item (documento_id) where resultado in ('sem_cliente', 'homologacao');

-- ── documentos ────────────────────────────────────────────────────────────────────────────────────────────────
-- One row for a document, an event or an inutilização of an office, however many of its clients take part.
create table documento (
  id integer primary key,
  contador_id integer not null references contador (id),
  ambiente integer not null,
  classe text not null check (classe in ('documento', 'evento', 'inutilizacao')),
  -- documento: chave; evento: chave/codigo/sequencia; inutilizacao: its Id without `ID`.
  identidade text not null,
  especie text not null,
  chave text not null,
  modelo text not null,
  serie text,
  numero text,
  numero_inicial integer,
  numero_final integer,
  layout text,
  -- As it stands in the document, with offset; `emitido_em` is the same instant.
  data_emissao text not null,
  emitido_em integer not null,
  -- YYYY-MM-DD in America/Sao_Paulo.
  dia text not null,
  emitente text,
  emitente_nome text,
  destinatario text,
  destinatario_nome text,
  valor text,
  tp_nf text,
  finalidade_codigo text,
  finalidade_descricao text,
  -- JSON array of [nItem, cfop, ncm, vProd].
  itens text,
  layout_nacional integer not null default 0,
  municipio_prestacao integer,
  evento_codigo text,
  evento_descricao text,
  evento_sequencia integer,
  evento_efeito text,
  -- JSON {codigo, sequencia, nProt} of the event that this one undoes.
  evento_desfaz text,
  nprot text,
  status_protocolo text not null,
  status text not null,
  carta_correcao integer not null default 0,
  manifestacao text,
  -- Grows with every visible change; part of the ETag.
  revisao integer not null default 1,
  importado_em integer not null,
  unique (contador_id, ambiente, classe, identidade)
) strict;
create index documento_chave on documento (contador_id, chave, classe, ambiente);
-- Covering: the gaps of a numbering are found here without touching a document.
create index documento_numeracao
  on documento (contador_id, ambiente, emitente, modelo, serie, numero_inicial, numero_final, emitido_em, classe)
  where classe <> 'evento';

-- Every set of bytes that came for a document: a conflicting version is kept beside the served one.
create table versao (
  id integer primary key,
  documento_id integer not null references documento (id),
  -- 1: this version is the one that is served; exactly one of a document is.
  servida integer not null,
  sha256 text not null,
  digest text not null,
  protocolado integer not null,
  -- JSON of the protocol: cStat, xMotivo, nProt, dhRecbto, digVal.
  protocolo text,
  esquema text not null,
  esquema_nome text,
  esquema_motivo text,
  assinatura text not null,
  assinatura_motivo text,
  assinatura_titular text,
  -- JSON array of readable findings.
  avisos text,
  arquivo_id text not null,
  importado_em integer not null,
  tamanho integer not null,
  codificacao text not null,
  unique (documento_id, sha256)
) strict;
create unique index versao_servida on versao (documento_id) where servida = 1;

create table conteudo (
  versao_id integer primary key references versao (id),
  -- Form of `bytes`: 1 = zstd without dictionary.
  formato integer not null,
  -- CRC-32 of `bytes` as they are stored. The hash of the version is that of the original; a damaged byte that
  -- happens to alter nothing of it is damage all the same, and the check of the vault is to tell it.
  soma integer not null,
  bytes blob not null
) strict;

create table participante (
  documento_id integer not null references documento (id),
  papel text not null,
  cpf_cnpj text not null,
  contador_id integer not null,
  nome text,
  primary key (documento_id, papel, cpf_cnpj)
) strict, without rowid;
create index participante_de on participante (contador_id, cpf_cnpj, documento_id);

-- The feed: append-only, dense `nsu` per client. An entry never changes its number and is never removed.
create table entrada (
  cliente_id integer not null references cliente (id),
  nsu integer not null,
  documento_id integer not null references documento (id),
  importado_em integer not null,
  primary key (cliente_id, nsu)
) strict, without rowid;

-- What a client sees of a document: its part in it and the newest entry; the listings run over this.
create table participacao (
  cliente_id integer not null references cliente (id),
  documento_id integer not null references documento (id),
  nsu integer not null,
  papel text not null,
  tipo text not null check (tipo in ('Emitida', 'Recebida')),
  classe text not null,
  modelo text not null,
  emitido_em integer not null,
  dia text not null,
  status text not null,
  carta_correcao integer not null,
  primary key (cliente_id, documento_id)
) strict, without rowid;
create index participacao_documento on participacao (documento_id);
-- Covering: a listing page finds its NSUs here without touching a document.
create index participacao_listagem on participacao (cliente_id, modelo, emitido_em, nsu, tipo, status, carta_correcao)
  where classe <> 'evento';

-- How many rows of participacao_listagem a day has: exact totals without counting them.
create table contagem (
  cliente_id integer not null references cliente (id),
  modelo text not null,
  dia text not null,
  tipo text not null,
  status text not null,
  carta_correcao integer not null,
  quantidade integer not null,
  primary key (cliente_id, modelo, dia, tipo, status, carta_correcao)
) strict, without rowid;

-- Documents that are known to exist and have not come: from a list of keys, or an event without its document.
create table esperado (
  contador_id integer not null references contador (id),
  chave text not null,
  origem text not null,
  emitente text,
  modelo text not null,
  serie text not null,
  numero integer not null,
  criado_em integer not null,
  primary key (contador_id, chave)
) strict, without rowid;
create index esperado_emitente on esperado (contador_id, emitente, modelo, serie, numero);

-- The purchase purpose that a person set; item 0 is the whole document.
create table finalidade_informada (
  cliente_id integer not null references cliente (id),
  documento_id integer not null references documento (id),
  item integer not null,
  finalidade text not null,
  informada_em integer not null,
  informada_por text not null,
  primary key (cliente_id, documento_id, item)
) strict, without rowid;
