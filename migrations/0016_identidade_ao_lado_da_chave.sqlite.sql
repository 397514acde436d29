-- foreign_keys: off
-- A record is known by its key and, an event, by code and sequence. The key stands in the row once, and one index finds
-- by key and keeps what is known apart. A constraint goes only with its table, so the table is made anew.
create table documento_novo (
  id integer primary key,
  contador_id integer not null references contador (id),
  ambiente integer not null,
  classe text not null check (classe in ('documento', 'evento', 'inutilizacao')),
  -- What tells it from others of its key and class. evento: codigo/sequencia; documento and inutilizacao: nothing.
  identidade text not null,
  especie text not null,
  chave text not null,
  modelo text not null,
  serie text,
  numero text,
  numero_inicial integer,
  numero_final integer,
  layout text,
  -- As it stands in the document: the offset, where `emitido_em`, the same instant, tells the rest; else the whole text
  -- (src/documentos/lean/emissao-guardada.ts).
  data_emissao text not null,
  emitido_em integer not null,
  -- YYYY-MM-DD in America/Sao_Paulo.
  dia text not null,
  emitente text,
  emitente_nome text,
  destinatario text,
  destinatario_nome text,
  valor text,
  tp_nf text,
  finalidade_codigo text,
  -- null beside a code: the usual text of that code (src/documentos/lean/finalidade-guardada.ts).
  finalidade_descricao text,
  -- cfop, ncm and vProd of each item (src/documentos/lean/itens-guardados.ts); older: JSON array of [nItem, cfop, ncm, vProd].
  itens text,
  layout_nacional integer not null default 0,
  municipio_prestacao integer,
  evento_codigo text,
  evento_descricao text,
  evento_sequencia integer,
  evento_efeito text,
  -- JSON {codigo, sequencia, nProt} of the event that this one undoes.
  evento_desfaz text,
  nprot text,
  status_protocolo text not null,
  status text not null,
  carta_correcao integer not null default 0,
  manifestacao text,
  -- Grows with every visible change; part of the ETag.
  revisao integer not null default 1,
  importado_em integer not null,
  -- Set when the document's bytes and personal data were deleted (0007).
  excluido_em integer,
  -- A process of the version before, which would write the key once more and find nothing of what is there, is refused.
  check (identidade = '' or (classe = 'evento' and substr(identidade, 1, length(chave) + 1) <> chave || '/'))
) strict;

insert into documento_novo (id, contador_id, ambiente, classe, identidade, especie, chave, modelo, serie, numero,
    numero_inicial, numero_final, layout, data_emissao, emitido_em, dia, emitente, emitente_nome, destinatario,
    destinatario_nome, valor, tp_nf, finalidade_codigo, finalidade_descricao, itens, layout_nacional,
    municipio_prestacao, evento_codigo, evento_descricao, evento_sequencia, evento_efeito, evento_desfaz, nprot,
    status_protocolo, status, carta_correcao, manifestacao, revisao, importado_em, excluido_em)
  select id, contador_id, ambiente, classe,
    case when identidade = chave then ''
      when substr(identidade, 1, length(chave) + 1) = chave || '/' then substr(identidade, length(chave) + 2)
      else identidade end,
    especie, chave, modelo, serie, numero,
    numero_inicial, numero_final, layout, data_emissao, emitido_em, dia, emitente, emitente_nome, destinatario,
    destinatario_nome, valor, tp_nf, finalidade_codigo, finalidade_descricao, itens, layout_nacional,
    municipio_prestacao, evento_codigo, evento_descricao, evento_sequencia, evento_efeito, evento_desfaz, nprot,
    status_protocolo, status, carta_correcao, manifestacao, revisao, importado_em, excluido_em
  from documento order by id;

drop table documento;
alter table documento_novo rename to documento;

create unique index documento_chave on documento (contador_id, chave, classe, ambiente, identidade);
-- Covering: the gaps of a numbering are found here without touching a document.
create index documento_numeracao
  on documento (contador_id, ambiente, emitente, modelo, serie, numero_inicial, numero_final, emitido_em, classe)
  where classe <> 'evento';
-- A listing of the whole office walks one of these, newest first; with a client it walks `participacao_listagem`.
create index documento_listagem on documento (contador_id, modelo, emitido_em, id) where classe <> 'evento';
-- Few rows: most documents are authorised.
create index documento_excecao on documento (contador_id, status, emitido_em, id)
  where classe <> 'evento' and status <> 'Autorizada';
create index documento_corrigido on documento (contador_id, emitido_em, id)
  where classe = 'documento' and carta_correcao = 1;
-- Numbers that begin with what was typed are a few ranges.
create index documento_numero on documento (contador_id, numero_inicial) where classe <> 'evento';
-- What is due: a range of an office's documents by date of issue.
create index documento_vencimento on documento (contador_id, emitido_em) where excluido_em is null;

create trigger cliente_revisao_documento
after update of chave, classe, modelo, serie, numero, data_emissao, status, evento_codigo, evento_descricao,
  evento_sequencia, layout_nacional, municipio_prestacao, revisao, excluido_em on documento
begin
  update cliente set revisao = revisao + 1
  where id in (select cliente_id from participacao where documento_id = new.id);
end;
