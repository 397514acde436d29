import { splitChave, withoutLeadingZeros } from '../../chave.ts';
import { type Contexto, type Leitura, refuseRepeated } from '../../leitura.ts';
import { type Documento, ESPECIE } from '../../tipos.ts';
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { contentDigest } from '../conteudo.ts';
import { type Cancelamento, type DadosDaNota, montarNota, type Parte } from '../montar.ts';
import { chaveDadaPelaCidade } from '../nacional/chave-nacional.ts';
import { childLike, childrenLike, isLike, textLike } from '../nomes.ts';
import { readMunicipio, readParty } from '../valores.ts';

const SAO_PAULO = '3550308';

/** What the city changes in a note after issuing it. */
const MUTAVEIS: ReadonlySet<string> = new Set([
  'statusnfe',
  'datacancelamento',
  'numeroguia',
  'dataquitacaoguia',
  'valorcredito',
  'chavenotanacional',
]);

/** `NFe` of the city of São Paulo: ChaveNFe in the place of infNFe. */
export function isNfsePaulistana(element: XmlElement): boolean {
  return isLike(element, 'NFe') && childLike(element, 'ChaveNFe') !== null;
}

/** Cities that took over the layout of São Paulo, told by the namespace that the answer is in. */
const OUTRAS_CIDADES: readonly { namespace: RegExp; municipio: string }[] = [
  { namespace: /blumenau/i, municipio: '4202404' },
];

function cityOf(element: XmlElement | null): string {
  for (let current = element; current; current = current.parent) {
    const { namespace } = current;
    const other = OUTRAS_CIDADES.find((city) => city.namespace.test(namespace));
    if (other) return other.municipio;
  }
  return SAO_PAULO;
}

function readParte(tree: XmlTree, root: XmlElement, quem: 'Prestador' | 'Tomador' | 'Intermediario'): Parte {
  const id = childLike(root, `CPFCNPJ${quem}`);
  const cpfCnpj =
    readParty(textLike(tree, id, 'CNPJ')) ??
    readParty(textLike(tree, id, 'CPF')) ??
    readParty(textLike(tree, root, `CPFCNPJ${quem}`));
  return { cpfCnpj, nome: textLike(tree, root, `RazaoSocial${quem}`) };
}

/** StatusNFe: N normal, C cancelada, E extraviada. @fonte docs/regras.md, municipal notes */
function readCancelamento(tree: XmlTree, root: XmlElement): Cancelamento | null {
  const quando = textLike(tree, root, 'DataCancelamento');
  const status = textLike(tree, root, 'StatusNFe')?.toUpperCase() ?? null;
  return quando !== null || status === 'C' ? { quando, motivo: 'NFS-e cancelada pela prefeitura' } : null;
}

/** Without leading zeros, which some exports write. @fonte ABRASF tcIdentificacaoNfse: the city's own identity of a note */
function readInscricao(text: string | null): string | null {
  return text === null ? null : withoutLeadingZeros(text.trim());
}

/**
 * The national key, where it is of this very prestador: a note without a signature must not be taken for that of somebody
 * else, whose place it could take by saying that it is cancelled.
 */
function readChaveNacional(text: string | null, prestador: Parte): ReturnType<typeof chaveDadaPelaCidade> {
  const dada = chaveDadaPelaCidade(text);
  if (dada.chave === null || splitChave(dada.chave).emitente === prestador.cpfCnpj) return dada;
  return { chave: null, avisos: [`A chave nacional ${dada.chave} é de outro prestador; não foi usada.`] };
}

function readDados(
  tree: XmlTree,
  root: XmlElement,
  place: { chaveNFe: XmlElement; cidade: string },
): DadosDaNota {
  const { chaveNFe, cidade } = place;
  const prestador = readParte(tree, root, 'Prestador');
  const chave = readChaveNacional(textLike(tree, chaveNFe, 'ChaveNotaNacional'), prestador);
  return {
    layout: null,
    municipio: cidade,
    numero: textLike(tree, chaveNFe, 'NumeroNFe', 'Numero'),
    serieDaNota: null,
    inscricao: readInscricao(textLike(tree, chaveNFe, 'InscricaoPrestador')),
    serie: textLike(tree, childLike(root, 'ChaveRPS'), 'SerieRPS'),
    data: { texto: textLike(tree, root, 'DataEmissaoNFe', 'DataEmissaoRPS'), nome: 'DataEmissaoNFe' },
    valor: textLike(tree, root, 'ValorServicos', 'ValorFinalCobrado', 'ValorInicialCobrado'),
    natureza: null,
    prestador,
    tomador: readParte(tree, root, 'Tomador'),
    intermediario: readParte(tree, root, 'Intermediario'),
    municipioPrestacao: readMunicipio(textLike(tree, root, 'MunicipioPrestacao', 'cLocPrestacao')) ?? cidade,
    cancelamento: readCancelamento(tree, root),
    substitui: null,
    chaveNacional: chave.chave,
    digest: contentDigest(tree, root, MUTAVEIS),
    avisos: chave.avisos,
  };
}

/**
 * Reads a note of the city of São Paulo (Paulistana, versions 1 and 2). Where the city wrote the national key into
 * it, that is its key: the national events of the note are about it; else it has a composed one.
 *
 * @param input.root the `NFe`, root of its own tree
 * @param input.origem where it stood in the file: the note names no city, the answer around it is in the city's namespace
 * @fonte docs/regras.md, municipal notes; ABRASF tcIdentificacaoNfse
 */
export function parseNfsePaulistana(input: {
  tree: XmlTree;
  root: XmlElement;
  origem?: { element: XmlElement };
}): Leitura<Documento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.nfse, chave: null };
  const keys = childrenLike(root, 'ChaveNFe');
  const [chaveNFe = root] = keys;
  const repeated = refuseRepeated(context, keys);
  if (repeated) return repeated;
  const cidade = cityOf(input.origem?.element ?? root);
  return montarNota(context, { root, assinado: root, dados: readDados(tree, root, { chaveNFe, cidade }) });
}
