import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'node:test';
import { ZipFile } from 'yazl';
import { scanXml } from '../../fiscal/xml/scan.ts';
import { installEsquemas, listEsquemas, loadEsquemas } from './esquemas-instalados.ts';

const NAMESPACE = 'http://www.portalfiscal.inf.br/nfe';
let dataFolder: string;
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'malote-esquemas-'));
});
afterEach(() => rmSync(dataFolder, { recursive: true }));

/** A schema that knows a note of layout 9.99 with one element of the given name. */
const schema = (inner: string) =>
  `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="${NAMESPACE}" elementFormDefault="qualified"><xs:element name="NFe"><xs:complexType><xs:sequence><xs:element name="infNFe"><xs:complexType><xs:sequence><xs:element name="${inner}"/></xs:sequence><xs:attribute name="versao"/></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element></xs:schema>`;
const MAIN = 'nfe_v9.99.xsd';

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function install(nome: string, files: Record<string, string>, now = Date.UTC(2026, 5, 1)) {
  return installEsquemas(
    { config: { dataFolder }, clock: { now: () => now } },
    { nome, zip: await zipOf(files) },
  );
}

function note(inner: string, layout = '9.99') {
  const scan = scanXml(
    Buffer.from(`<NFe xmlns="${NAMESPACE}"><infNFe versao="${layout}"><${inner}/></infNFe></NFe>`),
  );
  assert.ok(scan.ok);
  return scan.tree;
}

it('has the official package that npm brings, without any installation', () => {
  const [packaged] = listEsquemas({ dataFolder });
  assert.match(packaged?.origem ?? '', /^npm:/);
  assert.ok(packaged?.principais.includes('procNFe_v4.00.xsd'));
  assert.equal(packaged?.instaladoEm, null);
});

it('judges the answer of an inutilização with letters in its CNPJ by the packaged schema', () => {
  const answer = (cnpj: string) =>
    `<retInutNFe xmlns="${NAMESPACE}" versao="4.00"><infInut><tpAmb>1</tpAmb><verAplic>SP_1</verAplic><cStat>102</cStat><xMotivo>Inutilizacao de numero homologado</xMotivo><cUF>35</cUF><ano>26</ano><CNPJ>${cnpj}</CNPJ><mod>55</mod><serie>1</serie><nNFIni>10</nNFIni><nNFFin>12</nNFFin><dhRecbto>2026-03-01T10:00:00-03:00</dhRecbto><nProt>135260000000001</nProt></infInut></retInutNFe>`;
  const judge = (cnpj: string) => {
    const scan = scanXml(Buffer.from(answer(cnpj)));
    assert.ok(scan.ok);
    return loadEsquemas({ dataFolder }).validar(scan.tree, scan.tree.root).resultado;
  };
  assert.equal(judge('12ABC34501DE35'), 'valido');
  assert.equal(judge('11222333000181'), 'valido');
  assert.equal(judge('112223330001'), 'invalido');
});

it('installs a zip with folders and uses it at once, without a new start', async () => {
  const validador = loadEsquemas({ dataFolder });
  const tree = note('ide');
  assert.equal(validador.validar(tree, tree.root).resultado, 'nao_verificado');
  const report = await install('PL_999', { [`PL_999/xsd/${MAIN}`]: schema('ide'), 'leia-me.txt': 'x' });
  assert.deepEqual(report.principais, [MAIN]);
  assert.equal(validador.validar(tree, tree.root).esquema, `${MAIN} (PL_999)`);
});

it('prefers the package that was installed last, and replaces one of the same name', async () => {
  await install('PL_B', { [MAIN]: schema('velho') }, Date.UTC(2026, 1, 1));
  await install('PL_A', { [MAIN]: schema('meio') }, Date.UTC(2026, 2, 1));
  assert.deepEqual(
    listEsquemas({ dataFolder })
      .slice(0, 2)
      .map((p) => p.nome),
    ['PL_A', 'PL_B'],
  );
  await install('PL_B.zip', { [MAIN]: schema('novo') }, Date.UTC(2026, 3, 1));
  assert.deepEqual(
    listEsquemas({ dataFolder })
      .slice(0, 2)
      .map((p) => p.nome),
    ['PL_B', 'PL_A'],
  );
  const validador = loadEsquemas({ dataFolder });
  const judge = (inner: string) => {
    const tree = note(inner);
    return validador.validar(tree, tree.root).resultado;
  };
  assert.deepEqual([judge('velho'), judge('novo'), judge('meio')], ['invalido', 'valido', 'valido']);
  assert.deepEqual(readdirSync(join(dataFolder, 'esquemas')).sort(), ['PL_A', 'PL_B']);
});

it('still reads the former package when an installation was killed between its two renames', async () => {
  await install('PL_A', { [MAIN]: schema('ide') });
  renameSync(join(dataFolder, 'esquemas', 'PL_A'), join(dataFolder, 'esquemas', '.antigo-PL_A'));
  mkdirSync(join(dataFolder, 'esquemas', '.novo-meio'));
  assert.equal(listEsquemas({ dataFolder })[0]?.nome, 'PL_A');
});

it('writes nothing when no main schema is there or compiles', async () => {
  await assert.rejects(install('PL_X', { 'leiaute.xsd': schema('ide') }), {
    codigo: 'esquemas_sem_principal',
  });
  await assert.rejects(install('PL_X', { [MAIN]: '<xs:schema' }), { codigo: 'esquemas_sem_principal' });
  await assert.rejects(install('../fora', { [MAIN]: schema('ide') }), { codigo: 'esquemas_nome_invalido' });
  await assert.rejects(
    installEsquemas(
      { config: { dataFolder }, clock: { now: () => 0 } },
      { nome: 'PL_X', zip: Buffer.from('isto não é zip') },
    ),
    { codigo: 'esquemas_zip_invalido' },
  );
  assert.equal(existsSync(join(dataFolder, 'esquemas')), false);
});

it('refuses a zip of two packages, whose equal names would mix', async () => {
  await assert.rejects(install('PL_X', { [`a/${MAIN}`]: schema('um'), [`b/${MAIN}`]: schema('dois') }), {
    codigo: 'esquemas_repetidos',
  });
});
