-- The same as `0096_capturas_da_vez.sqlite.sql`, where each is explained.
drop index captura_estado_proxima;
drop index captura_estado_chaves;
create index captura_estado_proxima on captura_estado (proxima_em) where servico <> 'nfce' and proxima_em is not null;
create index captura_estado_chaves on captura_estado (chaves_em) where servico <> 'nfce' and chaves_em is not null;
create index captura_estado_sae_proxima on captura_estado (proxima_em) where servico = 'nfce' and proxima_em is not null;
create index captura_estado_sae_chaves on captura_estado (chaves_em) where servico = 'nfce' and chaves_em is not null;
