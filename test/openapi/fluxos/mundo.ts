/** What each generated client is given, and what it has to bring back: the whole way of one note. */

export interface Mundo {
  url: string;
  token: string;
  clientId: string;
  clientSecret: string;
  codigoCrm: string;
  cpfCnpj: string;
  /** XML of a note of that client. */
  xml: string;
  /** A company that is no client yet. */
  novoCliente: string;
}

export interface Resultado {
  status: string;
  /** From the feed, by number and by key. */
  documentos: Registro[];
  clienteId: number;
  mensagem: string;
  /** `codigo` of the problem that a page of size 0 is. */
  recusa: string;
}

interface Registro {
  nsu: number;
  chave: string;
  xml: string;
}

/** The parts of a signed address, as a generated client wants them. */
export function partesDe(endereco: string) {
  const url = new URL(endereco);
  const value = (name: string) => url.searchParams.get(name) ?? '';
  return {
    id: url.pathname.split('/').at(-1) ?? '',
    query: {
      StorageAccessKeyId: value('StorageAccessKeyId'),
      Expires: Number(value('Expires')),
      Signature: value('Signature'),
    },
  };
}

const EM_ANDAMENTO = ['Aguardando Upload', 'Em Processamento'];
const PAUSA_MS = 20;

/** Asks until the import has ended. */
export async function ateOFim(situacao: () => Promise<string>): Promise<string> {
  for (;;) {
    const status = await situacao();
    if (!EM_ANDAMENTO.includes(status)) return status;
    await new Promise((resolve) => setTimeout(resolve, PAUSA_MS));
  }
}

/** The answer, or an error that shows the refusal. */
export function certo<T>(answer: { data?: T | undefined; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

export const empresa = (cpfCnpj: string) => ({
  cpfCnpj,
  nomeEmpresa: 'Padaria Exemplo',
  email: 'fiscal@exemplo.com.br',
});
