/**
 * Documents that are known by key only are asked for where the client may have them: notes of which only an event came, and the
 * client's own NFC-e. Of its own NF-e it is noted that SEFAZ gives them to nobody who issued them.
 */
import type { Trx } from '../banco/tabelas.ts';
import type { Ambiente, Servico } from '../banco/tabelas-captura.ts';
import type { Deps } from '../deps.ts';
import type { Chave } from '../fiscal/tipos.ts';
import { servicoDaChave } from './chaves.ts';
import * as queries from './queries.ts';
import {
  type ChaveConhecida,
  findEscritoriosQueCapturam,
  findProprias,
  findSoComEvento,
} from './queries-faltantes.ts';

/** Of each office and kind at a time; the others follow the next time. */
const DE_UMA_VEZ = 200;
/** "The issuer asks for its own note." */
const DO_EMITENTE = '641';

interface Entrada {
  ambiente: Ambiente;
  /** ms of the steady clock. */
  agora: number;
  /** ms UTC. */
  parede: number;
}

/** @returns how many keys were noted */
export async function askForFaltantes({ db }: Pick<Deps, 'db'>, input: Entrada): Promise<number> {
  let noted = 0;
  for (const contadorId of await findEscritoriosQueCapturam(db.read)) {
    const scope = { contadorId, limite: DE_UMA_VEZ };
    const found = [
      { servico: 'nfe' as const, chaves: await findSoComEvento(db.read, scope) },
      {
        servico: 'nfe' as const,
        chaves: await findProprias(db.read, { ...scope, servico: 'nfe', modelo: '55' }),
      },
      {
        servico: 'nfce' as const,
        chaves: await findProprias(db.read, { ...scope, servico: 'nfce', modelo: '65' }),
      },
    ];
    for (const { servico, chaves } of found) {
      if (chaves.length === 0) continue;
      await db.write.transaction().execute((trx) => anotar(trx, { ...input, contadorId, servico, chaves }));
      noted += chaves.length;
    }
  }
  return noted;
}

async function anotar(
  trx: Trx,
  input: Entrada & { contadorId: number; servico: Servico; chaves: readonly ChaveConhecida[] },
): Promise<void> {
  const { contadorId, servico, ambiente, agora, parede } = input;
  const rows = input.chaves.map(({ chave, cliente_id, cpf_cnpj }) => {
    const where = servicoDaChave(chave as Chave, cpf_cnpj);
    const pode = 'servico' in where;
    return {
      contador_id: contadorId,
      ...{ chave, cliente_id, servico },
      estado: pode ? ('pendente' as const) : ('impossivel' as const),
      por_pessoa: 0 as const,
      pedida_em: parede,
      pedida_por: 'sistema',
      tentada_em: null,
      tentativas: 0,
      resposta: pode ? null : DO_EMITENTE,
    };
  });
  await queries.insertChaves(trx, rows);
  const donos = new Set(input.chaves.map(({ cpf_cnpj }) => cpf_cnpj));
  for (const cpf_cnpj of donos) await queries.wakeChaves(trx, { cpf_cnpj, servico, ambiente, agora });
}
