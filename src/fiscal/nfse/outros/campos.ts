/**
 * The fields of a municipal note, told by the many names that cities give to the same thing. Names are compared in
 * lower case and without anything but letters and digits: `numero_nfse`, `NumeroNFSe` and `numeroNfse` are one.
 */

import { tabela } from '../../tabela.ts';
import type { XmlElement, XmlTree } from '../../xml/tree.ts';

export interface Campo {
  nome: string;
  texto: string;
  /** Name of the group of a party that it stands in; null for a field of the note itself. */
  grupo: 'prestador' | 'tomador' | 'intermediario' | null;
}

/** What the fields of a group are of: by the name of the group. */
export const GRUPOS: Readonly<Record<string, Campo['grupo'] | 'outro'>> = tabela({
  prestador: 'prestador',
  prestadorservico: 'prestador',
  dadosprestador: 'prestador',
  identificacaoprestador: 'prestador',
  emitente: 'prestador',
  prest: 'prestador',
  tomador: 'tomador',
  tomadorservico: 'tomador',
  dadostomador: 'tomador',
  identificacaotomador: 'tomador',
  destinatario: 'tomador',
  toms: 'tomador',
  toma: 'tomador',
  intermediario: 'intermediario',
  intermediarioservico: 'intermediario',
  identificacaointermediario: 'intermediario',
  // Groups whose fields are of other things: an item's value is not the note's.
  itens: 'outro',
  itensservico: 'outro',
  item: 'outro',
  lista: 'outro',
  listaservicos: 'outro',
  deducoes: 'outro',
  tbfatura: 'outro',
  tbservico: 'outro',
  formapagamento: 'outro',
  rps: 'outro',
  signature: 'outro',
});

/** Names that were met: layouts have some hundred, and documents ask for them again and again. */
let normalised = new Map<string, string>();
const MAX_NORMALISED = 5_000;

/** `Data_Emissao`, `dataEmissao` → `dataemissao`. */
export function normalise(name: string): string {
  const known = normalised.get(name);
  if (known !== undefined) return known;
  const made = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (normalised.size >= MAX_NORMALISED) normalised = new Map();
  normalised.set(name, made);
  return made;
}

/**
 * A situation that is a group of its own (Agili): its code as the field of the group's name, and its words behind it.
 */
function situacaoDoGrupo(tree: XmlTree, element: XmlElement, nome: string): Campo[] {
  return element.children.flatMap((inner) => {
    const texto = tree.text(inner).trim();
    const parte = normalise(inner.localName);
    if (texto === '' || (parte !== 'codigo' && parte !== 'descricao')) return [];
    return [{ nome: parte === 'codigo' ? nome : `${nome}descricao`, texto, grupo: null }];
  });
}

/** Every field with a text, in document order, with the party it belongs to. */
export function readCampos(tree: XmlTree, root: XmlElement): Campo[] {
  const found: Campo[] = [];
  const visit = (element: XmlElement, grupo: Campo['grupo']): void => {
    const nome = normalise(element.localName);
    if (element.children.length === 0) {
      const texto = tree.text(element).trim();
      if (texto !== '') found.push({ nome, texto, grupo });
      return;
    }
    if (element !== root && nome === 'situacaonfse') {
      found.push(...situacaoDoGrupo(tree, element, nome));
      return;
    }
    const own = element === root ? undefined : GRUPOS[nome];
    if (own === 'outro') return;
    for (const inner of element.children) visit(inner, own ?? grupo);
  };
  visit(root, null);
  return found;
}

/** Text of the first of the names that is there, in this group. */
export function pick(
  campos: readonly Campo[],
  nomes: readonly string[],
  grupo: Campo['grupo'] = null,
): string | null {
  for (const nome of nomes) {
    const found = campos.find((campo) => campo.grupo === grupo && campo.nome === nome);
    if (found) return found.texto;
  }
  return null;
}

