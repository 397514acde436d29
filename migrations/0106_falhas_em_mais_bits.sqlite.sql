-- `versao.falhas` is a set of bits, and there are more of them than a small integer of PostgreSQL holds: a version with the
-- sixteenth was refused by the database, and its whole file with it. Integers of SQLite have room.
select 1;
