-- The same as `0019_participacao_em_codigos.sqlite.sql`, where it is told why.
alter table participante alter column papel type smallint using
  case papel when 'emitente' then 0 when 'destinatario' then 1 when 'prestador' then 2 when 'tomador' then 3
    when 'remetente' then 4 when 'expedidor' then 5 when 'recebedor' then 6 when 'transportador' then 7
    when 'intermediario' then 8 when 'retirada' then 9 when 'entrega' then 10 when 'autorizado' then 11 end;

-- Both compare with words.
drop index participacao_listagem;
alter table participacao drop constraint participacao_tipo_check;
-- As a change of the columns, not of the rows: no trigger tells the clients that something would show otherwise.
alter table participacao
  alter column papel type smallint using
    case papel when 'emitente' then 0 when 'destinatario' then 1 when 'prestador' then 2 when 'tomador' then 3
      when 'remetente' then 4 when 'expedidor' then 5 when 'recebedor' then 6 when 'transportador' then 7
      when 'intermediario' then 8 when 'retirada' then 9 when 'entrega' then 10 when 'autorizado' then 11 end,
  alter column tipo type smallint using case tipo when 'Emitida' then 0 when 'Recebida' then 1 end,
  alter column classe type smallint using
    case classe when 'documento' then 0 when 'evento' then 1 when 'inutilizacao' then 2 end,
  alter column status type smallint using
    case status when 'Autorizada' then 0 when 'Evento' then 1 when 'Cancelada' then 2 when 'CartaCorrecao' then 3
      when 'Denegada' then 4 when 'Pendente' then 5 when 'Inutilizada' then 6 when 'Faltante' then 7 end,
  drop column dia,
  add constraint participacao_tipo_check check (tipo in (0, 1));
create index participacao_listagem on participacao (cliente_id, modelo, emitido_em, nsu, tipo, status, carta_correcao)
  where classe <> 1;
