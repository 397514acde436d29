-- Capture: what Malote fetches by itself from SEFAZ, the national environment of NFS-e and São Paulo's SAE
-- (docs/captura.md). Times are milliseconds UTC; those of `captura_estado` that calls are decided by are of the steady clock
-- (src/captura/relogio.ts).

-- What a file came from when nobody uploaded it: 'sefaz', 'adn', 'sae', 'email' or 'pasta'; null for uploads.
alter table arquivo add column fonte text check (fonte in ('sefaz', 'adn', 'sae', 'email', 'pasta'));

-- Whether an office wants a client's documents of a service fetched. No row: it never said so.
create table captura (
  contador_id integer not null references contador (id),
  cliente_id integer not null references cliente (id),
  -- 'nfe', 'cte', 'nfse' or 'nfce'.
  servico text not null,
  ligada integer not null,
  -- When it was turned on or off last, and by whom, as in the audit log.
  mudada_em integer not null,
  mudada_por text not null,
  -- Another program captures this client: Malote does not call, and fetches single keys only.
  passiva integer not null default 0,
  primary key (cliente_id, servico)
) strict, without rowid;
create index captura_contador on captura (contador_id);

-- Where the sequence of a CNPJ or CPF at a service stands. One row for all offices that have this client: the service counts
-- the calls of a CNPJ, whoever makes them.
create table captura_estado (
  cpf_cnpj text not null,
  servico text not null,
  -- 1: produção, 2: homologação.
  ambiente integer not null,
  -- The last number that the service answered with and whose documents are stored, and the last one that exists there.
  ult_nsu integer not null default 0,
  max_nsu integer not null default 0,
  -- Cursor of services without numbers: the date of the last listed document, as the service wrote it.
  marco text,
  -- Not called before; null: asleep, until something about it changes.
  proxima_em integer,
  -- Told by the service to be blocked until then.
  bloqueada_ate integer,
  -- Why it stands still until a person does something (src/captura/decidir.ts); null: it does not.
  parada text,
  -- The certificate that it stopped with: another one lets it go on.
  parada_certificado text,
  erros_seguidos integer not null default 0,
  -- When the next single document may be asked for, and what is wanted is there; null: nothing is wanted.
  chaves_em integer,
  -- Ranges of numbers that another program fetched, which are still to be asked for one by one: JSON, [[first, last], …].
  lacunas text not null default '[]',
  -- The end of the page whose answer was lost: what it may have held is asked for number by number before the next page.
  recuperar_ate integer,
  -- When single documents were asked for within the last hour: a JSON array of instants.
  consultas text not null default '[]',
  -- Written before a call, emptied with what became of it.
  chamada_em integer,
  chamada_tipo text,
  -- The process that works on it, and until when that is believed.
  locatario text,
  locada_ate integer,
  -- Of the wall clock, for people.
  primeira_em integer,
  ultima_em integer,
  ultima_ok_em integer,
  ultima_vazia_em integer,
  ultimo_documento_em integer,
  -- What the last call was answered with: a cStat, or the code of a failure; and the service's own words.
  ultima_resposta text,
  ultimo_motivo text,
  -- When the answers told last that another program calls for this CNPJ.
  outro_programa_em integer,
  bloqueios integer not null default 0,
  documentos integer not null default 0,
  primary key (cpf_cnpj, servico, ambiente)
) strict, without rowid;
create index captura_estado_proxima on captura_estado (proxima_em) where proxima_em is not null;
create index captura_estado_chaves on captura_estado (chaves_em) where chaves_em is not null;
create index captura_estado_locada on captura_estado (locada_ate) where locada_ate is not null;

-- Documents that are known by key only, and what became of asking for them.
create table captura_chave (
  contador_id integer not null references contador (id),
  chave text not null,
  -- The client that it is asked for.
  cliente_id integer not null references cliente (id),
  servico text not null,
  -- 'pendente', 'obtida' or 'impossivel'.
  estado text not null,
  -- 1: a person waits for it.
  por_pessoa integer not null default 0,
  pedida_em integer not null,
  pedida_por text not null,
  tentada_em integer,
  tentativas integer not null default 0,
  -- Why it could not be had: a cStat or the code of a failure.
  resposta text,
  primary key (contador_id, chave)
) strict, without rowid;
create index captura_chave_pendente on captura_chave (cliente_id, servico, por_pessoa desc, pedida_em) where estado = 'pendente';

-- What the clock of a machine said when Malote saw it first since it was started (src/captura/relogio.ts).
create table captura_relogio (
  partida text not null primary key,
  -- Of the wall clock at the machine's start, ms UTC.
  inicio integer not null,
  visto_em integer not null
) strict, without rowid;
