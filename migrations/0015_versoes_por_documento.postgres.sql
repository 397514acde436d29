-- The same as `0015_versoes_por_documento.sqlite.sql`, where it is told why.
alter table versao drop constraint versao_documento_id_sha256_key;
create index versao_documento on versao (documento_id);
