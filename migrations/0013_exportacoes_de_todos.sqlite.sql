-- Files of mass exports lie in the blob store, where every process has them.
-- Key of the finished file; null before, and when it is gone.
alter table exportacao add column blob text;
-- Counted up by the process that makes it: one that stands still was left behind. `processo` names that process
-- (src/platform/jobs/owner.ts).
alter table exportacao add column batida integer not null default 0;
create index exportacao_em_obra on exportacao (id) where fim_em is null;
create index exportacao_com_arquivo on exportacao (expira_em) where blob is not null;

-- Their files lie in a folder of one process; they last a day, and can be asked for again.
update exportacao set estado = 'expirada' where estado = 'pronta';
