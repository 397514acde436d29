/** The numbers of the tabs, from the daily counts that are kept with the rows. */
import type { Static } from 'typebox';
import { diaDe } from '../../fiscal/dia.ts';
import type { Alcance } from '../acesso.ts';
import { contagensDeSempre } from './contagens-de-sempre.ts';
import { type EspecieDaLista, MODELOS_DA_ESPECIE } from './filtro.ts';
import { type Contagem, sumContagens } from './queries-contagens.ts';
import type { Leitor } from './queries-janela.ts';
import type { Contagens } from './schemas-documentos.ts';

const ABAS = ['nfe', 'nfce', 'cfe', 'cte', 'nfse', 'outras'] as const satisfies readonly EspecieDaLista[];

/** Kept counts of whole days, summed; with neither a client nor a day those of the whole office. */
export function contagensDosDias(db: Leitor, input: Parameters<typeof sumContagens>[1]): Promise<Contagem[]> {
  const { contadorId, alcance, primeiroDia, ultimoDia } = input;
  const deSempre = alcance === null && primeiroDia === null && ultimoDia === null;
  return deSempre ? contagensDeSempre(db, contadorId) : sumContagens(db, input);
}

export async function contagensDasAbas(
  db: Leitor,
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
      const quantos = (passa: (row: Contagem) => boolean) =>
        linhas.filter(passa).reduce((sum, row) => sum + row.quantidade, 0);
      return {
        especie,
        total: quantos(() => true),
        emitidas: quantos((row) => row.tipo === 'Emitida'),
        recebidas: quantos((row) => row.tipo === 'Recebida'),
        autorizadas: quantos((row) => row.status === 'Autorizada'),
        canceladas: quantos((row) => row.status === 'Cancelada'),
        denegadas: quantos((row) => row.status === 'Denegada'),
        inutilizadas: quantos((row) => row.status === 'Inutilizada'),
        pendentes: quantos((row) => row.status === 'Pendente'),
        cartacorrecao: quantos((row) => row.carta_correcao === 1),
      };
    }),
  };
}
