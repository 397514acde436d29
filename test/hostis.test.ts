import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { lerConteudo } from '../src/fiscal/ler.ts';
import type { Peca } from '../src/fiscal/tipos.ts';
import { ASSINATURAS } from './hostis/assinaturas.ts';
import { BYTES } from './hostis/bytes.ts';
import { campanha, type Resultado } from './hostis/campanha.ts';
import { CODIFICACAO } from './hostis/codificacao.ts';
import { ESTRUTURA } from './hostis/estrutura.ts';
import { mutante } from './hostis/mutacoes.ts';
import { Oraculo } from './hostis/oraculo.ts';
import { type Semente, todasAsSementes } from './sementes/todas.ts';

/** `npm run hostis` reads many more, and changes real documents too. */
const QUANTOS = 1_500;
const SEMENTE = 'npm test';
const MEMORY_BYTES = 200_000_000;

type Lida = Extract<Peca, { resultado: 'lida' }>;

const validador = {
  validar: () => ({ resultado: 'nao_verificado' as const, esquema: null, motivo: null }),
};
const read = ({ bytes, nome }: Pick<Semente, 'bytes' | 'nome'>) =>
  lerConteudo({ bytes, nome }, { validador });

describe('hostile files', () => {
  let sementes: Semente[] = [];
  let result: Resultado;

  before(async () => {
    sementes = todasAsSementes();
    result = await campanha({ semente: SEMENTE, quantos: QUANTOS, sementes });
  });

  const faults = (...tipos: string[]) => result.faltas.filter(({ tipo }) => tipos.includes(tipo));

  it('are all read, each into at least one piece, and none throws', () => {
    assert.equal(result.lidos, QUANTOS);
    assert.deepEqual(faults('excecao', 'vazio'), []);
  });

  it('are read within two seconds of processor time each', () => {
    assert.deepEqual(faults('demora', 'parada'), []);
  });

  it('leave no memory behind', () => {
    assert.ok(result.crescimento < MEMORY_BYTES, `${Math.round(result.crescimento / 1e6)} MB`);
  });

  it('are called intact only where what was read is what was signed', () => {
    assert.deepEqual(faults('integra_falsa'), []);
    assert.ok(result.conferidas > QUANTOS / 20, `${result.conferidas} compared`);
  });

  it('are made of every family in every way, the same at each run', () => {
    const made = Array.from({ length: QUANTOS }, (_, n) => mutante({ semente: SEMENTE, n, sementes }));
    const done = new Set(made.flatMap(({ feito }) => feito.map((one) => one.slice(one.indexOf('.') + 1))));
    const known = [BYTES, ESTRUTURA, CODIFICACAO, ASSINATURAS].flatMap(Object.keys);
    assert.deepEqual(
      known.filter((name) => !done.has(name)),
      [],
    );
    const families = new Set(made.map(({ familia }) => familia));
    assert.deepEqual(
      sementes.filter(({ familia }) => !families.has(familia)),
      [],
    );
    const again = mutante({ semente: SEMENTE, n: 7, sementes: todasAsSementes() });
    assert.deepEqual(again, made[7]);
  });
});

describe('the judge of what is called intact', () => {
  const sementes = todasAsSementes();
  const intact = sementes.flatMap((seed) =>
    read(seed).filter(
      (piece): piece is Lida => piece.resultado === 'lida' && piece.assinatura.resultado === 'integra',
    ),
  );
  const oraculo = new Oraculo();
  for (const seed of sementes) oraculo.learn(read(seed));

  it('knows an intact document of every signed family', () => {
    assert.ok(intact.length >= 20, `${intact.length}`);
    for (const piece of intact) assert.equal(oraculo.judge(piece), null);
  });

  it('sees a digit that was changed in the signed content', () => {
    for (const piece of intact) {
      const text = Buffer.from(piece.bytes).toString('utf8');
      const changed = text.replace(
        /(<(?:vNF|xNome|nProt|xJust|descEvento|vTPrest|vCFe|nNFSe|xMotivo|Numero|nNFIni)>)/,
        '$17',
      );
      assert.notEqual(changed, text, text.slice(0, 200));
      assert.match(oraculo.judge({ ...piece, bytes: Buffer.from(changed) }) ?? '', /differs/);
    }
  });

  it('sees a value that was read from elsewhere than from the signed content', () => {
    for (const piece of intact) {
      const registro = { ...piece.registro, modelo: '99' } as unknown as Lida['registro'];
      assert.match(oraculo.judge({ ...piece, registro }) ?? '', /otherwise/);
    }
  });
});
