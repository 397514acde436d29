import assert from 'node:assert/strict';
import { it } from 'node:test';
import { scanXml } from '../xml/scan.ts';
import { chooseSchema } from './escolher.ts';
import { isMainSchema } from './pacote.ts';

const NFE = 'xmlns="http://www.portalfiscal.inf.br/nfe"';

function choose(xml: string) {
  const scan = scanXml(Buffer.from(xml));
  assert.ok(scan.ok);
  return chooseSchema(scan.tree, scan.tree.root);
}
const candidates = (xml: string) => choose(xml).candidatos;
const evento = (tpEvento: string) =>
  `<procEventoNFe ${NFE} versao="1.00"><evento versao="1.00"><infEvento><tpEvento>${tpEvento}</tpEvento></infEvento></evento></procEventoNFe>`;

it('judges a processed note by the layout of its infNFe, not by the version of the wrapper', () => {
  const note = (wrapper: string, layout: string) =>
    `<nfeProc ${NFE} versao="${wrapper}"><NFe><infNFe versao="${layout}"/></NFe></nfeProc>`;
  assert.deepEqual(candidates(note('4.00', '4.00')), ['procNFe_v4.00.xsd']);
  assert.deepEqual(candidates(note('3.10', '4.00')), ['procNFe_v4.00.xsd']);
  assert.deepEqual(candidates(note('3.10', '3.10')), ['procNFe_v3.10.xsd']);
});

it('judges a bare note, an inutilização and its answer by their own files', () => {
  assert.deepEqual(candidates(`<NFe ${NFE}><infNFe versao="3.10"/></NFe>`), ['nfe_v3.10.xsd']);
  assert.deepEqual(candidates(`<ProcInutNFe ${NFE} versao="4.00"/>`), ['procInutNFe_v4.00.xsd']);
  assert.deepEqual(candidates(`<retInutNFe ${NFE} versao="3.10"/>`), ['retInutNFe_v3.10.xsd']);
});

it('judges an event by the schema of its kind, with the general one to fall back on', () => {
  assert.deepEqual(candidates(evento('110111')), ['procEventoCancNFe_v1.00.xsd', 'procEventoNFe_v1.00.xsd']);
  assert.deepEqual(candidates(evento('210240')), ['procConfRecebtoNFe_v1.00.xsd', 'procEventoNFe_v1.00.xsd']);
  assert.deepEqual(candidates(evento('112110')), ['procEventoNFe_v1.00.xsd']);
});

it('judges the family of the CT-e by root and layout of its signed group, when such a package is installed', () => {
  const CTE = 'xmlns="http://www.portalfiscal.inf.br/cte"';
  const wrapped = (wrapper: string, element: string) =>
    `<${wrapper} ${CTE} versao="3.00"><${element}><infCte versao="4.00"/></${element}></${wrapper}>`;
  const rows = [
    ['cteProc', 'CTe', 'procCTe', 'cte'],
    ['cteOSProc', 'CTeOS', 'procCTeOS', 'cteOS'],
    ['cteSimpProc', 'CTeSimp', 'procCTeSimp', 'cteSimp'],
    ['GTVeProc', 'GTVe', 'procGTVe', 'GTVe'],
  ] as const;
  for (const [wrapper, element, processed, bare] of rows) {
    assert.deepEqual(candidates(wrapped(wrapper, element)), [`${processed}_v4.00.xsd`]);
    const alone = `<${element} ${CTE}><infCte versao="4.00"/></${element}>`;
    assert.deepEqual(candidates(alone), [`${bare}_v4.00.xsd`]);
    assert.ok(isMainSchema(`${processed}_v4.00.xsd`) && isMainSchema(`${bare}_v4.00.xsd`), element);
  }
  for (const root of ['procEventoCTe', 'procInutCTe', 'retInutCTe']) {
    assert.deepEqual(candidates(`<${root} ${CTE} versao="3.00"/>`), [`${root}_v3.00.xsd`]);
    assert.ok(isMainSchema(`${root}_v3.00.xsd`), root);
  }
  assert.match(
    choose(`<CTe ${CTE}><infCte versao="2.00"/></CTe>`).motivo,
    /cte_v2\.00\.xsd.*esquemas do CT-e/,
  );
  assert.match(choose('<cteProc/>').motivo, /não declara o namespace .*\/cte;/);
  assert.deepEqual(candidates(`<enviCTe ${CTE} versao="3.00"/>`), []);
});

it('says which package is missing', () => {
  assert.match(
    choose(`<NFe ${NFE}><infNFe versao="2.00"/></NFe>`).motivo,
    /2\.00.*nfe_v2\.00\.xsd.*malote esquemas instalar/,
  );
});

it('says why nothing can judge a document of another namespace, of none, or without version', () => {
  assert.match(choose('<NFe><infNFe versao="4.00"/></NFe>').motivo, /não declara o namespace/);
  assert.match(choose('<NFe xmlns="urn:x"/>').motivo, /urn:x/);
  assert.match(choose(`<NFe ${NFE}/>`).motivo, /não informa a versão/);
  assert.match(choose(`<NFe ${NFE}><infNFe versao="../../x"/></NFe>`).motivo, /não é uma versão/);
  assert.match(choose(`<outro ${NFE} versao="1.00"/>`).motivo, /elemento outro/);
  assert.deepEqual(candidates(`<outro ${NFE} versao="1.00"/>`), []);
});

it('judges a national NFS-e and its event by their layout, and no municipal one', () => {
  const NFSE = 'xmlns="http://www.sped.fazenda.gov.br/nfse"';
  assert.deepEqual(candidates(`<NFSe ${NFSE} versao="1.01"><infNFSe/></NFSe>`), ['NFSe_v1.01.xsd']);
  assert.deepEqual(candidates(`<NFSe ${NFSE}><infNFSe versao="1.00"/></NFSe>`), ['NFSe_v1.00.xsd']);
  assert.deepEqual(candidates(`<evento ${NFSE} versao="1.00"/>`), ['evento_v1.00.xsd']);
  assert.match(choose(`<NFSe ${NFSE} versao="1.01"/>`).motivo, /NFSe_v1\.01\.xsd.*NFS-e nacional/);
  assert.deepEqual(candidates('<CompNfse xmlns="http://www.abrasf.org.br/nfse.xsd"/>'), []);
  assert.match(choose('<CompNfse xmlns="http://www.abrasf.org.br/nfse.xsd"/>').motivo, /abrasf/);
});
