-- Why a document that a feed has already is listed once more, where no event of it tells (MOTIVO_EM_CODIGO in
-- src/documentos/lean/codigos.ts); null for whatever is listed for the first time, and for what was listed before this.
alter table entrada add column motivo integer;
