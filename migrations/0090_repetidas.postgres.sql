-- The same as `0090_repetidas.sqlite.sql`, where it is told why.
alter table participacao add column repetida smallint not null default 0 check (repetida in (0, 1, 2));
update participacao set repetida = case
    when exists (select 1 from participacao as outra where outra.documento_id = participacao.documento_id
      and outra.cliente_id < participacao.cliente_id and outra.tipo = participacao.tipo) then 2
    else 1 end
  where classe <> 1 and exists (select 1 from participacao as outra
    where outra.documento_id = participacao.documento_id and outra.cliente_id < participacao.cliente_id);
create index participacao_repetida
  on participacao (cliente_id, modelo, emitido_em, tipo, status, carta_correcao, repetida, documento_id)
  where repetida > 0;
