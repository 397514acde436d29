-- Certificates of clients, the names of master keys, and the audit log.

-- ── contas ────────────────────────────────────────────────────────────────────────────────────────────────────
-- One row for every A1 certificate that a client had. The newest has `substituido_em` null; of the others only what
-- they were is kept: their sealed columns are emptied.
create table certificado (
  id text primary key,
  contador_id integer not null references contador (id),
  cliente_id integer not null references cliente (id),
  -- 1, 2, 3 … per client; part of what the seal is bound to.
  versao integer not null,
  -- The data key of this row, sealed with the master key `kid`.
  chave_selada blob,
  kid text,
  -- Private key and chain under the data key. The password of the file is kept nowhere.
  selado blob,
  -- CPF or CNPJ that the certificate names; null when it names none (accepted only with `trabalha_com_procuracao`).
  titular text,
  titular_nome text,
  serie text not null,
  -- SHA-256 of the certificate itself, hex.
  impressao text not null,
  uf text not null,
  valido_de integer not null,
  valido_ate integer not null,
  criado_em integer not null,
  substituido_em integer,
  -- Smallest number of days left that was already warned of; null: none yet.
  avisado_dias integer,
  unique (cliente_id, versao)
) strict, without rowid;
create unique index certificado_vigente on certificado (cliente_id) where substituido_em is null;
create index certificado_vencendo on certificado (valido_ate) where substituido_em is null;

-- ── platform ──────────────────────────────────────────────────────────────────────────────────────────────────
-- Names of the master keys that this database knows; the keys themselves are never here.
create table chave_mestra (
  kid text primary key,
  criada_em integer not null,
  aposentada_em integer
) strict, without rowid;

-- ── auditoria ─────────────────────────────────────────────────────────────────────────────────────────────────
-- Append-only: every row holds the hash of the one before it, so that changing or removing one shows.
create table auditoria (
  n integer primary key,
  em integer not null,
  acao text not null,
  contador_id integer,
  -- Who did it: `oauth:<client_id>`, `token:<id>`, `cli`, `sistema`.
  autor text not null,
  -- What it was done to: `cliente/12`, `certificado/<id>`.
  alvo text not null,
  -- JSON object; never a secret.
  detalhe text not null,
  -- SHA-256, hex, of the hash before and of every column of this row.
  hash text not null
) strict;
create index auditoria_contador on auditoria (contador_id, n);
-- Where the log ends: without it the last rows could go unnoticed. One row.
create table auditoria_fim (
  id integer primary key check (id = 1),
  n integer not null,
  hash text not null
) strict;
insert into auditoria_fim (id, n, hash) values (1, 0, '');

create trigger auditoria_nao_muda before update on auditoria
begin
  select raise(abort, 'auditoria is append-only');
end;
create trigger auditoria_nao_sai before delete on auditoria
begin
  select raise(abort, 'auditoria is append-only');
end;
