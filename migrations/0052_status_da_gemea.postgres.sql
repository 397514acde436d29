-- The same as `0052_status_da_gemea.sqlite.sql`, where the column's meaning is told.
alter table documento add column status_gemea text collate "C";
