-- Halves of events: what was asked for, or SEFAZ's answer to it, where the other half has not come yet. Put together with it
-- once it is there (src/documentos/store/metades.ts), and then no longer here.
create table metade_de_evento (
  contador_id integer not null references contador (id),
  chave text not null,
  ambiente integer not null,
  -- Code and sequence of the event, as in `documento.identidade`.
  identidade text not null,
  -- 'pedido' or 'resposta'.
  lado text not null,
  -- SHA-256 of the bytes, hex.
  digest text not null,
  -- The element, standing alone, UTF-8.
  bytes blob not null,
  -- The item of the upload that it came in.
  arquivo_numero integer not null,
  item_ordem integer not null,
  criado_em integer not null,
  primary key (contador_id, chave, ambiente, identidade, lado, digest)
) strict, without rowid;
