import { FalhaDeApi, readFalha, semConexao } from './falha.ts';
import type { Opcoes, Resposta, Rota } from './rotas.ts';

const RAIZ_DA_API = '/console/api';

let csrf: string | null = null;
let aoPerderSessao: () => void = () => undefined;

/** The session's token against forged requests; every mutating call carries it. */
export function keepCsrf(token: string | null): void {
  csrf = token;
}

/** Called when the server says that there is no session (any more). */
export function tellSessaoPerdida(listener: () => void): void {
  aoPerderSessao = listener;
}

/** So long after the last gesture the screen is taken to ask by itself, which keeps no session open. */
const SEM_GENTE_MS = 60_000;
let ultimoGesto = Date.now();
function noteGesto(): void {
  ultimoGesto = Date.now();
}
for (const gesto of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  globalThis.addEventListener?.(gesto, noteGesto, { capture: true, passive: true });

type Valor = string | number | boolean | null | undefined;

/** `GET /clientes/{cpfCnpj}` and its values → `/console/api/clientes/12…?a=b`; empty values are left out. */
export function endereco(
  rota: string,
  opcoes: { caminho?: object | undefined; query?: object | undefined } = {},
): string {
  const [, path = ''] = rota.split(' ');
  const values = (opcoes.caminho ?? {}) as Record<string, Valor>;
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(values[name] ?? '')),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((opcoes.query ?? {}) as Record<string, Valor>)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return `${RAIZ_DA_API}${filled}${text === '' ? '' : `?${text}`}`;
}

/**
 * Calls a route of the console's API.
 * @throws FalhaDeApi for every answer but 2xx, and when none came
 */
export async function chamar<R extends Rota>(
  rota: R,
  opcoes: Opcoes<R> = {} as Opcoes<R>,
  signal?: AbortSignal,
): Promise<Resposta<R>> {
  const { caminho, query, corpo } = opcoes as { caminho?: object; query?: object; corpo?: unknown };
  const method = rota.split(' ')[0] ?? 'GET';
  const headers: Record<string, string> = { accept: 'application/json' };
  if (corpo !== undefined) headers['content-type'] = 'application/json';
  if (method === 'GET' && Date.now() - ultimoGesto > SEM_GENTE_MS) headers['x-malote-repeticao'] = '1';
  if (method !== 'GET' && csrf !== null) headers['x-csrf-token'] = csrf;
  const answer = await fetch(endereco(rota, { caminho, query }), {
    method,
    headers,
    credentials: 'same-origin',
    ...(corpo === undefined ? {} : { body: JSON.stringify(corpo) }),
    ...(signal ? { signal } : {}),
  }).catch((error: unknown) => {
    throw (error as Error).name === 'AbortError' ? error : semConexao();
  });
  if (!answer.ok) {
    const falha = await readFalha(answer);
    // Without a token there was no session to lose: the first question of a visit.
    if (falha.codigo === 'sessao_ausente' && csrf !== null) aoPerderSessao();
    throw falha;
  }
  if (answer.status === 204) return null as Resposta<R>;
  const text = await answer.text();
  if (text === '') return null as Resposta<R>;
  try {
    return JSON.parse(text) as Resposta<R>;
  } catch {
    throw new FalhaDeApi({
      status: answer.status,
      codigo: 'resposta_inesperada',
      mensagem: 'O servidor respondeu algo que esta tela não entende. Recarregue a página.',
    });
  }
}
