-- Tickets whose address lapsed unused, which go a day later (src/importacao/status.ts): few at any time.
create index arquivo_expirado on arquivo (expira_em) where status = 'Expirado';
