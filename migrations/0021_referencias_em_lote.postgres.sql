-- What an import writes refers to other rows a dozen times for each document. PostgreSQL checks a foreign key by a
-- statement for each row: that was a third of the server's work in an import, and a tenth of the import's time. Here the same
-- references are checked by one statement for all rows that a statement has inserted. They are no weaker: what refers to
-- nothing is refused with the same SQLSTATE, and so is taking away what is referred to. A key that a row refers to is not
-- locked, though: rows of these tables are deleted (versions and blocks alone are) with the office locked, like the import
-- that refers to them. SQLite keeps its foreign keys, which cost it nothing that can be measured.

-- Takes the place of the foreign key of one column.
create function referir_em_lote(filho text, coluna text, pai text, chave text default 'id') returns void
language plpgsql as $referir$
declare
  chave_estrangeira text;
  nome text := filho || '_' || coluna;
  recusa text := format('raise foreign_key_violation using message = %L, table = %L, column = %L',
    format('a row of "%s" refers to a row of "%s" that is not there', filho, pai), filho, coluna);
begin
  select k.conname into strict chave_estrangeira
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and k.conkey = array[a.attnum]
    where k.contype = 'f' and k.conrelid = filho::regclass and a.attname = coluna;
  execute format('alter table %I drop constraint %I', filho, chave_estrangeira);

  -- A plan is kept that was made while tables were small: it is to look each row up by its key, which is right at any size.
  execute format($criar$
    create function %1$I() returns trigger language plpgsql
    set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $corpo$
    begin
      if exists (select from escritas e where e.%2$I is not null
          and not exists (select from %3$I p where p.%4$I = e.%2$I)) then
        %5$s;
      end if;
      return null;
    end
    $corpo$ $criar$, nome || '_escrita', coluna, pai, chave, recusa);
  -- Its argument tells tools which table is referred to (`snapshot-postgres.ts`).
  execute format('create trigger %I after insert on %I referencing new table as escritas for each statement execute function %I(%L)',
    'referencia_' || coluna, filho, nome || '_escrita', pai);

  execute format($criar$
    create function %1$I() returns trigger language plpgsql as $corpo$
    begin
      if new.%2$I is not null and not exists (select from %3$I p where p.%4$I = new.%2$I) then
        %5$s;
      end if;
      return null;
    end
    $corpo$ $criar$, nome || '_mudanca', coluna, pai, chave, recusa);
  execute format('create trigger %1$I after update of %2$I on %3$I for each row when (old.%2$I is distinct from new.%2$I) execute function %4$I()',
    'mudanca_' || coluna, coluna, filho, nome || '_mudanca');

  execute format($criar$
    create function %1$I() returns trigger language plpgsql as $corpo$
    begin
      if tg_op = 'UPDATE' and new.%4$I = old.%4$I then return null; end if;
      if exists (select from %6$I f where f.%2$I = old.%4$I) then
        %5$s;
      end if;
      return null;
    end
    $corpo$ $criar$, nome || '_falta', coluna, pai, chave, recusa, filho);
  execute format('create trigger %I after delete or update of %I on %I for each row execute function %I()',
    'referido_por_' || nome, chave, pai, nome || '_falta');
end
$referir$;

select referir_em_lote('documento', 'contador_id', 'contador');
select referir_em_lote('versao', 'documento_id', 'documento');
select referir_em_lote('participante', 'documento_id', 'documento');
select referir_em_lote('conteudo', 'versao_id', 'versao');
select referir_em_lote('conteudo', 'bloco_id', 'bloco');
select referir_em_lote('bloco', 'contador_id', 'contador');
select referir_em_lote('participacao', 'cliente_id', 'cliente');
select referir_em_lote('participacao', 'documento_id', 'documento');
select referir_em_lote('entrada', 'cliente_id', 'cliente');
select referir_em_lote('entrada', 'documento_id', 'documento');
select referir_em_lote('contagem', 'cliente_id', 'cliente');
select referir_em_lote('item', 'arquivo_numero', 'arquivo', 'numero');
drop function referir_em_lote(text, text, text, text);
