/** A field of the request and what is wrong with it, as the server tells it. */
interface ErroDeCampo {
  campo: string;
  codigo: string;
  mensagem: string;
}

/** What came instead of an answer: the server's problem+json, or that it could not be reached at all. */
export class FalhaDeApi extends Error {
  /** 0: nothing came back. */
  readonly status: number;
  readonly codigo: string;
  readonly erros: readonly ErroDeCampo[];
  readonly requestId: string | null;
  /** Seconds to wait before another try, when the server named them. */
  readonly esperar: number | null;

  constructor(fields: {
    status: number;
    codigo: string;
    mensagem: string;
    erros?: readonly ErroDeCampo[];
    requestId?: string | null;
    esperar?: number | null;
  }) {
    super(fields.mensagem);
    this.status = fields.status;
    this.codigo = fields.codigo;
    this.erros = fields.erros ?? [];
    this.requestId = fields.requestId ?? null;
    this.esperar = fields.esperar ?? null;
  }
}

const texto = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

const campos = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** What an error answer says of itself, null where it does not. */
interface Problema {
  codigo: string | null;
  mensagem: string | null;
  erros: readonly ErroDeCampo[];
  requestId: string | null;
}

/** Reads the body of an error answer; whatever stands before the server (a proxy) may answer without problem+json. */
export function readProblema(text: string): Problema {
  const problema: { [nome: string]: unknown } = { ...campos(deJson(text)) };
  return {
    codigo: texto(problema.codigo),
    mensagem: texto(problema.mensagem) ?? texto(problema.detail),
    erros: Array.isArray(problema.erros) ? problema.erros.filter(isErroDeCampo) : [],
    requestId: texto(problema.requestId),
  };
}

function deJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isErroDeCampo(value: unknown): value is ErroDeCampo {
  const erro: { [nome: string]: unknown } = { ...campos(value) };
  return [erro.campo, erro.codigo, erro.mensagem].every((part) => typeof part === 'string');
}

/** Reads an error answer of the console's API. */
export async function readFalha(answer: Response): Promise<FalhaDeApi> {
  const { codigo, mensagem, erros, requestId } = readProblema(await answer.text().catch(() => ''));
  const esperar = Number(answer.headers.get('retry-after'));
  return new FalhaDeApi({
    status: answer.status,
    codigo: codigo ?? 'resposta_inesperada',
    mensagem:
      mensagem ?? `O servidor respondeu ${answer.status} sem explicar o motivo. Tente de novo em instantes.`,
    erros,
    requestId: requestId ?? answer.headers.get('x-request-id'),
    esperar: Number.isFinite(esperar) && esperar > 0 ? esperar : null,
  });
}

/** Any thrown thing as a failure that can be shown. */
export function comoFalha(error: unknown): FalhaDeApi {
  if (error instanceof FalhaDeApi) return error;
  return new FalhaDeApi({
    status: 0,
    codigo: 'falha_da_tela',
    mensagem: error instanceof Error ? error.message : 'Algo inesperado aconteceu nesta tela.',
  });
}

export const semConexao = () =>
  new FalhaDeApi({
    status: 0,
    codigo: 'sem_conexao',
    mensagem: 'Não foi possível falar com o servidor. Verifique a conexão e tente de novo.',
  });

export const semTela = () =>
  new FalhaDeApi({
    status: 0,
    codigo: 'tela_nao_carregada',
    mensagem:
      'O servidor não respondeu, ou o console foi atualizado nele. Verifique a conexão e recarregue a página.',
  });
