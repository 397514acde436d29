-- The same as `0106_falhas_em_mais_bits.sqlite.sql`, where it is told why.
alter table versao alter column falhas type integer;
