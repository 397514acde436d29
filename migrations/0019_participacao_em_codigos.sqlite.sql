-- foreign_keys: off
-- Parties and listing rows are many and narrow: their words are kept as codes, of which SQLite keeps 0 and 1 in no byte.
-- The codes are those of src/documentos/lean/codigos.ts; a word without one is null here, and the migration fails.
create table participante_novo (
  documento_id integer not null references documento (id),
  papel integer not null,
  cpf_cnpj text not null,
  contador_id integer not null,
  -- Empty: as the document's own row has it (src/documentos/store/identidade.ts).
  nome text,
  primary key (documento_id, papel, cpf_cnpj)
) strict, without rowid;

insert into participante_novo (documento_id, papel, cpf_cnpj, contador_id, nome)
  select documento_id,
    case papel when 'emitente' then 0 when 'destinatario' then 1 when 'prestador' then 2 when 'tomador' then 3
      when 'remetente' then 4 when 'expedidor' then 5 when 'recebedor' then 6 when 'transportador' then 7
      when 'intermediario' then 8 when 'retirada' then 9 when 'entrega' then 10 when 'autorizado' then 11 end as codigo,
    cpf_cnpj, contador_id, nome
  from participante order by documento_id, codigo, cpf_cnpj;

drop table participante;
alter table participante_novo rename to participante;
create index participante_de on participante (contador_id, cpf_cnpj, documento_id);

-- No table is renamed while a trigger names one that is not there: those of other tables go, and come again as they were.
drop trigger cliente_revisao_documento;
drop trigger cliente_revisao_versao;

-- The day is that of `emitido_em` in America/Sao_Paulo (src/documentos/dia.ts).
create table participacao_nova (
  cliente_id integer not null references cliente (id),
  documento_id integer not null references documento (id),
  nsu integer not null,
  papel integer not null,
  tipo integer not null check (tipo in (0, 1)),
  classe integer not null,
  modelo text not null,
  emitido_em integer not null,
  status integer not null,
  carta_correcao integer not null,
  primary key (cliente_id, documento_id)
) strict, without rowid;

insert into participacao_nova (cliente_id, documento_id, nsu, papel, tipo, classe, modelo, emitido_em, status,
    carta_correcao)
  select cliente_id, documento_id, nsu,
    case papel when 'emitente' then 0 when 'destinatario' then 1 when 'prestador' then 2 when 'tomador' then 3
      when 'remetente' then 4 when 'expedidor' then 5 when 'recebedor' then 6 when 'transportador' then 7
      when 'intermediario' then 8 when 'retirada' then 9 when 'entrega' then 10 when 'autorizado' then 11 end,
    case tipo when 'Emitida' then 0 when 'Recebida' then 1 end,
    case classe when 'documento' then 0 when 'evento' then 1 when 'inutilizacao' then 2 end,
    modelo, emitido_em,
    case status when 'Autorizada' then 0 when 'Evento' then 1 when 'Cancelada' then 2 when 'CartaCorrecao' then 3
      when 'Denegada' then 4 when 'Pendente' then 5 when 'Inutilizada' then 6 when 'Faltante' then 7 end,
    carta_correcao
  from participacao order by cliente_id, documento_id;

drop table participacao;
alter table participacao_nova rename to participacao;

create index participacao_documento on participacao (documento_id);
-- Covering: a listing page finds its NSUs here without touching a document. 1: an event.
create index participacao_listagem on participacao (cliente_id, modelo, emitido_em, nsu, tipo, status, carta_correcao)
  where classe <> 1;

create trigger cliente_revisao_participacao after update of papel, tipo on participacao
when old.papel <> new.papel or old.tipo <> new.tipo
begin
  update cliente set revisao = revisao + 1 where id = new.cliente_id;
end;

create trigger cliente_revisao_documento
after update of chave, classe, modelo, serie, numero, data_emissao, status, evento_codigo, evento_descricao,
  evento_sequencia, layout_nacional, municipio_prestacao, revisao, excluido_em on documento
begin
  update cliente set revisao = revisao + 1
  where id in (select cliente_id from participacao where documento_id = new.id);
end;

create trigger cliente_revisao_versao after update of servida, sha256, codificacao on versao
begin
  update cliente set revisao = revisao + 1
  where id in (select cliente_id from participacao where documento_id = new.documento_id);
end;
