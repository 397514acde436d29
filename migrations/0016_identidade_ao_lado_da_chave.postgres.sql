-- The same as `0016_identidade_ao_lado_da_chave.sqlite.sql`, where it is told why.
alter table documento drop constraint documento_contador_id_ambiente_classe_identidade_key;
drop index documento_chave;
-- As a change of the column, not of its rows: no trigger tells the clients that something would show otherwise.
alter table documento alter column identidade type text collate "C" using
  case when identidade = chave then ''
    when substr(identidade, 1, length(chave) + 1) = chave || '/' then substr(identidade, length(chave) + 2)
    else identidade end;
alter table documento add constraint documento_identidade
  check (identidade = '' or (classe = 'evento' and substr(identidade, 1, length(chave) + 1) <> chave || '/'));
create unique index documento_chave on documento (contador_id, chave, classe, ambiente, identidade);
