/** A database that neither answers nor refuses: the service must say so, soon, and go on when it is there again. */
import { setTimeout as delay } from 'node:timers/promises';
import { segundos } from '../../confiabilidade/cenario.ts';
import { ate } from '../../confiabilidade/processo.ts';
import { type Resposta, send } from '../../support/pedido.ts';
import type { Ataque } from '../ataque.ts';
import type { Campo } from '../campo.ts';

const PARADO_MS = 15_000;
const RESPONDE_EM_MS = 10_000;
const READYZ_EM_MS = 2_000;
const VOLTA_EM_MS = 10_000;
/** Tells what takes too long from what never comes. */
const DESISTE_EM_MS = 40_000;

interface Medida {
  onde: string;
  status: number;
  ms: number;
  /** When the answer came, on the clock of `performance`. */
  em: number;
}

async function medir(onde: string, pedir: () => Promise<Resposta | null>): Promise<Medida> {
  const since = performance.now();
  const answer = await pedir();
  const em = performance.now();
  return { onde, status: answer?.status ?? 0, ms: em - since, em };
}

function perguntas(campo: Campo, pessoa: { cookie: string }): Promise<Medida>[] {
  const { atacante, envios, servico } = campo;
  const livre = (path: string, headers: [string, string][] = []) =>
    send({ method: 'GET', url: servico.url + path, headers, withinMs: DESISTE_EM_MS }).catch(() => null);
  const feed = `/api/v1/${atacante.codigoCrm}/${atacante.cliente.id}`;
  return [
    medir('/readyz', () => livre('/readyz')),
    medir('novos', () => envios.pedir(`${feed}/documentos/0/novos?Tamanho=50`)),
    medir('nfe', () => envios.pedir(`${feed}/nfe?DataInicial=2026-01-01`)),
    medir('bilhete', () =>
      envios.pedir('/storage', { method: 'POST', json: { size: 9, extension: '.xml' } }),
    ),
    medir('console', () => livre('/console/api/inicio', [['Cookie', pessoa.cookie]])),
  ];
}

/** What the answers of one place break: the slowest of them, and what cannot be true. @param voltouEm when the database went on */
function faltasDe(onde: string, measured: readonly Medida[], voltouEm: number): string[] {
  const limit = onde === '/readyz' ? READYZ_EM_MS : RESPONDE_EM_MS;
  const slowest = Math.max(...measured.map(({ ms }) => ms));
  const statuses = new Set(measured.map(({ status }) => status));
  const early = measured.some(({ status, em }) => status === 200 && em < voltouEm);
  return [
    ...(slowest > limit ? [`${onde} respondeu só em ${segundos(slowest)}`] : []),
    ...(onde === '/readyz' && early ? ['/readyz diz que está pronto com o banco parado'] : []),
    ...[...statuses]
      .filter((status) => status !== 503 && status !== 200)
      .map((status) => `${onde} respondeu ${status || 'nada'} com o banco parado`),
  ];
}

export const bancoParado: Ataque = {
  nome: 'banco-parado',
  titulo: 'PostgreSQL que não responde (SIGSTOP)',
  motores: ['postgres'],
  comServidorProprio: true,
  async preparar(campo) {
    const { servidor, vizinho, servico } = campo;
    if (!servidor) throw new Error('the attack needs a server of its own');
    const pessoa = await campo.pessoa(campo.atacante);
    return async () => {
      // What others wait for while nothing can be answered is not the attack's doing.
      await vizinho.parar();
      const measured: Medida[] = [];
      {
        await using _parado = servidor.congelar();
        const fim = performance.now() + PARADO_MS;
        const asked: Promise<Medida>[] = [];
        while (performance.now() < fim) {
          asked.push(...perguntas(campo, pessoa));
          await delay(PARADO_MS / 5);
        }
        void Promise.all(asked).then((all) => measured.push(...all));
      }
      const backAt = performance.now();
      const back = await ate(async () => {
        const ready = await send({
          method: 'GET',
          url: `${servico.url}/readyz`,
          headers: [],
          withinMs: READYZ_EM_MS,
        }).catch(() => null);
        return ready?.status === 200;
      }, VOLTA_EM_MS * 3);
      const voltouMs = performance.now() - backAt;
      vizinho.iniciar();
      await ate(() => measured.length > 0, DESISTE_EM_MS);
      const worst = Math.max(...measured.map(({ ms }) => ms));
      const porLugar = Map.groupBy(measured, ({ onde }) => onde);
      const faltas = [...porLugar].flatMap(([onde, all]) => faltasDe(onde, all, backAt));
      if (!back || voltouMs > VOLTA_EM_MS) faltas.push(`voltou só ${segundos(voltouMs)} depois do banco`);
      return {
        feito: `o servidor do banco parado por ${segundos(PARADO_MS)}, e ${measured.length} pedidos nesse tempo`,
        medido: `a resposta mais lenta em ${segundos(worst)}; pronto ${segundos(voltouMs)} depois`,
        faltas,
      };
    };
  },
};
