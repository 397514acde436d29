/** States of a file, only ever forward: `Aguardando Upload` → `Em Processamento` → `Uploaded` | `Com Erro`; or `Expirado`. */
export const STATUS_ARQUIVO = {
  aguardandoUpload: 'Aguardando Upload',
  emProcessamento: 'Em Processamento',
  uploaded: 'Uploaded',
  comErro: 'Com Erro',
  expirado: 'Expirado',
} as const;

/** Kind of job in the queue. */
export const JOB_IMPORTAR = 'importar';

/** One thing of a file to be read: bytes, or a verdict that unpacking has already given. */
export type EntradaParaLer =
  | { caminho: string; bytes: Uint8Array }
  | { caminho: string; resultado: 'ignorado' | 'rejeitado'; codigo: string; mensagem: string };
