-- Certificates of clients, the names of master keys, and the audit log.

-- ── contas ────────────────────────────────────────────────────────────────────────────────────────────────────
-- One row for every A1 certificate that a client had. The newest has `substituido_em` null; of the others only what
-- they were is kept: their sealed columns are emptied.
create table certificado (
  id text collate "C" primary key,
  contador_id bigint not null references contador (id),
  cliente_id bigint not null references cliente (id),
  -- 1, 2, 3 … per client; part of what the seal is bound to.
  versao bigint not null,
  -- The data key of this row, sealed with the master key `kid`.
  chave_selada bytea,
  kid text collate "C",
  -- Private key and chain under the data key. The password of the file is kept nowhere.
  selado bytea,
  -- CPF or CNPJ that the certificate names; null when it names none (accepted only with `trabalha_com_procuracao`).
  titular text collate "C",
  titular_nome text collate "C",
  serie text collate "C" not null,
  -- SHA-256 of the certificate itself, hex.
  impressao text collate "C" not null,
  uf text collate "C" not null,
  valido_de bigint not null,
  valido_ate bigint not null,
  criado_em bigint not null,
  substituido_em bigint,
  -- Smallest number of days left that was already warned of; null: none yet.
  avisado_dias bigint,
  unique (cliente_id, versao)
);
create unique index certificado_vigente on certificado (cliente_id) where substituido_em is null;
create index certificado_vencendo on certificado (valido_ate) where substituido_em is null;

-- ── platform ──────────────────────────────────────────────────────────────────────────────────────────────────
-- Names of the master keys that this database knows; the keys themselves are never here.
create table chave_mestra (
  kid text collate "C" primary key,
  criada_em bigint not null,
  aposentada_em bigint
);

-- ── auditoria ─────────────────────────────────────────────────────────────────────────────────────────────────
-- Append-only: every row holds the hash of the one before it, so that changing or removing one shows.
create table auditoria (
  n bigint primary key,
  em bigint not null,
  acao text collate "C" not null,
  contador_id bigint,
  -- Who did it: `oauth:<client_id>`, `token:<id>`, `cli`, `sistema`.
  autor text collate "C" not null,
  -- What it was done to: `cliente/12`, `certificado/<id>`.
  alvo text collate "C" not null,
  -- JSON object; never a secret.
  detalhe text collate "C" not null,
  -- SHA-256, hex, of the hash before and of every column of this row.
  hash text collate "C" not null
);
create index auditoria_contador on auditoria (contador_id, n);
-- Where the log ends: without it the last rows could go unnoticed. One row.
create table auditoria_fim (
  id bigint primary key check (id = 1),
  n bigint not null,
  hash text collate "C" not null
);
insert into auditoria_fim (id, n, hash) values (1, 0, '');

create function auditoria_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'auditoria is append-only';
end
$$;
create trigger auditoria_nao_muda before update or delete on auditoria
  for each row execute function auditoria_append_only();
create trigger auditoria_nao_some before truncate on auditoria
  for each statement execute function auditoria_append_only();

select isolar_por_contador('certificado');
-- Rows of the installation (no office) are for the service alone.
select isolar_por_contador('auditoria');
