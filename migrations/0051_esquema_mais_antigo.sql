-- Few rows: documents that are newer than the schemas that are installed, by when they came.
create index versao_esquema_mais_antigo on versao (importado_em) where esquema = 'esquema_mais_antigo';
