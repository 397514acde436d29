-- How well what is kept is proven (src/fiscal/prova.ts). `prova` is a place in its list of words, null of what was not judged
-- yet; `falhas` a set of bits, one for each shortcoming in the order of the list there.
alter table versao add column prova integer;
alter table versao add column falhas integer;
-- What the version's own protocol says of the document, by code (src/documentos/lean/codigos.ts).
alter table versao add column status integer;
-- A person chose it among equals; a person set aside what it claims.
alter table versao add column escolhida integer not null default 0 check (escolhida in (0, 1));
alter table versao add column afastada integer not null default 0 check (afastada in (0, 1));

-- Of the served version, and of the status that is shown.
alter table documento add column prova integer;
alter table documento add column status_prova integer;
-- What versions that are not served say became of the document, unproven; null where they say nothing else.
alter table documento add column status_alegado text;
-- Of an event or an inutilização: a person set it aside, so that it changes nothing.
alter table documento add column afastado integer not null default 0 check (afastado in (0, 1));
-- Of a cancellation: the protocol of the document that it says it cancels.
alter table documento add column protocolo_da_nota text;

-- Two words of the authority on one content, such as an authorisation and a cancellation, wait beside each other: what came
-- first must not keep the other out.
create table protocolo_avulso_novo (
  contador_id integer not null references contador (id),
  chave text not null,
  ambiente integer not null,
  digest text not null,
  status text not null,
  bytes blob not null,
  arquivo_numero integer not null,
  item_ordem integer not null,
  no_item integer not null,
  criado_em integer not null,
  primary key (contador_id, chave, ambiente, digest, status)
) strict, without rowid;
insert into protocolo_avulso_novo
select contador_id, chave, ambiente, digest, status, bytes, arquivo_numero, item_ordem, no_item, criado_em
from protocolo_avulso;
drop table protocolo_avulso;
alter table protocolo_avulso_novo rename to protocolo_avulso;
