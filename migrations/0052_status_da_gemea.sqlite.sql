-- NFS-e that came under both of its keys, the city's and the national one, is one note: what the other form proves of this
-- one, 'Cancelada' or nothing. Its own status is what it was without that.
alter table documento add column status_gemea text;
