-- foreign_keys: off
-- Versions of a document are looked up by the document alone. That the same bytes are not kept twice for it is decided
-- where they are stored (src/documentos/store/decidir.ts), by one writer at a time; an index with every hash in it is what
-- keeping that twice would cost. A constraint goes only with its table, so the table is made anew.
create table versao_nova (
  id integer primary key,
  documento_id integer not null references documento (id),
  -- 1: this version is the one that is served; exactly one of a document is.
  servida integer not null,
  sha256 text not null,
  digest text not null,
  protocolado integer not null,
  -- The protocol: cStat, xMotivo, nProt, dhRecbto, digVal (src/documentos/lean/protocolo-guardado.ts).
  protocolo text,
  esquema text not null,
  esquema_nome text,
  esquema_motivo text,
  assinatura text not null,
  assinatura_motivo text,
  assinatura_titular text,
  -- JSON array of readable findings.
  avisos text,
  arquivo_id text not null,
  importado_em integer not null,
  tamanho integer not null,
  codificacao text not null
) strict;

insert into versao_nova (id, documento_id, servida, sha256, digest, protocolado, protocolo, esquema, esquema_nome,
    esquema_motivo, assinatura, assinatura_motivo, assinatura_titular, avisos, arquivo_id, importado_em, tamanho,
    codificacao)
  select id, documento_id, servida, sha256, digest, protocolado, protocolo, esquema, esquema_nome,
    esquema_motivo, assinatura, assinatura_motivo, assinatura_titular, avisos, arquivo_id, importado_em, tamanho,
    codificacao
  from versao order by id;

drop table versao;
alter table versao_nova rename to versao;

create unique index versao_servida on versao (documento_id) where servida = 1;
create index versao_documento on versao (documento_id);

create trigger cliente_revisao_versao after update of servida, sha256, codificacao on versao
begin
  update cliente set revisao = revisao + 1
  where id in (select cliente_id from participacao where documento_id = new.documento_id);
end;
