/** Paths that somebody tries who looks for files: none of them is a fault of ours. */
import { send } from '../../support/pedido.ts';
import type { Ataque } from '../ataque.ts';

const BASES = [
  '',
  '/docs',
  '/docs/static',
  '/console',
  '/console/assets',
  '/console/api',
  '/storage',
  '/upload',
  '/api/v1',
  '/auth',
];
const FINAIS = [
  '/..',
  '/../',
  '/../../etc/passwd',
  '/.',
  '/%2e%2e',
  '/%2e%2e/x',
  '/%2E%2E%2Fx',
  '/..%2fx',
  '/..%5cx',
  '/%00',
  '/x%00.js',
  '/%',
  '/%zz',
  '/%c0%ae%c0%ae/x',
  '/%ff%fe',
  '/%252e%252e/x',
  '/~',
  '/.env',
  '/\\..\\x',
  '/;/x',
  '//x',
  `/${'a'.repeat(5_000)}`,
  `/${'../'.repeat(200)}x`,
  `/${'%2e%2e%2f'.repeat(200)}x`,
];
const METODOS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
const ANSWER_WITHIN_MS = 10_000;

export const caminhos: Ataque = {
  nome: 'caminhos',
  titulo: 'caminhos codificados, com pontos, bytes nulos e sequências inválidas',
  motores: ['sqlite'],
  async preparar(campo) {
    const methods = campo.curto ? METODOS.slice(0, 1) : METODOS;
    return async () => {
      const faltas = new Set<string>();
      const counts = new Map<number, number>();
      for (const method of methods) {
        for (const rawPath of BASES.flatMap((base) => FINAIS.map((end) => base + end))) {
          const answer = await send({
            method,
            url: campo.servico.url,
            rawPath,
            headers: [],
            withinMs: ANSWER_WITHIN_MS,
          }).catch(() => null);
          const status = answer?.status ?? 0;
          counts.set(status, (counts.get(status) ?? 0) + 1);
          if (status === 0 || status >= 500)
            faltas.add(`${method} ${rawPath.slice(0, 60)} responde ${status || 'nada'}`);
        }
      }
      const told = [...counts].sort(([a], [b]) => a - b).map(([status, n]) => `${n} × ${status}`);
      return {
        feito: `${methods.length * BASES.length * FINAIS.length} pedidos com caminhos estranhos`,
        medido: told.join(', '),
        faltas: [...faltas],
      };
    };
  },
};
