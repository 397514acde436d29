-- What a client's pages show changes in two ways: entries are added (`ultimo_nsu` grows), or an entry shows something
-- else than before. `revisao` grows with the latter, in the transaction that makes it so, whoever makes it: prepared
-- pages are served as long as both numbers stand still.
alter table cliente add column revisao integer not null default 0;

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

create trigger cliente_revisao_participacao after update of papel, tipo on participacao
when old.papel <> new.papel or old.tipo <> new.tipo
begin
  update cliente set revisao = revisao + 1 where id = new.cliente_id;
end;
