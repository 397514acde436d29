-- How well what is kept is proven (src/fiscal/prova.ts). `prova` is a place in its list of words, null of what was not judged
-- yet; `falhas` a set of bits, one for each shortcoming in the order of the list there.
alter table versao add column prova smallint;
alter table versao add column falhas smallint;
-- What the version's own protocol says of the document, by code (src/documentos/lean/codigos.ts).
alter table versao add column status smallint;
-- A person chose it among equals; a person set aside what it claims.
alter table versao add column escolhida smallint not null default 0 check (escolhida in (0, 1));
alter table versao add column afastada smallint not null default 0 check (afastada in (0, 1));

-- Of the served version, and of the status that is shown.
alter table documento add column prova smallint;
alter table documento add column status_prova smallint;
-- What versions that are not served say became of the document, unproven; null where they say nothing else.
alter table documento add column status_alegado text collate "C";
-- Of an event or an inutilização: a person set it aside, so that it changes nothing.
alter table documento add column afastado smallint not null default 0 check (afastado in (0, 1));
-- Of a cancellation: the protocol of the document that it says it cancels.
alter table documento add column protocolo_da_nota text collate "C";

-- Two words of the authority on one content, such as an authorisation and a cancellation, wait beside each other: what came
-- first must not keep the other out.
alter table protocolo_avulso drop constraint protocolo_avulso_pkey;
alter table protocolo_avulso add primary key (contador_id, chave, ambiente, digest, status);
