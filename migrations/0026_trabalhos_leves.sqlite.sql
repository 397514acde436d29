-- Jobs that take no room while they run (`LIGHT_BYTES` of src/platform/jobs/queue.ts), in the order of the line: they pass
-- heavy ones that wait for their room, however many these are.
create index job_leve on job (vez, id) where estado = 'pronto' and adiado = 0 and peso <= 100000;
