-- Whose turn it is: of the SAE, which takes one call at a time, and of all the other services, each in the order in which they
-- wait. In one index for both, whoever looks for the one walks over everything of the other that is due.
drop index captura_estado_proxima;
drop index captura_estado_chaves;
create index captura_estado_proxima on captura_estado (proxima_em) where servico <> 'nfce' and proxima_em is not null;
create index captura_estado_chaves on captura_estado (chaves_em) where servico <> 'nfce' and chaves_em is not null;
create index captura_estado_sae_proxima on captura_estado (proxima_em) where servico = 'nfce' and proxima_em is not null;
create index captura_estado_sae_chaves on captura_estado (chaves_em) where servico = 'nfce' and chaves_em is not null;
