/** A stranger who tries passwords must not keep the owner of the account out. */
import { setTimeout as delay } from 'node:timers/promises';
import { createConta } from '../../../src/cli/conta.ts';
import { segundos } from '../../confiabilidade/cenario.ts';
import { Navegador } from '../../support/console.ts';
import { withDeps } from '../../support/malote.ts';
import { send } from '../../support/pedido.ts';
import type { Ataque } from '../ataque.ts';
import { esperaPedida } from '../vizinho.ts';

const CRM = '000903';
const EMAIL = 'dona@exemplo.com.br';
const SENHA = 'cadeira-nublada-tamborim';
const ANSWER_WITHIN_MS = 30_000;

export const senhas: Ataque = {
  nome: 'senhas',
  titulo: 'senhas erradas de um estranho; a dona da conta entra com a certa',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const tentativas = campo.quanto(14, 200);
    const conta = await withDeps(campo.pasta, (deps) =>
      createConta(deps, { crm: CRM, nome: 'Escritório', email: EMAIL }),
    );
    const codigo = new URL(conta.convite_console).hash.slice(1);
    const made = await new Navegador(campo.servico.url).ask('/convite/aceitar', {
      json: { codigo, nome: 'Ana Prado', senha: SENHA },
    });
    if (made.status !== 200) throw new Error(`no account: ${made.status}`);
    /** From an address of its own, as all of 127.0.0.0/8 is this machine's. */
    const entrar = (senha: string, from: string) =>
      send({
        method: 'POST',
        url: `${campo.servico.url}/console/api/entrar`,
        headers: [['Content-Type', 'application/json']],
        body: JSON.stringify({ email: EMAIL, senha }),
        from,
        withinMs: ANSWER_WITHIN_MS,
      }).catch(() => null);
    return async () => {
      const recusas = new Map<number, number>();
      for (let n = 0; n < tentativas; n++) {
        const answer = await entrar(`errada-${n}-de-um-estranho`, `127.0.0.${2 + (n % 50)}`);
        const status = answer?.status ?? 0;
        recusas.set(status, (recusas.get(status) ?? 0) + 1);
      }
      const since = performance.now();
      let entrou = false;
      while (!entrou && performance.now() - since < campo.esperaMaxMs) {
        const answer = await entrar(SENHA, '127.0.0.1');
        entrou = answer?.status === 200;
        if (!entrou) await delay(Math.min(esperaPedida(answer), 1_000));
      }
      const told = [...recusas].map(([status, count]) => `${count} × ${status}`).join(', ');
      const ms = performance.now() - since;
      return {
        feito: `${tentativas} senhas erradas de 50 endereços (${told})`,
        medido: entrou ? `a dona entrou em ${segundos(ms)}` : `a dona não entrou em ${segundos(ms)}`,
        faltas: entrou ? [] : ['a dona da conta não entra com a senha certa'],
      };
    };
  },
};
