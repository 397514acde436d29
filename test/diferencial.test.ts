import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { scanFast } from '../src/fiscal/camadas.ts';
import { loadPacotes } from '../src/importacao/standards/esquemas-instalados.ts';
import { CORPUS, readAcervo, SEM_ACERVO } from './acervo/amostras.ts';
import { correr } from './diferencial/campanha.ts';
import { Comparador } from './diferencial/comparar.ts';
import { DIRIGIDOS } from './diferencial/dirigidos.ts';
import { deixadosALibxml2 } from './diferencial/leiautes.ts';
import { judgeModelos } from './diferencial/modelos.ts';
import { judgeTipos } from './diferencial/tipos.ts';
import { todasAsSementes } from './sementes/todas.ts';

/** `npm run diferencial` makes a million, of real documents too. */
const QUANTOS = 2_000;

/** The rest of the official schemas the fast tier judges by itself; what a newer package adds is seen here. */
const DEIXADOS = {
  'procAverbNFe_v1.00.xsd': 'http://www.portalfiscal.inf.br/nfe TCOrgaoIBGE is defined twice',
  'procEventoNFe_v99.99.xsd': 'http://www.portalfiscal.inf.br/nfe TCOrgaoIBGE is defined twice',
};

const pacotes = loadPacotes({ dataFolder: import.meta.dirname });

describe('the fast tier', () => {
  let comparador: Comparador;
  before(() => {
    comparador = new Comparador(pacotes);
  });
  after(() => comparador.dispose());

  const compare = (bytes: Uint8Array, nome = 'nota.xml') =>
    comparador.comparar({ bytes, nome }, { confirmar: true });

  for (const { nome, texto, aceito } of DIRIGIDOS) {
    it(`agrees with the slow one: ${nome}`, () => {
      const bytes = Buffer.from(texto);
      if (aceito !== null && !texto.startsWith('\ufeff'))
        assert.equal(scanFast(bytes, 'ambas') !== null, aceito);
      assert.equal(compare(bytes).falta, null);
    });
  }

  it('judges all that the schemas that come with Malote say, but for what is listed', () => {
    assert.deepEqual(deixadosALibxml2(pacotes), DEIXADOS);
  });

  it('agrees with it on mutants of every family', () => {
    const total = correr({
      semente: 'npm test',
      de: 0,
      ate: QUANTOS,
      sementes: todasAsSementes(),
      pacotes,
      confirmarCada: 40,
    });
    assert.deepEqual(total.faltas, []);
    assert.ok(total.aceitos > QUANTOS / 2, `${total.aceitos} taken`);
    assert.ok(total.validos > QUANTOS / 20, `${total.validos} valid`);
    assert.ok(total.confirmadas > 0);
  });

  it('takes no text for a simple type that libxml2 refuses', () => {
    const { faltas, tipos, textos, aceitos, noCaminho } = judgeTipos(pacotes, {
      semente: 'npm test',
      textosPorTipo: 60,
    });
    assert.deepEqual(faltas, []);
    assert.ok(noCaminho > aceitos / 2, `${noCaminho} of ${aceitos} judged on the way`);
    assert.ok(tipos > 200 && aceitos > textos / 10, `${tipos} types, ${aceitos} of ${textos} texts taken`);
  });

  it('takes no content for a model made by chance that libxml2 refuses', () => {
    const { faltas, modelos, aceitos, conteudos } = judgeModelos({
      semente: 'npm test',
      quantos: 400,
      conteudosPorModelo: 60,
    });
    assert.deepEqual(faltas, []);
    assert.ok(
      modelos > 50 && aceitos > conteudos / 20,
      `${modelos} models, ${aceitos} of ${conteudos} taken`,
    );
  });

  it('agrees with it on every real document', { skip: existsSync(CORPUS) ? false : SEM_ACERVO }, () => {
    const different = readAcervo().filter(({ bytes, nome }) => compare(bytes, nome).falta !== null);
    assert.deepEqual(
      different.map(({ nome }) => nome),
      [],
    );
  });
});
