import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { CORPUS, readAcervo, SEM_ACERVO } from '../../../test/acervo/amostras.ts';
import { treeOf } from '../../fiscal/xml/scan.ts';
import type { XmlElement } from '../../fiscal/xml/tree.ts';
import { descricaoDoCodigo } from './codigos.ts';
import { ancoraDe, gruposDe } from './leitura.ts';
import { rotuloDe, temRotulo, tipoDoCampo, tituloDe, valorNormal } from './rotulos.ts';

/** Kinds of the collection whose documents have a page in the console. */
const FAMILIAS =
  /^(nfse-(nacional|abrasf|dps)|nfc?e(Proc|-semprot)|cte(Proc|OS|Simp)|procEvento|inutNFe|cfe)/;
/** Elements of documents that somebody made up, or of the envelope around them. */
const DE_NENHUM_LEIAUTE = new Set(['invalid', 'AnyElement', 'NFCe']);

const skip = existsSync(CORPUS) ? false : SEM_ACERVO;

it('a value has the form of its kind, whatever its layout writes', () => {
  for (const [name, value, normal, tipo] of [
    ['dEmi', '20260309', '2026-03-09', 'data'],
    ['hEmi', '143005', '14:30:05', 'texto'],
    ['dhEmi', '2026-03-09T12:00:00-03:00', '2026-03-09T12:00:00-03:00', 'data'],
    ['nCFe', '000012', '000012', 'texto'],
    ['vCFe', '841.94', '841.94', 'moeda'],
    ['BaseCalculo', '4007.36', '4007.36', 'moeda'],
    ['valor_total', '1.500,00', '1500.00', 'moeda'],
    ['ValorServicos', '1500,00', '1500.00', 'moeda'],
    ['Numero', '1,50', '1,50', 'texto'],
  ] as const) {
    assert.equal(valorNormal(name, value), normal, name);
    assert.equal(tipoDoCampo(name, normal), tipo, name);
  }
});

it('what bills say is called by words, not by the names of their elements', () => {
  for (const [name, rotulo] of [
    ['tpFat', 'Tipo de faturamento'],
    ['chNFComLocal', 'Chave da NFCom da operadora local'],
    ['dVencFat', 'Vencimento da fatura'],
    ['infNF3e', 'NF3e'],
  ] as const)
    assert.equal(rotuloDe(name), rotulo);
});

describe('codes', () => {
  it('of NFS-e have their words, and not those of NF-e where the name is the same', () => {
    const words = (name: string, value: string, parent: string) => descricaoDoCodigo(name, value, parent);
    assert.equal(words('procEmi', '1', 'infDPS'), 'Aplicativo do contribuinte');
    assert.equal(words('procEmi', '1', 'ide'), 'Avulsa, pelo Fisco');
    assert.equal(words('tpEmis', '9', 'infNFSe'), null);
    assert.equal(words('regEspTrib', '6', 'regTrib'), 'Sociedade de profissionais');
    assert.equal(words('tpRetPisCofins', '4', 'piscofins'), 'PIS e COFINS retidos, CSLL não');
    assert.equal(words('CST', '01', 'piscofins'), 'Tributável, alíquota básica');
    assert.equal(words('ExigibilidadeISS', '2', 'Servico'), 'Não incidência');
    assert.equal(words('RegimeEspecialTributacao', '7', 'InfNfse'), null);
  });
});

describe('labels', () => {
  it('are words, not the names of elements', () => {
    assert.equal(rotuloDe('pAliqAplic'), 'Alíquota aplicada');
    assert.equal(rotuloDe('vRetIRRF'), 'IRRF retido');
    assert.equal(rotuloDe('xContato'), 'Contato');
    assert.equal(tituloDe('regTrib'), 'Regimes de tributação');
    assert.equal(tituloDe('e101101'), 'Detalhes do evento');
    assert.equal(tituloDe('evCCeCTe'), 'Carta de correção');
    // Of no layout that anybody knows: as near to words as can be.
    assert.equal(rotuloDe('xNovoCampo'), 'Novo campo');
    assert.equal(rotuloDe('DT_EMISSAO'), 'Data emissão');
    assert.equal(rotuloDe('vISSQNExtra'), 'Valor ISSQN extra');
    assert.equal(rotuloDe('prestadorCpfCnpj'), 'Prestador CPF CNPJ');
    assert.equal(rotuloDe('NumeroNFSeSubstituida'), 'Número NFS-e substituida');
    assert.equal(rotuloDe('constructor'), 'Constructor');
  });

  it('come with how a value is written', () => {
    assert.equal(tipoDoCampo('BaseCalculo', '3100.86'), 'moeda');
    assert.equal(tipoDoCampo('DescontoIncondicionado', '1.00'), 'moeda');
    assert.equal(tipoDoCampo('Aliquota', '2.00'), 'percentual');
    assert.equal(tipoDoCampo('Numero', '2026'), 'texto');
  });

  it('tell fields of one name apart by the part that they stand in', () => {
    const xml = `<NFe xmlns="http://www.portalfiscal.inf.br/nfe"><infNFe versao="4.00" Id="NFe1"><total><ICMSTot><vBC>1.00</vBC></ICMSTot>
      <IBSCBSTot><vBCIBSCBS>9.00</vBCIBSCBS><gIBS><gIBSUF><vDif>1.00</vDif></gIBSUF><gIBSMun><vDif>2.00</vDif></gIBSMun>
      <vCredPres>4.00</vCredPres></gIBS><gCBS><vDif>3.00</vDif><vCredPres>5.00</vCredPres></gCBS></IBSCBSTot></total></infNFe></NFe>`;
    const totais = gruposDe(Buffer.from(xml), 'utf-8').find(({ titulo }) => titulo === 'Totais');
    assert.deepEqual(
      totais?.campos.map(({ rotulo, valor }) => `${rotulo}: ${valor}`),
      [
        'Base de cálculo: 1.00',
        'Base do IBS e da CBS: 9.00',
        'Diferimento (IBS estadual): 1.00',
        'Diferimento (IBS municipal): 2.00',
        'Crédito presumido (IBS): 4.00',
        'Diferimento (CBS): 3.00',
        'Crédito presumido (CBS): 5.00',
      ],
    );
  });

  it('are there for every element that real documents fill', { skip }, () => {
    const missing = new Set<string>();
    for (const { kind, bytes } of readAcervo()) {
      const tree = FAMILIAS.test(kind) ? treeOf(bytes) : null;
      if (!tree) continue;
      for (const element of folhasDe(ancoraDe(tree))) {
        const { localName } = element;
        if (tree.text(element).trim() !== '' && !temRotulo(localName)) missing.add(localName);
      }
    }
    assert.deepEqual(
      [...missing].filter((name) => !DE_NENHUM_LEIAUTE.has(name)),
      [],
    );
  });
});

function* folhasDe(element: XmlElement): Generator<XmlElement> {
  if (element.localName.endsWith('Signature')) return;
  if (element.children.length === 0) yield element;
  for (const next of element.children) yield* folhasDe(next);
}