/** @fonte docs/regras.md, municipal notes (DSF, IPM, SigISSWeb, Conam, Equiplano, Infisc, Agili) and their like; exports of city sites */
export const NOMES = {
  numero: [
    'numeronfse',
    'numeronota',
    'numeronotafiscal',
    'numeronf',
    'numnf',
    'nrnfse',
    'nrnfs',
    'nrnotafiscal',
    'nrnota',
    'numeronfe',
    'nnfse',
    'numeronfd',
    'numnota',
    'nrnf',
    'numero',
    'cod',
  ],
  serieDaNota: ['serienfse', 'sernf', 'codigoserie'],
  serieDoRps: ['serierps', 'serie', 'seriedocumento'],
  codigo: [
    'codigoverificacao',
    'codverificadorautenticidade',
    'codigoautenticidade',
    'codvernf',
    'cdautenticacao',
    'nrautenticacao',
    'chaveautenticidade',
    'chavevalidacao',
    'cdverificacao',
    'codigo',
  ],
  data: [
    'dataemissaonfse',
    'datanfse',
    'dataemissao',
    'dtemissaonfs',
    'dtemissaonfse',
    'dtemissao',
    'dhemissao',
    'datahoraemissao',
    'dataemissaonf',
    'dataprocessamento',
    'dtprocessamento',
    'datanota',
    'demi',
    'dteminf',
    'dtemi',
    'dtemirps',
    'dataemissaorps',
    'data',
  ],
  hora: ['horanfse', 'horaemissao', 'horaemissaonfse', 'hemi', 'hora'],
  valor: [
    'valorservicos',
    'valortotalservicos',
    'valorservico',
    'vlservicos',
    'vlservico',
    'valortotalservico',
    'valornf',
    'vlnfs',
    'valortotal',
    'valortotalnota',
    'valottotalnota',
    'vltotalnota',
    'vltotalrps',
    'vltotal',
    'valornota',
    'vtnf',
    'vserv',
  ],
  prestador: [
    'cpfcnpjprestador',
    'cnpjcpfprestador',
    'cnpjprestador',
    'cpfprestador',
    'cpfcnpjpre',
    'cpfcnpjemitente',
    'cnpjemitente',
    'prestadorcpfcnpj',
    'prestadorcnpjcpf',
    'prestadorcnpj',
    'prestadorcpf',
    'prestcpfcnpj',
  ],
  nomePrestador: [
    'razaosocialprestador',
    'nomeprestador',
    'razaosocialpre',
    'razsocpre',
    'nomeempresa',
    'prestadorrazaosocial',
    'prestnomerazao',
    'timbrecontribuintelinha1',
  ],
  /** Lines of a letterhead, of which one says `CPF/CNPJ:` and the prestador's. */
  timbre: ['timbrecontribuintelinha4', 'timbrecontribuintelinha3'],
  tomador: [
    'cpfcnpjtomador',
    'cnpjcpftomador',
    'cnpjcpfdestinatario',
    'cpfcnpjdestinatario',
    'cnpjtomador',
    'cpftomador',
    'cpfcnpjtom',
    'tomadorcpfcnpj',
    'tomadorcnpjcpf',
    'tomadorcnpj',
    'tomadorcpf',
    'tomcpfcnpj',
    'clientecnpjcpf',
    'identificacaotomador',
  ],
  nomeTomador: [
    'razaosocialtomador',
    'razaotomador',
    'nometomador',
    'razaosocialtom',
    'razsoctom',
    'razaosocialdestinatario',
    'nomedestinatario',
    'tomadorrazaosocial',
    'tomnomerazao',
    'clientenomerazaosocial',
  ],
  intermediario: ['cpfcnpjintermediario', 'cnpjintermediario'],
  id: ['cpfcnpj', 'cnpjcpf', 'cnpj', 'cpf', 'nrcnpj', 'nrdocumento', 'documento'],
  nome: ['nomerazaosocial', 'razaosocial', 'nmprestador', 'nmtomador', 'nomerazao', 'xnome', 'nome'],
  municipio: [
    'codigomunicipiogerador',
    'codigomunicipio',
    'codigomunicipioibge',
    'codmunicipio',
    'cmun',
    'codigoibge',
    'codcidade',
    'codigocidade',
  ],
  municipioPrestacao: [
    'municipioprestacao',
    'codigomunicipioprestacao',
    'municipioincidencia',
    'localprestacao',
  ],
  dataCancelamento: ['datacancelamento', 'dtcancelamento', 'datacncnf', 'datahoracancelamento'],
  motivoCancelamento: [
    'motcancelamento',
    'motivocancelamento',
    'dsmotivocancelamento',
    'dscancelamento',
    'motcncnf',
    'motivocncnf',
  ],
  cancelada: ['cancelada', 'iscancelada', 'notacancelada', 'flcancelada'],
  situacao: [
    'situacaocodigonfse',
    'situacaonfse',
    'situacaonfsedescricao',
    'situacaonf',
    'situacaorps',
    'situacao',
    'sitnf',
    'statusnfse',
    'statusnfe',
    'statusnfpse',
    'status',
    'tipolancamento',
  ],
  chaveNacional: ['chaveacessonfsenacional'],
  /** The environment: IPM, Florianópolis. */
  teste: ['nfseteste', 'homologacao'],
  substituida: ['numeronfsesubstituida', 'nfsesubstituida', 'numeronotasubstituida'],
} as const satisfies Record<string, readonly string[]>;
