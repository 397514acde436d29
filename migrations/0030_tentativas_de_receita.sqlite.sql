-- How often the recipe of an upload was begun and neither came to its end nor was broken off, and when it was last begun:
-- written before each try, so that one which takes the process down is counted too, and that no two processes are at the
-- same upload. After the second try the bytes stay as they came (`receita` = 2).
alter table arquivo add column receita_tentativas integer not null default 0;
alter table arquivo add column receita_tentada_em integer;
