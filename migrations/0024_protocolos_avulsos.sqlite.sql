-- Protocols of authorisation that came before their document, or without it: put together with it once it is there
-- (src/documentos/store/protocolos.ts), and then no longer here.
create table protocolo_avulso (
  contador_id integer not null references contador (id),
  chave text not null,
  ambiente integer not null,
  -- Base64, of the content that was authorised; '' where the protocol does not say it.
  digest text not null,
  -- What it makes of the document.
  status text not null,
  -- The element, standing alone, UTF-8.
  bytes blob not null,
  -- The item of the upload that it came in, and how many protocols that item brings.
  arquivo_numero integer not null,
  item_ordem integer not null,
  no_item integer not null,
  criado_em integer not null,
  primary key (contador_id, chave, ambiente, digest)
) strict, without rowid;
