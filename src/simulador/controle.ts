/** The control port: JSON over HTTP, on this machine only. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DocumentoDesconhecido } from './documentos.ts';
import { type Falha, TIPOS_DE_FALHA } from './falhas.ts';
import type { RelogioVirtual } from './relogio.ts';
import type { Simulador } from './simulador.ts';

export interface Controle {
  simulador: Simulador;
  relogio: RelogioVirtual;
  /** Puts a batch of ready documents into the queues; only where there are some. */
  addExemplos?: (quantidade: number) => unknown;
}

/** What the caller did wrong. */
class PedidoErrado extends Error {}

type Acao = (controle: Controle, corpo: string) => unknown;

const ACOES: Readonly<Record<string, Acao>> = {
  'GET /relogio': ({ relogio }) => ({ agora: new Date(relogio.now()).toISOString() }),
  'POST /relogio': moveClock,
  'POST /documentos': ({ simulador }, corpo) => ({ entregas: simulador.publish(corpo) }),
  'POST /exemplos': ({ addExemplos }, corpo) => {
    if (!addExemplos) throw new PedidoErrado('este simulador não tem documentos de exemplo');
    const { quantidade = 10 } = parse(corpo) as { quantidade?: number };
    return addExemplos(quantidade);
  },
  'GET /falhas': ({ simulador }) => simulador.falhas.pendentes,
  'POST /falhas': ({ simulador }, corpo) => {
    simulador.falhas.add(readFalha(parse(corpo)));
    return simulador.falhas.pendentes;
  },
  'DELETE /falhas': ({ simulador }) => {
    simulador.falhas.clear();
    return [];
  },
  'POST /nsu-anulado': ({ simulador }, corpo) => {
    const { cpfCnpj } = parse(corpo) as { cpfCnpj?: string };
    if (!cpfCnpj) throw new PedidoErrado('informe cpfCnpj');
    simulador.addVoidNsu(cpfCnpj);
    return {};
  },
  'POST /revogados': ({ simulador }, corpo) => {
    const { cpfCnpj } = parse(corpo) as { cpfCnpj?: string };
    if (!cpfCnpj) throw new PedidoErrado('informe cpfCnpj');
    simulador.revogados.add(cpfCnpj);
    return [...simulador.revogados];
  },
  'POST /consentimentos': ({ simulador }, corpo) => {
    simulador.consentimentos = new Set(parse(corpo) as string[]);
    return [...simulador.consentimentos];
  },
  'GET /relatorio': ({ simulador }) => simulador.relatorio.toJSON(),
};

/** Answers a request to the control port. */
export async function control(controle: Controle, req: IncomingMessage, res: ServerResponse): Promise<void> {
  let corpo = '';
  req.setEncoding('utf8');
  for await (const part of req) corpo += part;
  const action = ACOES[`${req.method} ${req.url}`];
  const [status, answer] = action ? run(action, controle, corpo) : [404, { acoes: Object.keys(ACOES) }];
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(answer));
}

function run(action: Acao, controle: Controle, corpo: string): [number, unknown] {
  try {
    return [200, action(controle, corpo)];
  } catch (error) {
    if (error instanceof PedidoErrado || error instanceof DocumentoDesconhecido)
      return [400, { mensagem: error.message }];
    throw error;
  }
}

function parse(corpo: string): unknown {
  try {
    return JSON.parse(corpo || '{}');
  } catch {
    throw new PedidoErrado('o corpo não é JSON');
  }
}

function moveClock({ relogio }: Controle, corpo: string): unknown {
  const { avancar_ms, agora } = parse(corpo) as { avancar_ms?: number; agora?: string };
  if (typeof avancar_ms === 'number') relogio.advance(avancar_ms);
  else if (agora && !Number.isNaN(Date.parse(agora))) relogio.set(Date.parse(agora));
  else throw new PedidoErrado('informe avancar_ms (número) ou agora (ISO 8601)');
  return { agora: new Date(relogio.now()).toISOString() };
}

function readFalha(value: unknown): Falha {
  const falha = value as Falha;
  if (!TIPOS_DE_FALHA.includes(falha.tipo))
    throw new PedidoErrado(`tipo é um de: ${TIPOS_DE_FALHA.join(', ')}`);
  return falha;
}
