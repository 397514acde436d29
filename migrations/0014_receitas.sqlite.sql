-- Uploads kept as a recipe of the documents in them (src/documentos/bytes/receita.ts) instead of their bytes.
create table receita_de_envio (
  arquivo_id text primary key references arquivo (id),
  contador_id integer not null references contador (id),
  receita blob not null
) strict;

-- 0: nobody has tried; 1: `blob` is null and `receita_de_envio` has the recipe; 2: the bytes stay as they came.
alter table arquivo add column receita integer not null default 0;
create index arquivo_a_compactar on arquivo (fim_em) where receita = 0 and blob is not null;
