-- Which clients of the office somebody is limited to: whom papel `cliente` sees, and the portfolio of an operator.
create table usuario_cliente (
  usuario_id integer not null references usuario (id),
  cliente_id integer not null references cliente (id),
  contador_id integer not null references contador (id),
  primary key (usuario_id, cliente_id)
) strict, without rowid;
create index usuario_cliente_contador on usuario_cliente (contador_id);
insert into usuario_cliente (usuario_id, cliente_id, contador_id)
  select id, cliente_id, contador_id from usuario where cliente_id is not null;
-- 1: an operator sees only the clients in `usuario_cliente`, none when there is no row. Papel `cliente` always does;
-- `usuario.cliente_id` is one of them, as before.
alter table usuario add column limitado integer not null default 0;
-- JSON list of client ids: what the sender could see when the file was sent; null: the whole office.
alter table arquivo add column alcance text;
