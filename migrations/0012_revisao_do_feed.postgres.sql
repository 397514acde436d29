-- What a client's pages show changes in two ways: entries are added (`ultimo_nsu` grows), or an entry shows something
-- else than before. `revisao` grows with the latter, in the transaction that makes it so, whoever makes it: prepared
-- pages are served as long as both numbers stand still.
alter table cliente add column revisao bigint not null default 0;

-- Rows in one order, as every writer of counter rows has it, so that two transactions cannot wait for each other.
create function revisar_clientes(ids bigint[]) returns void language sql as $$
  update cliente set revisao = revisao + 1
  where id in (select c.id from cliente c where c.id = any (ids) order by c.id for no key update)
$$;

create function revisar_por_documento() returns trigger language plpgsql as $$
begin
  perform revisar_clientes(array(
    select distinct p.cliente_id from participacao p where p.documento_id in (select m.id from mudados m)));
  return null;
end
$$;
create trigger cliente_revisao_documento after update on documento
  referencing new table as mudados for each statement execute function revisar_por_documento();

create function revisar_por_versao() returns trigger language plpgsql as $$
begin
  perform revisar_clientes(array(
    select distinct p.cliente_id from participacao p where p.documento_id in (select m.documento_id from mudados m)));
  return null;
end
$$;
create trigger cliente_revisao_versao after update on versao
  referencing new table as mudados for each statement execute function revisar_por_versao();

-- A changed status stands in the document; here only the part that the client plays in it is shown.
create function revisar_por_participacao() returns trigger language plpgsql as $$
begin
  perform revisar_clientes(array(
    select distinct m.cliente_id from mudados m join antes a using (cliente_id, documento_id)
    where m.papel <> a.papel or m.tipo <> a.tipo));
  return null;
end
$$;
create trigger cliente_revisao_participacao after update on participacao
  referencing old table as antes new table as mudados for each statement execute function revisar_por_participacao();
