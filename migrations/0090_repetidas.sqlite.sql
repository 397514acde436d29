-- A document that several clients of an office have is one document: totals over clients leave out the rows that repeat it.
-- 0: none before it has the document; 1: another client's row has; 2: one of the same direction (`tipo`) has. Events (1) are
-- not listed.
alter table participacao add column repetida integer not null default 0 check (repetida in (0, 1, 2));
update participacao set repetida = case
    when exists (select 1 from participacao as outra where outra.documento_id = participacao.documento_id
      and outra.cliente_id < participacao.cliente_id and outra.tipo = participacao.tipo) then 2
    else 1 end
  where classe <> 1 and exists (select 1 from participacao as outra
    where outra.documento_id = participacao.documento_id and outra.cliente_id < participacao.cliente_id);
-- Covering: they are counted without touching a row of the table.
create index participacao_repetida
  on participacao (cliente_id, modelo, emitido_em, tipo, status, carta_correcao, repetida, documento_id)
  where repetida > 0;
