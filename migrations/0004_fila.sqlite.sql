-- The queue for several processes and many offices.
-- `vez`: the turn of a job. Turns are given so that offices take turns (src/platform/jobs/queue.ts); jobs are started
-- in the order (vez, id), which one partial index holds.
alter table job add column vez integer not null default 0;
-- 1: waits for `disponivel_em` (a second try, a full disk); such a job stands outside of the line.
alter table job add column adiado integer not null default 0;
-- Bytes that the job holds in memory while it runs.
alter table job add column peso integer not null default 0;
-- Grows with every sign of life of the holder; who sees it stand still for long enough may take the job over. No
-- clock of any machine enters, so one that is wrong can neither steal a job nor hold it for ever.
alter table job add column batida integer not null default 0;
drop index job_disponivel;
drop index job_tomado;
alter table job drop column tomado_ate;
create index job_na_vez on job (vez, id) where estado = 'pronto' and adiado = 0;
create index job_adiado on job (disponivel_em) where estado = 'pronto' and adiado = 1;
create index job_em_execucao on job (vez) where estado = 'em_execucao';
create index job_do_contador on job (contador_id, vez) where estado in ('pronto', 'em_execucao');

-- Until when the body of an upload may still be arriving at some process, unix seconds; only for slow ones. The other
-- processes must not call such a file `Expirado`.
alter table arquivo add column chegando_ate integer;
