/** The checks of layouts that offices have taught, and of what waits for one. */
import { readEnsinado } from '../../fiscal/nfse/leiautes/validar-ensinado.ts';
import { abrirGuardado } from '../leiautes/a-ensinar.ts';
import { findTodasAsNotas, findTodosOsLeiautes } from '../leiautes/queries-leiautes.ts';
import type { Leitor } from '../queries-leitura.ts';
import { type Achado, emPaginas, type Linha } from './achados.ts';

/** Rows of a page with bytes of up to some megabytes. */
const POR_PAGINA = 50;

/** What waits has the bytes that its row names, and came in an item that is there. */
export function verifyNotasAEnsinar(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: 0,
    tamanho: Math.min(tamanho, POR_PAGINA),
    keyOf: ({ id }) => id,
    ler: findTodasAsNotas,
    achar: (_trx, rows) =>
      rows.filter(isDamaged).map(({ id, contador_id: contadorId }) => ({
        codigo: 'nota_a_ensinar_divergente',
        mensagem:
          'O arquivo que espera por um leiaute não é o que chegou. Envie de novo o arquivo em que veio.',
        alvo: `arquivo ${id} à espera de um leiaute`,
        ref: { contadorId },
      })),
  });
}

function isDamaged(row: Linha<typeof findTodasAsNotas>): boolean {
  const bytes = abrirGuardado(row);
  return bytes === null || bytes.length !== row.tamanho || Number(row.itens) === 0;
}

/** Each description is one, and says the name that its row has. */
export function verifyLeiautes(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: 0,
    tamanho,
    keyOf: ({ id }) => id,
    ler: findTodosOsLeiautes,
    achar: (_trx, rows) =>
      rows.filter(isOther).map(({ id, leiaute, contador_id: contadorId }) => ({
        codigo: 'leiaute_divergente',
        mensagem:
          'A descrição do leiaute não passa na conferência, ou não é a que a sua linha diz. Retire-o e instale-o de novo.',
        alvo: `leiaute ${leiaute} (${id})`,
        ref: { contadorId },
      })),
  });
}

function isOther({ leiaute, conteudo }: Linha<typeof findTodosOsLeiautes>): boolean {
  const read = readEnsinado(conteudo);
  return !read.ok || read.leiaute.id !== leiaute;
}
