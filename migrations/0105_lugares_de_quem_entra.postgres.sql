-- The same as `0105_lugares_de_quem_entra.sqlite.sql`, where it is told why.
alter table usuario add column lugares text collate "C";
