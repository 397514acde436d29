-- Certificates of the issuers, each kept once for all of an office's documents that carry it.
create table certificado_de_documento (
  id integer primary key,
  contador_id integer not null references contador (id),
  -- SHA-256 of `texto`.
  sha256 blob not null,
  -- As it stands between the tags of `X509Certificate`, character by character.
  texto text not null,
  -- How many rows of `conteudo` need it; with the last of them it is deleted.
  usos integer not null,
  unique (contador_id, sha256)
) strict;

-- The certificate that was cut out of `bytes`: set with form 2, and only there. No foreign key: an index on every document
-- for a table that only ever loses rows nobody counts on would be its price, and `verificar` looks.
alter table conteudo add column certificado_id integer;
