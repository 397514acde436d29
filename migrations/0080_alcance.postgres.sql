-- The same as `0080_alcance.sqlite.sql`, where each column's meaning is told.
create table usuario_cliente (
  usuario_id bigint not null references usuario (id),
  cliente_id bigint not null references cliente (id),
  contador_id bigint not null references contador (id),
  primary key (usuario_id, cliente_id)
);
create index usuario_cliente_contador on usuario_cliente (contador_id);
insert into usuario_cliente (usuario_id, cliente_id, contador_id)
  select id, cliente_id, contador_id from usuario where cliente_id is not null;
select isolar_por_contador('usuario_cliente');
alter table usuario add column limitado smallint not null default 0;
alter table arquivo add column alcance text collate "C";
