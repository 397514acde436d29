-- foreign_keys: off
-- Every item and every version says with which upload it came: by a number, since the id has 36 characters. Versions
-- keep their hash as bytes, in half of the room. Columns change only with their tables, so the tables are made anew.
create table arquivo_novo (
  -- What other rows know it by; nobody outside sees it.
  numero integer primary key,
  id text not null unique,
  contador_id integer not null references contador (id),
  token_id integer,
  extensao text not null,
  tamanho_anunciado integer not null,
  tamanho integer,
  status text not null,
  criado_em integer not null,
  -- Unix seconds, as in the signed address.
  expira_em integer not null,
  kid text not null,
  recebido_em integer,
  inicio_em integer,
  fim_em integer,
  log text not null default '',
  sha256 text,
  md5 text,
  -- Key of the bytes in the blob store.
  blob text,
  -- Until when a body may still be coming (0004).
  chegando_ate integer,
  origem text not null default 'api' check (origem in ('api', 'console', 'sistema')),
  usuario_id integer,
  nome text,
  reimportado_de text references arquivo (id),
  -- 0: not tried; 1: kept as a recipe; 2: kept as it came (0014).
  receita integer not null default 0
) strict;

insert into arquivo_novo (id, contador_id, token_id, extensao, tamanho_anunciado, tamanho, status, criado_em, expira_em,
    kid, recebido_em, inicio_em, fim_em, log, sha256, md5, blob, chegando_ate, origem, usuario_id, nome,
    reimportado_de, receita)
  select id, contador_id, token_id, extensao, tamanho_anunciado, tamanho, status, criado_em, expira_em,
    kid, recebido_em, inicio_em, fim_em, log, sha256, md5, blob, chegando_ate, origem, usuario_id, nome,
    reimportado_de, receita
  from arquivo order by criado_em, id;

create table item_novo (
  arquivo_numero integer not null references arquivo (numero),
  -- Dense within its file, from 1, in the order of the import.
  ordem integer not null,
  -- See `src/documentos/lean/itens-enxutos.ts`: what the row of its document says is not repeated.
  caminho text not null,
  sha256 text,
  especie text not null,
  chave text,
  resultado text not null,
  codigo text,
  mensagem text,
  linha integer,
  coluna integer,
  elemento text,
  documento_id integer,
  primary key (arquivo_numero, ordem)
) strict, without rowid;

insert into item_novo (arquivo_numero, ordem, caminho, sha256, especie, chave, resultado, codigo, mensagem, linha, coluna,
    elemento, documento_id)
  select arquivo_novo.numero, ordem, caminho, item.sha256, especie, chave, resultado, codigo, mensagem, linha, coluna,
    elemento, documento_id
  from arquivo_novo join item on item.arquivo_id = arquivo_novo.id order by arquivo_novo.numero, ordem;

create table versao_nova (
  id integer primary key,
  documento_id integer not null references documento (id),
  -- 1: this version is the one that is served; exactly one of a document is.
  servida integer not null,
  -- SHA-256 of the original bytes; empty once these were deleted.
  sha256 blob not null,
  digest text not null,
  protocolado integer not null,
  -- The protocol: cStat, xMotivo, nProt, dhRecbto, digVal (src/documentos/lean/protocolo-guardado.ts).
  protocolo text,
  esquema text not null,
  -- Of older versions only; `esquema_nome_id` is in its place (0017).
  esquema_nome text,
  esquema_nome_id integer,
  esquema_motivo text,
  assinatura text not null,
  assinatura_motivo text,
  assinatura_titular text,
  -- JSON array of readable findings.
  avisos text,
  -- null: of an upload that nobody knows.
  arquivo_numero integer,
  importado_em integer not null,
  tamanho integer not null,
  codificacao text not null
) strict;

insert into versao_nova (id, documento_id, servida, sha256, digest, protocolado, protocolo, esquema, esquema_nome,
    esquema_nome_id, esquema_motivo, assinatura, assinatura_motivo, assinatura_titular, avisos, arquivo_numero,
    importado_em, tamanho, codificacao)
  select versao.id, documento_id, servida, unhex(versao.sha256), digest, protocolado, protocolo, esquema, esquema_nome,
    esquema_nome_id, esquema_motivo, assinatura, assinatura_motivo, assinatura_titular, avisos, arquivo_novo.numero,
    importado_em, versao.tamanho, codificacao
  from versao left join arquivo_novo on arquivo_novo.id = versao.arquivo_id order by versao.id;

drop table versao;
alter table versao_nova rename to versao;
drop table item;
drop table arquivo;
alter table arquivo_novo rename to arquivo;
alter table item_novo rename to item;

create index arquivo_contador on arquivo (contador_id, criado_em);
create index arquivo_expirando on arquivo (expira_em) where status = 'Aguardando Upload';
create index arquivo_reimportado on arquivo (reimportado_de) where reimportado_de is not null;
create index arquivo_a_compactar on arquivo (fim_em) where receita = 0 and blob is not null;
create index item_documento on item (documento_id) where resultado in ('sem_cliente', 'homologacao');
create unique index versao_servida on versao (documento_id) where servida = 1;
create index versao_documento on versao (documento_id);

create trigger cliente_revisao_versao after update of servida, sha256, codificacao on versao
begin
  update cliente set revisao = revisao + 1
  where id in (select cliente_id from participacao where documento_id = new.documento_id);
end;
