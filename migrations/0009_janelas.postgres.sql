-- Counts per minute that several processes share: requests of a token, failed tries of a client or an address. On
-- SQLite one process serves HTTP and counts in its memory. Not logged: after a crash counting begins anew.
create unlogged table janela (
  chave text collate "C" primary key,
  -- Begin of the window by the database's clock, milliseconds.
  inicio bigint not null,
  quantos bigint not null
) with (fillfactor = 50);
create index janela_inicio on janela (inicio);
