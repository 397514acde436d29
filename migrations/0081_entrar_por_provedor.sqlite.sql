-- Logging in to the console by an OpenID Connect provider, beside passwords.

-- Which account of a provider is which user: written when its owner comes in for the first time, by a verified address.
create table identidade_externa (
  usuario_id integer not null references usuario (id),
  contador_id integer not null references contador (id),
  -- `iss` and `sub` of its tokens.
  emissor text not null,
  sub text not null,
  ligada_em integer not null,
  primary key (usuario_id, emissor)
) strict, without rowid;
create index identidade_externa_sub on identidade_externa (emissor, sub);

-- Who has come back from a provider, until they are let in: a few minutes.
create table entrada_externa (
  -- SHA-256 of the secret in the browser's cookie, hex.
  hash text primary key,
  provedor text not null,
  emissor text not null,
  sub text not null,
  -- In lower case, and verified by the provider.
  email_chave text not null,
  expira_em integer not null
) strict, without rowid;
