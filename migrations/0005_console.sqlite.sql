-- People who use the console, their sessions and second factors. Times are milliseconds UTC, as everywhere.

create table usuario (
  id integer primary key autoincrement,
  contador_id integer not null references contador (id),
  email text not null,
  -- The address in lower case: what a person is found by.
  email_chave text not null,
  nome text not null,
  papel text not null check (papel in ('administrador', 'operador', 'cliente')),
  -- The one client that somebody of papel `cliente` sees.
  cliente_id integer references cliente (id),
  -- argon2id with its parameters; null: invited, and has not chosen a password yet.
  senha text,
  senha_em integer,
  ativo integer not null default 1,
  -- JSON object that the browser app keeps: theme, columns, saved filters.
  preferencias text not null default '{}',
  criado_em integer not null,
  entrou_em integer,
  unique (contador_id, email_chave),
  check ((papel = 'cliente') = (cliente_id is not null))
) strict;
create index usuario_email on usuario (email_chave);

-- What a browser's cookie stands for. A row is deleted when the session ends.
create table sessao_console (
  id integer primary key,
  contador_id integer not null references contador (id),
  usuario_id integer not null references usuario (id),
  -- SHA-256 of the cookie's value, hex.
  hash text not null unique,
  criada_em integer not null,
  -- Last request, to the minute: half an hour later the session is over.
  vista_em integer not null,
  -- Over in any case.
  expira_em integer not null,
  ip text not null,
  agente text not null
) strict;
create index sessao_console_usuario on sessao_console (usuario_id);
create index sessao_console_expira on sessao_console (expira_em);

-- Between the password and the code of the second factor.
create table desafio_console (
  hash text primary key,
  contador_id integer not null references contador (id),
  usuario_id integer not null references usuario (id),
  expira_em integer not null
) strict, without rowid;
create index desafio_console_usuario on desafio_console (usuario_id);

create table totp_console (
  usuario_id integer primary key references usuario (id),
  contador_id integer not null references contador (id),
  -- The seed, sealed with the master key under `totp_console/<usuario_id>`.
  selada blob not null,
  -- null: set up, and not yet proven with a first code.
  confirmado_em integer,
  -- The 30 seconds, counted from 1970, whose code was used last: neither it nor an earlier one is taken again.
  ultimo_passo integer not null default 0,
  falhas integer not null default 0,
  bloqueado_ate integer not null default 0
) strict;

create table codigo_de_recuperacao (
  -- SHA-256 of the code, hex; the codes are shown once. A used one is deleted.
  hash text primary key,
  contador_id integer not null references contador (id),
  usuario_id integer not null references usuario (id)
) strict, without rowid;
create index codigo_de_recuperacao_usuario on codigo_de_recuperacao (usuario_id);

-- Codes of the set-up link that a server without any user prints when it starts.
create table primeiro_uso (
  -- SHA-256, hex.
  hash text primary key,
  criado_em integer not null,
  expira_em integer not null
) strict, without rowid;

-- Whom an invitation is for; null in those that were made before there were users: the office's administrator.
alter table convite_console add column usuario_id integer references usuario (id);
create index convite_console_usuario on convite_console (usuario_id);

-- From where a token was used last.
alter table token_integracao add column ultimo_uso_ip text;
