-- The same as `0107_quem_escreve_eventos.sqlite.sql`, where it is told why.
alter table documento add column autor text collate "C";
alter table documento add column tomador text collate "C";
update documento set tomador = (
  select participante.cpf_cnpj from participante
  where participante.documento_id = documento.id and participante.papel = 3
  limit 1)
where classe = 'documento' and modelo in ('57', '64', '67');
