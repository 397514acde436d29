-- Layouts of cities that an office has described, or installed from somebody else's file, and what waits for one.
create table leiaute_ensinado (
  id integer primary key,
  contador_id integer not null references contador (id),
  -- The `id` in the description: one of a kind among those in force.
  leiaute text not null,
  -- The description, JSON (`src/fiscal/nfse/leiautes/leiaute.ts`), as it passed its check.
  conteudo text not null,
  -- 'ensinado' at this office, or 'instalado' from a file.
  origem text not null,
  -- Grows with each change of the office's layouts: what was tried with an older one is tried again.
  revisao integer not null,
  criado_em integer not null,
  criado_por text not null,
  -- null: in force.
  retirado_em integer
) strict;
create unique index leiaute_ensinado_em_vigor on leiaute_ensinado (contador_id, leiaute) where retirado_em is null;
create index leiaute_ensinado_revisao on leiaute_ensinado (contador_id, revisao);

-- Files, or parts of them, in which notes stand whose layout is not read. In the order of their arrival, by `id`.
create table nota_a_ensinar (
  id integer primary key,
  contador_id integer not null references contador (id),
  -- SHA-256 of the bytes, hex.
  digest text not null,
  -- By which those of one layout are found together (`src/fiscal/nfse/leiautes/forma.ts`).
  forma text not null,
  -- As they came, zstd.
  bytes blob not null,
  -- Length before that.
  tamanho integer not null,
  -- `revisao` of the office's layouts with which they were last read; 0: with none.
  tentada integer not null,
  -- The item of the upload that brought them first, and its name there.
  arquivo_numero integer not null,
  item_ordem integer not null,
  caminho text not null,
  criado_em integer not null
) strict;
create unique index nota_a_ensinar_digest on nota_a_ensinar (contador_id, digest);
create index nota_a_ensinar_tentada on nota_a_ensinar (contador_id, tentada, id);

-- The last upload that was made of what waited, for each office: the next is made once it is done, so that all enter in the
-- order of their arrival.
create table releitura_de_leiaute (
  contador_id integer primary key references contador (id),
  arquivo_id text not null
) strict, without rowid;
