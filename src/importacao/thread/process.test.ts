import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PecaLida } from '../../documentos/tipos.ts';
import { ITENS_MAX, LOTE_ENTRADAS } from '../limites.ts';
import { emptyMetrics } from '../metrics.ts';
import type { Leitor } from '../reading/leitores.ts';
import { judged } from '../reading/pecas.ts';
import { Vagas } from '../reading/vagas.ts';
import type { ArquivoAberto, Gravador } from '../storing/gravar.ts';
import type { EntradaParaLer } from '../tipos.ts';
import { processEntradas } from './process.ts';

const PECA: PecaLida = {
  caminho: 'chaves.txt',
  especie: 'Outro',
  kind: 'ignorado',
  sha256: null,
  codigo: 'outro_arquivo',
  mensagem: '',
};

/** Of an entry: worth giving back. */
const BYTES = 4_096;

/** Reads entries, each of which is so many pieces, and counts them. */
async function processar(entradas: number, pecasDeCada: number, segundosDeUmLote = 0) {
  const lidas: PecaLida[][] = [];
  let fim = false;
  let gravados = 0;
  let desempacotadas = 0;
  let lidos = 0;
  /** What entries were, and what the bytes of pieces lie in. */
  const [bytesDasEntradas, memorias]: [Uint8Array[], Uint8Array[]] = [[], []];
  /** Batches that were unpacked and not read: the most there were at a time once one was read. */
  let aFrente = 0;
  /** Batches are read one after another, each when no more is unpacked: how far ahead that is does not hang on the machine. */
  let turno: Promise<void> = Promise.resolve();
  async function unpackedAsFarAsItGoes(): Promise<void> {
    for (let [antes, voltas] = [desempacotadas, 0]; voltas < 3; voltas++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (desempacotadas > antes) [antes, voltas] = [desempacotadas, 0];
    }
  }
  async function* conteudos(): AsyncGenerator<EntradaParaLer> {
    for (; desempacotadas < entradas; desempacotadas++) {
      if (lidos > entradas / 2) aFrente = Math.max(aFrente, (desempacotadas - lidos) / LOTE_ENTRADAS);
      const bytes = new Uint8Array(BYTES);
      bytesDasEntradas.push(bytes);
      yield { caminho: 'chaves.txt', bytes };
    }
  }
  const leitor: Pick<Leitor, 'atOnce' | 'read'> = {
    atOnce: 10,
    read: async (lote) => {
      turno = turno.then(unpackedAsFarAsItGoes);
      await turno;
      lidos += lote.length;
      const pecas = lote.map((entrada) =>
        'bytes' in entrada ? new Array<PecaLida>(pecasDeCada).fill(PECA) : [judged(entrada)],
      );
      const memoria = new Uint8Array(BYTES);
      memorias.push(memoria);
      return { pecas, memorias: [memoria], segundos: segundosDeUmLote };
    },
  };
  const gravador: Pick<Gravador, 'expect' | 'add'> = {
    expect: () => () => {},
    add: async (input) => {
      assert.equal(fim, false);
      const lote = gravados++;
      await new Promise((resolve) => setImmediate(resolve));
      if (input.entradas.length > 0)
        assert.equal(memorias[lote]?.length ?? BYTES, BYTES, 'its memory is there while it is stored');
      fim = input.ultima;
      lidas.push(...input.entradas);
    },
  };
  await processEntradas(
    {
      leitor: leitor as Leitor,
      gravador: gravador as Gravador,
      emVoo: new Vagas(24_000_000),
      descompactando: null,
      metricas: emptyMetrics(),
    },
    {
      entradas: conteudos(),
      arquivo: { tarefa: { contadorId: 1 } } as ArquivoAberto,
      signal: new AbortController().signal,
    },
  );
  assert.equal(fim, true);
  const ocupados = [...bytesDasEntradas, ...memorias].reduce((sum, { length }) => sum + length, 0);
  return { pecas: lidas.flat(), desempacotadas, aFrente: Math.floor(aFrente), ocupados };
}

describe('an upload', () => {
  it('with more items than are kept of one is read no further, and says so', async () => {
    const { pecas, desempacotadas } = await processar(20_000, 1_000);
    assert.ok(desempacotadas < 1_000, `${desempacotadas} entries were unpacked`);
    assert.ok(pecas.length < 3 * ITENS_MAX, `${pecas.length} items`);
    const ultima = pecas.at(-1);
    assert.equal(ultima?.kind === 'rejeitado' && ultima.rejeicao.codigo, 'itens_demais');
  });

  it('with as many as usual is read to its end', async () => {
    const { pecas } = await processar(20_000, 1);
    assert.equal(pecas.length, 20_000);
    assert.ok(pecas.every(({ kind }) => kind === 'ignorado'));
  });

  it('leaves none of the memory that its entries and pieces had', async () => {
    const { desempacotadas, ocupados } = await processar(500, 1);
    assert.deepEqual({ desempacotadas, ocupados }, { desempacotadas: 500, ocupados: 0 });
  });

  it('that is slow to read has little of it unpacked ahead: the room is of all files', async () => {
    const [fast, slow] = [await processar(2_000, 1, 0.01), await processar(2_000, 1, 2)];
    assert.ok(fast.aFrente >= 9, `${fast.aFrente} batches ahead`);
    assert.ok(slow.aFrente <= 3, `${slow.aFrente} batches ahead`);
  });
});
