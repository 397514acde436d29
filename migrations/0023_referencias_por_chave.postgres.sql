-- What rows refer to is looked up key by key. The statements of 0021 and 0022 were anti joins, whose plan is made once and
-- kept: where the first rows were many and the table that they refer to small, the server chose to read all of that table
-- again and again, and went on so while it grew (with 7,000 versions, a third of a second for each transaction of an import).
-- A scalar subquery is never made a join: it has no other plan than the key's index.

create function referir_por_chave(filho text, coluna text, pai text, chave text default 'id', uma_vez boolean default false)
returns void language plpgsql as $referir$
declare
  recusa text := format('raise foreign_key_violation using message = %L, table = %L, column = %L',
    format('a row of "%s" refers to a row of "%s" that is not there', filho, pai), filho, coluna);
  -- Where nearly all rows refer to the same few, which ones is found first.
  escritas text := case when uma_vez then format('(select distinct %I from escritas)', coluna) else 'escritas' end;
begin
  -- Small tables too are read by their index, since the plan is kept while they grow.
  execute format($criar$
    create or replace function %1$I() returns trigger language plpgsql set enable_seqscan = off as $corpo$
    begin
      if exists (select from %6$s e where e.%2$I is not null
          and (select p.%4$I from %3$I p where p.%4$I = e.%2$I) is null) then
        %5$s;
      end if;
      return null;
    end
    $corpo$ $criar$, filho || '_' || coluna || '_escrita', coluna, pai, chave, recusa, escritas);
end
$referir$;

select referir_por_chave('documento', 'contador_id', 'contador', uma_vez => true);
select referir_por_chave('versao', 'documento_id', 'documento');
select referir_por_chave('participante', 'documento_id', 'documento', uma_vez => true);
select referir_por_chave('conteudo', 'versao_id', 'versao');
select referir_por_chave('conteudo', 'bloco_id', 'bloco', uma_vez => true);
select referir_por_chave('bloco', 'contador_id', 'contador', uma_vez => true);
select referir_por_chave('participacao', 'cliente_id', 'cliente', uma_vez => true);
select referir_por_chave('participacao', 'documento_id', 'documento');
select referir_por_chave('entrada', 'cliente_id', 'cliente', uma_vez => true);
select referir_por_chave('entrada', 'documento_id', 'documento');
select referir_por_chave('contagem', 'cliente_id', 'cliente', uma_vez => true);
select referir_por_chave('item', 'arquivo_numero', 'arquivo', 'numero', uma_vez => true);
drop function referir_por_chave(text, text, text, text, boolean);

-- So are the entries of documents that change (0012). There the plan was a join too, which read all entries of all clients
-- where it was made while these were few.
create or replace function revisar_por_documento() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  perform revisar_clientes(array(
    select distinct p.cliente_id from mudados m,
      lateral (select cliente_id from participacao where documento_id = m.id offset 0) p));
  return null;
end
$$;
create or replace function revisar_por_versao() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  perform revisar_clientes(array(
    select distinct p.cliente_id from mudados m,
      lateral (select cliente_id from participacao where documento_id = m.documento_id offset 0) p));
  return null;
end
$$;
-- Two lists of the same length, which may be one row now and hundreds later.
alter function revisar_por_participacao() set enable_nestloop = off;
