-- The same as `0060_captura.sqlite.sql`, where each column's meaning is told.
alter table arquivo add column fonte text collate "C" check (fonte in ('sefaz', 'adn', 'sae', 'email', 'pasta'));

create table captura (
  contador_id bigint not null references contador (id),
  cliente_id bigint not null references cliente (id),
  servico text collate "C" not null,
  ligada bigint not null,
  mudada_em bigint not null,
  mudada_por text collate "C" not null,
  passiva bigint not null default 0,
  primary key (cliente_id, servico)
);
create index captura_contador on captura (contador_id);

create table captura_estado (
  cpf_cnpj text collate "C" not null,
  servico text collate "C" not null,
  ambiente bigint not null,
  ult_nsu bigint not null default 0,
  max_nsu bigint not null default 0,
  marco text collate "C",
  proxima_em bigint,
  bloqueada_ate bigint,
  parada text collate "C",
  parada_certificado text collate "C",
  erros_seguidos bigint not null default 0,
  chaves_em bigint,
  lacunas text collate "C" not null default '[]',
  recuperar_ate bigint,
  consultas text collate "C" not null default '[]',
  chamada_em bigint,
  chamada_tipo text collate "C",
  locatario text collate "C",
  locada_ate bigint,
  primeira_em bigint,
  ultima_em bigint,
  ultima_ok_em bigint,
  ultima_vazia_em bigint,
  ultimo_documento_em bigint,
  ultima_resposta text collate "C",
  ultimo_motivo text collate "C",
  outro_programa_em bigint,
  bloqueios bigint not null default 0,
  documentos bigint not null default 0,
  primary key (cpf_cnpj, servico, ambiente)
);
create index captura_estado_proxima on captura_estado (proxima_em) where proxima_em is not null;
create index captura_estado_chaves on captura_estado (chaves_em) where chaves_em is not null;
create index captura_estado_locada on captura_estado (locada_ate) where locada_ate is not null;

create table captura_chave (
  contador_id bigint not null references contador (id),
  chave text collate "C" not null,
  cliente_id bigint not null references cliente (id),
  servico text collate "C" not null,
  estado text collate "C" not null,
  por_pessoa bigint not null default 0,
  pedida_em bigint not null,
  pedida_por text collate "C" not null,
  tentada_em bigint,
  tentativas bigint not null default 0,
  resposta text collate "C",
  primary key (contador_id, chave)
);
create index captura_chave_pendente on captura_chave (cliente_id, servico, por_pessoa desc, pedida_em) where estado = 'pendente';

create table captura_relogio (
  partida text collate "C" not null primary key,
  inicio bigint not null,
  visto_em bigint not null
);

select isolar_por_contador('captura');
select isolar_por_contador('captura_chave');
-- Shared by the offices that have this client; the others do not see it.
select isolar_por_contador('captura_estado',
  'exists (select from cliente where cliente.contador_id = (select malote_contador()) and cliente.cpf_cnpj = captura_estado.cpf_cnpj)');
