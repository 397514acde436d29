/** One faulty field of a request. */
export interface ErroDeCampo {
  campo: string;
  codigo: string;
  mensagem: string;
}

export interface AppErrorFields {
  /** Stable, lower snake case; listed in docs/erros.md. */
  codigo: string;
  status: number;
  /** pt-BR, says what is wrong and what to do. */
  mensagem: string;
  erros?: readonly ErroDeCampo[];
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** The caller's fault. Anything else that is thrown is ours and shows only the request id. */
export class AppError extends Error {
  readonly codigo: string;
  readonly status: number;
  readonly erros: readonly ErroDeCampo[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(fields: AppErrorFields) {
    super(fields.mensagem, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.name = 'AppError';
    this.codigo = fields.codigo;
    this.status = fields.status;
    this.erros = fields.erros ?? [];
    this.headers = fields.headers ?? {};
  }
}
