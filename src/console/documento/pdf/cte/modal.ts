/** What a DACTE says of the way of transport alone. @fonte MOC CT-e 4.00, Anexo II, and the annexes of the modals */
import { cutTexto } from '../../../../fiscal/limites-de-texto.ts';
import { childrenNamed, textAt, type XmlElement, type XmlTree } from '../../../../fiscal/xml/tree.ts';
import { dia, dinheiro, quantidade } from '../base/formatos.ts';

/** The steps to a text, how it is written, and what is above it. */
type Linha = readonly [caminho: string, rotulo: string, escrever?: (valor: string) => string];

const VALOR_MAX = 120;
/** Of parts of one name; more are in the XML. */
const REPETIDOS_MAX = 8;

const codigo =
  (nomes: Readonly<Record<string, string>>) =>
  (valor: string): string =>
    nomes[valor] ?? valor;

const RODOVIARIO: readonly Linha[] = [
  ['RNTRC', 'RNTRC da empresa'],
  ['TAF', 'TAF'],
  ['NroRegEstadual', 'Registro estadual'],
  ['lota', 'Lotação', codigo({ '0': 'Não', '1': 'Sim' })],
  ['CIOT', 'CIOT'],
  ['dPrev', 'Previsão de entrega', dia],
  ['veic/placa', 'Placa'],
  ['veic/RENAVAM', 'RENAVAM'],
  ['veic/UF', 'UF do veículo'],
  ['infFretamento/tpFretamento', 'Fretamento', codigo({ '1': 'Eventual', '2': 'Contínuo' })],
  ['moto/xNome', 'Motorista'],
  ['occ/nOcc', 'Ordem de coleta'],
  ['valePed/nCompra', 'Vale-pedágio'],
];

const POR_MODAL: Readonly<Record<string, readonly Linha[]>> = {
  rodo: RODOVIARIO,
  rodoOS: RODOVIARIO,
  aereo: [
    ['nMinu', 'Número da minuta'],
    ['nOCA', 'Número operacional do conhecimento'],
    ['dPrevAereo', 'Previsão de entrega', dia],
    ['dPrev', 'Previsão de entrega', dia],
    ['natCarga/xDime', 'Dimensão da carga'],
    ['tarifa/CL', 'Classe da tarifa'],
    ['tarifa/cTar', 'Código da tarifa'],
    ['tarifa/vTar', 'Valor da tarifa', dinheiro],
    ['peri/nONU', 'Produtos perigosos (ONU)'],
  ],
  aquav: [
    ['xNavio', 'Navio'],
    ['nViag', 'Viagem'],
    ['direc', 'Direção', codigo({ N: 'Norte', S: 'Sul', L: 'Leste', O: 'Oeste' })],
    ['irin', 'IRIN do navio'],
    ['vPrest', 'Base de cálculo do AFRMM', dinheiro],
    ['vAFRMM', 'Valor do AFRMM', dinheiro],
    ['balsa/xBalsa', 'Balsas'],
    ['tpNav', 'Navegação', codigo({ '0': 'Interior', '1': 'Cabotagem' })],
    ['detCont/nCont', 'Contêineres'],
  ],
  ferrov: [
    [
      'tpTraf',
      'Tráfego',
      codigo({ '0': 'Próprio', '1': 'Mútuo', '2': 'Rodoferroviário', '3': 'Rodoviário' }),
    ],
    ['trafMut/vFrete', 'Valor do frete', dinheiro],
    ['fluxo', 'Fluxo ferroviário'],
    ['idTrem', 'Trem'],
    ['vFrete', 'Valor do frete', dinheiro],
    ['ferroEnv/xNome', 'Ferrovias envolvidas'],
  ],
  duto: [
    ['vTar', 'Valor da tarifa', (valor) => quantidade(valor, 2)],
    ['dIni', 'Início do serviço', dia],
    ['dFim', 'Fim do serviço', dia],
  ],
  multimodal: [
    ['COTM', 'Certificado do operador (COTM)'],
    ['indNegociavel', 'Negociável', codigo({ '0': 'Não', '1': 'Sim' })],
    ['seg/infSeg/xSeg', 'Seguradora'],
    ['seg/nApol', 'Apólice'],
    ['seg/nAver', 'Averbação'],
  ],
};

/** What stands there of it; parts that come several times are told one after the other. */
export function camposDoModal(tree: XmlTree, modal: XmlElement | null): { rotulo: string; valor: string }[] {
  const linhas = modal && Object.hasOwn(POR_MODAL, modal.localName) ? (POR_MODAL[modal.localName] ?? []) : [];
  return linhas.flatMap(([caminho, rotulo, escrever = (valor: string) => valor]) => {
    const valores = textosEm(tree, modal, caminho.split('/')).map(escrever);
    return valores.length > 0 ? [{ rotulo, valor: cutTexto(valores.join(', '), VALOR_MAX) }] : [];
  });
}

function textosEm(tree: XmlTree, de: XmlElement | null, caminho: readonly string[]): string[] {
  const [primeiro = '', ...resto] = caminho;
  if (resto.length === 0) {
    const texto = textAt(tree, de, primeiro);
    return texto === null ? [] : [cutTexto(texto, VALOR_MAX)];
  }
  return childrenNamed(de, primeiro)
    .slice(0, REPETIDOS_MAX)
    .flatMap((parte) => textosEm(tree, parte, resto));
}
