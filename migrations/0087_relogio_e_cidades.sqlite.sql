-- The steady clock of capture goes on from what it said last when a machine is started again (src/captura/relogio.ts):
-- `visto_em` is what a machine's clock said last. Until now it was written once; the calls that were made tell of later.
update captura_relogio set visto_em = max(visto_em, coalesce((select max(ultima_em) from captura_estado), 0));

-- Whose documents a call is about is looked up before each call.
create index cliente_cpf_cnpj on cliente (cpf_cnpj);

-- In the order in which keys are asked for.
drop index captura_chave_pendente;
create index captura_chave_pendente on captura_chave (cliente_id, servico, por_pessoa desc, tentativas, pedida_em)
  where estado = 'pendente';

-- The city (IBGE) that the certificate of a CNPJ names; of NFS-e only. Null: not known.
alter table captura_estado add column municipio text;

-- Whether a city has its NFS-e in the national environment, as that answered last. A fact of the city, not of an office.
create table captura_municipio (
  ibge text not null,
  ambiente integer not null,
  -- As certificates write it, with its state.
  nome text not null,
  -- 1 or 0; null: it has not said so yet.
  compartilha integer,
  -- Of the wall clock: asked at most once a day.
  perguntado_em integer not null,
  primary key (ibge, ambiente)
) strict, without rowid;
