-- Texts that nearly every version repeats stand once. Versions that are there keep theirs.

-- Names of the schemas that documents were judged with; they say nothing of any office.
create table nome_de_esquema (
  id integer primary key,
  nome text not null unique
) strict;
-- In place of `esquema_nome`, which only older versions have. No foreign key: names are never deleted, and on PostgreSQL
-- every writer would lock the same few rows for it.
alter table versao add column esquema_nome_id integer;

-- Whom the certificate names. `versao.assinatura_titular` is empty where it says the same.
alter table certificado_de_documento add column titular text;
