/** The numbers of the tabs, from the daily counts that are kept with the rows. */

import type { Static } from 'typebox';
import type { Db } from '../../banco/tabelas.ts';
import { diaDe } from '../../fiscal/dia.ts';
import type { Alcance } from '../acesso.ts';
import { contagensDeSempre } from './contagens-de-sempre.ts';
import { type EspecieDaLista, MODELOS_DA_ESPECIE, type Regras } from './filtro.ts';
import { type Contagem, sumContagens } from './queries-contagens.ts';
import type { Contagens } from './schemas-documentos.ts';

const ABAS = ['nfe', 'nfce', 'cfe', 'cte', 'nfse', 'outras'] as const satisfies readonly EspecieDaLista[];

/** Kept counts of whole days, summed; with neither a client nor a day those of the whole office. */
export function contagensDosDias(db: Db, input: Parameters<typeof sumContagens>[1]): Promise<Contagem[]> {
  const { contadorId, alcance, primeiroDia, ultimoDia } = input;
  const deSempre = alcance === null && primeiroDia === null && ultimoDia === null;
  return deSempre ? contagensDeSempre(db, contadorId) : sumContagens(db, input);
}

export async function contagensDasAbas(
  db: Db,
  input: {
    contadorId: number;
    alcance: Alcance;
    /** ms UTC, from included, to excluded; both at the ends of days. */
    emissao: { de: number | null; ate: number | null };
  },
): Promise<Static<typeof Contagens>> {
  const { contadorId, alcance, emissao } = input;
  const contagens = await contagensDosDias(db, {
    contadorId,
    alcance,
    primeiroDia: emissao.de === null ? null : diaDe(emissao.de),
    ultimoDia: emissao.ate === null ? null : diaDe(emissao.ate - 1),
  });
  return {
    especies: ABAS.map((especie) => {
      const modelos: readonly string[] = MODELOS_DA_ESPECIE[especie];
      const linhas = contagens.filter((row) => modelos.includes(row.modelo));
      const quantos = (regras: Partial<Regras>) => countDocumentos(linhas, { ...SEM_REGRAS, ...regras });
      return {
        especie,
        total: quantos({}),
        emitidas: quantos({ tipo: 'Emitida' }),
        recebidas: quantos({ tipo: 'Recebida' }),
        autorizadas: quantos({ status: 'Autorizada' }),
        canceladas: quantos({ status: 'Cancelada' }),
        denegadas: quantos({ status: 'Denegada' }),
        inutilizadas: quantos({ status: 'Inutilizada' }),
        pendentes: quantos({ status: 'Pendente' }),
        cartacorrecao: quantos({ cartaCorrecao: true }),
      };
    }),
  };
}

const SEM_REGRAS: Regras = { tipo: null, status: null, cartaCorrecao: false };

/** Documents behind listing rows, each once, however many clients have it: on one side, or on any. */
export function countDocumentos(contagens: readonly Contagem[], regras: Regras): number {
  return passam(contagens, regras).reduce(
    (sum, { quantidade, repetidas, repetidasNoTipo }) =>
      sum + quantidade - (regras.tipo === null ? repetidas : repetidasNoTipo),
    0,
  );
}

/** Listing rows: one for each client that has a document. */
export const countLinhas = (contagens: readonly Contagem[], regras: Regras): number =>
  passam(contagens, regras).reduce((sum, { quantidade }) => sum + quantidade, 0);

function passam(contagens: readonly Contagem[], { tipo, status, cartaCorrecao }: Regras) {
  return contagens.filter(
    (row) =>
      (tipo === null || row.tipo === tipo) &&
      (status === null || row.status === status) &&
      (!cartaCorrecao || row.carta_correcao === 1),
  );
}
