-- The same as `0013_exportacoes_de_todos.sqlite.sql`, where each column's meaning is told.
alter table exportacao add column blob text collate "C";
alter table exportacao add column batida bigint not null default 0;
create index exportacao_em_obra on exportacao (id) where fim_em is null;
create index exportacao_com_arquivo on exportacao (expira_em) where blob is not null;

update exportacao set estado = 'expirada' where estado = 'pronta';
