-- The embedded issuer of access tokens, secrets of OAuth clients that rotate with overlap, and what an additional
-- integration token may reach.

-- ── clientes OAuth ────────────────────────────────────────────────────────────────────────────────────────────
create table segredo_oauth (
  id integer primary key,
  cliente_oauth_id integer not null references cliente_oauth (id),
  -- scrypt of the secret, with its parameters.
  hash text not null,
  criado_em integer not null,
  -- null: the present secret; else a rotated one that still works until then.
  expira_em integer
) strict;
create index segredo_oauth_cliente on segredo_oauth (cliente_oauth_id);
insert into segredo_oauth (cliente_oauth_id, hash, criado_em, expira_em)
  select id, segredo_hash, criado_em, null from cliente_oauth;
alter table cliente_oauth drop column segredo_hash;
-- 0: a resource server, which may only ask what a token is.
alter table cliente_oauth add column emite_tokens integer not null default 1;
alter table cliente_oauth add column ultimo_uso_em integer;

-- ── emissor ───────────────────────────────────────────────────────────────────────────────────────────────────
create table chave_do_emissor (
  kid text primary key,
  -- PKCS#8 of the RSA key, sealed with the master key under `chave_do_emissor/<kid>`.
  selada blob not null,
  -- Self-signed certificate, DER: public.
  certificado blob not null,
  criada_em integer not null
) strict, without rowid;

-- Sessions of which something is to be remembered: one that was refreshed or ended. One whose refresh token was
-- never used has no row.
create table sessao_oauth (
  sid text primary key,
  cliente_oauth_id integer not null references cliente_oauth (id),
  -- Which refresh token of the session is good: how many were used up before it.
  geracao integer not null,
  encerrada_em integer,
  -- When neither a refresh nor an access token of it can be valid any more.
  expira_em integer not null
) strict, without rowid;
create index sessao_oauth_expira on sessao_oauth (expira_em);

-- ── tokens de integração ──────────────────────────────────────────────────────────────────────────────────────
alter table token_integracao add column escopo text not null default 'tudo'
  check (escopo in ('tudo', 'importacao', 'exportacao'));
-- 1: only the clients of `token_integracao_cliente`, even when none of them is left.
alter table token_integracao add column restrito integer not null default 0;

create table token_integracao_cliente (
  token_id integer not null references token_integracao (id),
  cliente_id integer not null references cliente (id),
  primary key (token_id, cliente_id)
) strict, without rowid;
