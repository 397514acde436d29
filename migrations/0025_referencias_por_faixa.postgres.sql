-- What an import writes refers mostly to rows that the same transaction has written just before, whose keys are one number
-- behind the other. Then one look at all keys from the first to the last says what 0023 asks key by key, which was a tenth of
-- the server's work in an import. Wherever a key of these is missing, or they lie far apart, each is looked up as before.

create function referir_por_faixa(filho text, coluna text, pai text, chave text default 'id', uma_vez boolean default false)
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
    declare
      primeira bigint;
      ultima bigint;
      quantas bigint;
    begin
      select min(e.%2$I), max(e.%2$I), count(*) into primeira, ultima, quantas from escritas e;
      -- Never more is read than twice what was written. Of nulls alone there is no first.
      if ultima - primeira < 2 * quantas
          and (select count(*) from %3$I p where p.%4$I between primeira and ultima) = ultima - primeira + 1 then
        return null;
      end if;
      if exists (select from %6$s e where e.%2$I is not null
          and (select p.%4$I from %3$I p where p.%4$I = e.%2$I) is null) then
        %5$s;
      end if;
      return null;
    end
    $corpo$ $criar$, filho || '_' || coluna || '_escrita', coluna, pai, chave, recusa, escritas);
end
$referir$;

select referir_por_faixa('documento', 'contador_id', 'contador', uma_vez => true);
select referir_por_faixa('versao', 'documento_id', 'documento');
select referir_por_faixa('participante', 'documento_id', 'documento', uma_vez => true);
select referir_por_faixa('conteudo', 'versao_id', 'versao');
select referir_por_faixa('conteudo', 'bloco_id', 'bloco', uma_vez => true);
select referir_por_faixa('bloco', 'contador_id', 'contador', uma_vez => true);
select referir_por_faixa('participacao', 'cliente_id', 'cliente', uma_vez => true);
select referir_por_faixa('participacao', 'documento_id', 'documento');
select referir_por_faixa('entrada', 'cliente_id', 'cliente', uma_vez => true);
select referir_por_faixa('entrada', 'documento_id', 'documento');
select referir_por_faixa('contagem', 'cliente_id', 'cliente', uma_vez => true);
select referir_por_faixa('item', 'arquivo_numero', 'arquivo', 'numero', uma_vez => true);
drop function referir_por_faixa(text, text, text, text, boolean);
