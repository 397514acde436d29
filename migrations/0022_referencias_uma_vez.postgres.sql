-- Nearly all rows that a statement inserts refer to the same few: which ones is found first, and each of these looked up
-- once. The triggers are those of 0021, which looks up what every row refers to.

create function referir_uma_vez(filho text, coluna text, pai text, chave text default 'id') returns void
language plpgsql as $referir$
declare
  recusa text := format('raise foreign_key_violation using message = %L, table = %L, column = %L',
    format('a row of "%s" refers to a row of "%s" that is not there', filho, pai), filho, coluna);
begin
  -- For these settings see 0021: the plan is kept, and right at any size.
  execute format($criar$
    create or replace function %1$I() returns trigger language plpgsql
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $corpo$
    begin
      if exists (select from (select distinct %2$I as chave from escritas) e where e.chave is not null
          and not exists (select from %3$I p where p.%4$I = e.chave)) then
        %5$s;
      end if;
      return null;
    end
    $corpo$ $criar$, filho || '_' || coluna || '_escrita', coluna, pai, chave, recusa);
end
$referir$;

select referir_uma_vez('documento', 'contador_id', 'contador');
select referir_uma_vez('participante', 'documento_id', 'documento');
select referir_uma_vez('conteudo', 'bloco_id', 'bloco');
select referir_uma_vez('bloco', 'contador_id', 'contador');
select referir_uma_vez('participacao', 'cliente_id', 'cliente');
select referir_uma_vez('entrada', 'cliente_id', 'cliente');
select referir_uma_vez('contagem', 'cliente_id', 'cliente');
select referir_uma_vez('item', 'arquivo_numero', 'arquivo', 'numero');
drop function referir_uma_vez(text, text, text, text);
