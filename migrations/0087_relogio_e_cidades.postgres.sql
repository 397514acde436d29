-- The same as `0087_relogio_e_cidades.sqlite.sql`, where each is explained.
update captura_relogio set visto_em = greatest(visto_em, coalesce((select max(ultima_em) from captura_estado), 0));

create index cliente_cpf_cnpj on cliente (cpf_cnpj);

drop index captura_chave_pendente;
create index captura_chave_pendente on captura_chave (cliente_id, servico, por_pessoa desc, tentativas, pedida_em)
  where estado = 'pendente';

alter table captura_estado add column municipio text collate "C";

create table captura_municipio (
  ibge text collate "C" not null,
  ambiente bigint not null,
  nome text collate "C" not null,
  compartilha bigint,
  perguntado_em bigint not null,
  primary key (ibge, ambiente)
);
