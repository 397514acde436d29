-- Retention: how long documents are kept, holds that forbid deletion, and deletions in two steps.

-- ── documentos ────────────────────────────────────────────────────────────────────────────────────────────────
-- Set when the document's bytes and personal data were deleted: the row and its entries stay as a tombstone, since
-- an NSU is never taken back. Its served version then has an empty `sha256` and no `conteudo`.
alter table documento add column excluido_em integer;
-- What is due: a range of an office's documents by date of issue.
create index documento_vencimento on documento (contador_id, emitido_em) where excluido_em is null;

-- ── retencao ──────────────────────────────────────────────────────────────────────────────────────────────────
-- Months that documents of a kind are kept, from their date of issue. No row: the default of the service.
create table regra_retencao (
  contador_id integer not null references contador (id),
  modelo text not null,
  meses integer not null,
  alterada_em integer not null,
  alterada_por text not null,
  primary key (contador_id, modelo)
) strict, without rowid;

-- A legal hold. A null column restricts nothing: with all of them null the whole office is held.
create table guarda_legal (
  id integer primary key,
  contador_id integer not null references contador (id),
  cliente_id integer references cliente (id),
  chave text,
  modelo text,
  -- Days of issue, YYYY-MM-DD, both included.
  emissao_de text,
  emissao_ate text,
  motivo text not null,
  criada_em integer not null,
  criada_por text not null,
  levantada_em integer,
  levantada_por text,
  levantada_motivo text
) strict;
create index guarda_legal_contador on guarda_legal (contador_id);

-- One deletion, from its preparation to its end.
create table exclusao (
  id text primary key,
  contador_id integer not null references contador (id),
  estado text not null check (estado in
    ('preparando', 'preparada', 'confirmada', 'concluida', 'cancelada', 'vencida', 'falhou')),
  -- JSON {modelo: first day of issue that is kept}, fixed when it was asked for.
  cortes text not null,
  criada_em integer not null,
  criada_por text not null,
  preparada_em integer,
  confirmada_em integer,
  confirmada_por text,
  concluida_em integer,
  -- Unconfirmed until then, it lapses.
  expira_em integer not null,
  documentos integer not null default 0,
  excluidos integer not null default 0,
  mantidos integer not null default 0,
  arquivos_apagados integer not null default 0,
  arquivos_mantidos integer not null default 0,
  erro text,
  tomada_por text,
  tomada_ate integer
) strict, without rowid;
create index exclusao_contador on exclusao (contador_id, criada_em);
create index exclusao_a_fazer on exclusao (estado) where estado in ('preparando', 'confirmada');

-- What a deletion is about; outlives the document as the proof of what was deleted.
create table exclusao_documento (
  exclusao_id text not null references exclusao (id),
  documento_id integer not null references documento (id),
  contador_id integer not null,
  chave text not null,
  classe text not null,
  modelo text not null,
  dia text not null,
  -- Of the served version, hex.
  sha256 text not null,
  excluido_em integer,
  -- Why it was kept after all.
  mantido_por text,
  primary key (exclusao_id, documento_id)
) strict, without rowid;
create index exclusao_documento_chave on exclusao_documento (exclusao_id, chave);

-- The ZIPs that were made of it before anything was deleted.
create table exclusao_pacote (
  exclusao_id text not null references exclusao (id),
  parte integer not null,
  contador_id integer not null,
  blob text not null,
  sha256 text not null,
  tamanho integer not null,
  documentos integer not null,
  baixado_em integer,
  primary key (exclusao_id, parte)
) strict, without rowid;
