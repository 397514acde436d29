-- Documents that came together are compressed together: what they repeat of each other takes no room.
create table bloco (
  -- Never given again: who has seen the number of a block that is gone meanwhile must not be given another.
  id integer primary key autoincrement,
  contador_id integer not null references contador (id),
  -- CRC-32 of `bytes` as they are stored.
  soma integer not null,
  -- See `src/documentos/bytes/conteudo.ts`, forms 4 and 5.
  bytes blob not null
) strict;

-- Set with forms 4 and 5, and only there: `bytes` is empty then, and `soma` 0. A block is never written anew: when
-- documents leave it, the others get another one.
alter table conteudo add column bloco_id integer references bloco (id);
-- Which part of the block, from 0.
alter table conteudo add column posicao integer;
create index conteudo_bloco on conteudo (bloco_id) where bloco_id is not null;
