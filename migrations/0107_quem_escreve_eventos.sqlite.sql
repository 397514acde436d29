-- Who wrote an event, and who pays for a transport, which are the two whom nothing else in a row tells: an event of somebody who
-- may not write it changes nothing. Events of before have none, and count as they did.
alter table documento add column autor text;
alter table documento add column tomador text;
update documento set tomador = (
  select participante.cpf_cnpj from participante
  where participante.documento_id = documento.id and participante.papel = 3
  limit 1)
where classe = 'documento' and modelo in ('57', '64', '67');
