-- Failures of imports that somebody has looked at: why they are not pending any more, and who said so.
create table falha_vista (
  contador_id integer not null references contador (id),
  arquivo_numero integer not null,
  -- Place of the item in the file; 0: the file failed as a whole.
  ordem integer not null,
  codigo text not null,
  situacao text not null check (situacao in ('visto', 'resolvido')),
  motivo text not null,
  por text not null,
  em integer not null,
  primary key (contador_id, arquivo_numero, ordem)
) strict, without rowid;
create index falha_vista_em on falha_vista (contador_id, em);

-- Few rows: what could not be stored, or contradicts what was.
create index item_falha on item (arquivo_numero, ordem) where resultado in ('rejeitado', 'conflito');
