-- Certificates of authorities that an operator has installed, beside those that come with the product. In the database, so
-- that every process of the installation has them, whatever folder it works in.
create table autoridade (
  id integer primary key,
  -- Of `der`.
  sha256 blob not null unique,
  der blob not null,
  -- A root: what it is trusted for, `icp_brasil` or `sat`. null: it counts because it leads to a root.
  confianca text,
  instalada_em integer not null
) strict;

-- What the certificate is worth (`src/documentos/lean/signatario-guardado.ts`); null: nobody has looked, or it cannot be read.
alter table certificado_de_documento add column signatario text;
-- With which authorities its chain was looked for, and none was found: it is looked for again with others. Empty: nobody has
-- looked. null: nothing is to be looked for any more.
alter table certificado_de_documento add column autoridades text default '';
-- With which authorities that came to another result than before: versions that carry it are judged anew (`renovacao`).
alter table certificado_de_documento add column renovado text;
create index certificado_a_procurar on certificado_de_documento (autoridades, id) where autoridades is not null;

-- The same of the certificate of the version's own bytes; null where the certificate that was cut out of them says it.
alter table versao add column signatario text;

-- How far the versions have been judged anew, with which authorities: one row, or none.
create table renovacao (
  unica integer primary key check (unica = 1),
  autoridades text not null,
  -- The last version that was looked at.
  versao_apos integer not null,
  -- The last version there was when a certificate came to another result (`renovado`): those up to it may carry it.
  mudados_ate integer not null
) strict;
