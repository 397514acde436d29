import { type Contexto, type Leitura, refuseAt } from '../../leitura.ts';
import type { CodigoRejeicao, Recusa } from '../../rejeicoes.ts';
import { type Ambiente, type Documento, ESPECIE, type Especie } from '../../tipos.ts';
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { readNumeroNfse } from '../chave-composta.ts';
import { contentDigest } from '../conteudo.ts';
import { type Cancelamento, type DadosDaNota, montarNota, type Parte } from '../montar.ts';
import { avisosDaChaveNacional, chaveDadaPelaCidade } from '../nacional/chave-nacional.ts';
import { childLike, textLike } from '../nomes.ts';
import { readDecimal, readMunicipio, readParty } from '../valores.ts';
import { type Campo, NOMES, normalise, pick, readCampos } from './campos.ts';
import { municipioDaChave, municipioDe, municipioPorNome } from './cidades.ts';
import { isNfpse } from './reconhecer.ts';

/** What changes in a note after issuing: its situation, by whatever name, and links that expire. */
const MUTAVEIS: ReadonlySet<string> = new Set<string>([
  ...NOMES.situacao,
  ...NOMES.cancelada,
  ...NOMES.dataCancelamento,
  ...NOMES.motivoCancelamento,
  ...NOMES.chaveNacional,
  'cancelamento',
  'situacaodescricaonfse',
  'linknfse',
]);

/** Dates that some systems put where there is none. */
const NO_DATE = /^(?:0001-01-01|1900-01-01|1899-12-30|00\/00\/0000|01\/01\/1900)/;

/** Header of the answer that the note came in: what it says of all of its notes. */
interface Cabecalho {
  cidade: string | null;
  remetente: Parte;
  inscricao: string | null;
}

/** What a note leaves to what stands around it is the same for all notes there, of which a lot has thousands: it is read once. */
const CABECALHOS = new WeakMap<XmlElement, Cabecalho | null>();
const PRESTADORES = new WeakMap<XmlElement, Parte | null>();

function remembered<T>(known: WeakMap<XmlElement, T>, around: XmlElement, read: () => T): T {
  const before = known.get(around);
  if (before !== undefined) return before;
  const value = read();
  known.set(around, value);
  return value;
}

/** Where a note stood in its file. */
interface Lugar {
  tree: XmlTree;
  element: XmlElement;
}

/** The head of DSF's answers says who the prestador is, which their notes do not. */
function readCabecalho({ tree, element }: Lugar): Cabecalho | null {
  const { parent } = element;
  return (
    parent &&
    remembered(CABECALHOS, parent, () => {
      const head = childLike(parent, 'Cabecalho');
      return head ? cabecalhoDe(tree, head) : readCabecalho({ tree, element: parent });
    })
  );
}

function cabecalhoDe(tree: XmlTree, head: XmlElement): Cabecalho {
  return {
    cidade: textLike(tree, head, 'CodCidade'),
    remetente: {
      cpfCnpj: readParty(textLike(tree, head, 'CPFCNPJRemetente')),
      nome: textLike(tree, head, 'RazaoSocialRemetente'),
    },
    inscricao: textLike(tree, head, 'InscricaoMunicipalPrestador'),
  };
}

const same = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && normalise(a) === normalise(b);

/**
 * Whether the head speaks of the very prestador of the note, not of somebody who only transmits or asks: by name
 * where both say one; else by the inscription, and then a company only, for a CPF may be of whoever asked.
 */
function isPrestador(cabecalho: Cabecalho, campos: readonly Campo[]): boolean {
  const { remetente, inscricao } = cabecalho;
  const nome = pick(campos, NOMES.nomePrestador);
  if (remetente.nome !== null && nome !== null) return same(remetente.nome, nome);
  const own = pick(campos, ['inscricaomunicipalprestador', 'inscricaoprestador']);
  const isCompany = remetente.cpfCnpj?.length === 14;
  return isCompany && (inscricao === null || own === null || Number(inscricao) === Number(own));
}

function firstParty(texts: readonly (string | null)[]): Parte['cpfCnpj'] {
  return texts.map(readParty).find((id) => id !== null) ?? null;
}

function readParte(
  campos: readonly Campo[],
  grupo: 'prestador' | 'tomador' | 'intermediario',
  flat: { ids: readonly string[]; nomes: readonly string[] },
): Parte {
  const ids = [
    ...NOMES.id.map((nome) => pick(campos, [nome], grupo)),
    ...flat.ids.map((n) => pick(campos, [n])),
    ...flat.ids.map((n) => pick(campos, [n], grupo)),
  ];
  return {
    cpfCnpj: firstParty(ids),
    nome: pick(campos, NOMES.nome, grupo) ?? pick(campos, flat.nomes),
  };
}

/** SmarAPD has the prestador only in the letterhead: `Inscrição Municipal: 123 CPF/CNPJ: 11.222.333/0001-81`. */
function readTimbre(campos: readonly Campo[]): Parte['cpfCnpj'] {
  return firstParty(
    NOMES.timbre.map((nome) => /CNPJ:\s*([0-9A-Z./-]{11,18})/i.exec(pick(campos, [nome]) ?? '')?.[1] ?? null),
  );
}

/** The prestador of all notes of a lot, who stands beside them (Joinville). */
function readPrestadorDoLote({ tree, element: { parent } }: Lugar): Parte | null {
  return parent && remembered(PRESTADORES, parent, () => prestadorEntre(tree, parent));
}

function prestadorEntre(tree: XmlTree, lote: XmlElement): Parte | null {
  const group = childLike(lote, 'prestador');
  if (!group) return null;
  const campos = readCampos(tree, group);
  const cpfCnpj = firstParty(NOMES.id.map((nome) => pick(campos, [nome])));
  return cpfCnpj ? { cpfCnpj, nome: pick(campos, NOMES.nome) } : null;
}

type PrestadorLido = Parte & { aviso: string | null };

function readPrestador(
  campos: readonly Campo[],
  around: { cabecalho: Cabecalho | null; lote: Parte | null },
): PrestadorLido {
  const { cabecalho, lote } = around;
  const own = readParte(campos, 'prestador', { ids: NOMES.prestador, nomes: NOMES.nomePrestador });
  const cpfCnpj = own.cpfCnpj ?? readTimbre(campos);
  if (cpfCnpj) return { cpfCnpj, nome: own.nome, aviso: null };
  if (lote) return { ...lote, aviso: 'A NFS-e não traz o prestador; foi lido do lote em que ela veio.' };
  if (!cabecalho?.remetente.cpfCnpj || !isPrestador(cabecalho, campos)) return { ...own, aviso: null };
  return {
    ...own,
    cpfCnpj: cabecalho.remetente.cpfCnpj,
    aviso: 'A NFS-e não traz o CNPJ do prestador; foi lido do cabeçalho da resposta em que ela veio.',
  };
}

/** Fields whose code 2 means cancelled. */
const CODIFICADAS: readonly string[] = ['situacaocodigonfse', 'sitnf', 'statusnfse', 'statusnfe'];

/** IPM, Conam and SigISS count 2, Agili -2, E&L 2 in a field of a common name, others write C or the word. */
function saysCancelled(nome: string, texto: string, isEl: boolean): boolean {
  if (/^cancelad/i.test(texto) || /^c$/i.test(texto)) return true;
  if (nome === 'situacaonfse' && texto === '-2') return true;
  return texto === '2' && (CODIFICADAS.includes(nome) || (isEl && nome === 'status'));
}

function readCancelamento(root: XmlElement, campos: readonly Campo[]): Cancelamento | null {
  const isEl = childLike(root, 'IdentificacaoNfse') !== null && childLike(root, 'DadosPrestador') !== null;
  const date = pick(campos, NOMES.dataCancelamento);
  const quando = date !== null && !NO_DATE.test(date) ? date : null;
  const flag = pick(campos, NOMES.cancelada);
  const isCancelled =
    quando !== null ||
    pick(campos, NOMES.motivoCancelamento) !== null ||
    (flag !== null && /^(?:s|sim|true|1)$/i.test(flag)) ||
    NOMES.situacao.some((nome) => saysCancelled(nome, pick(campos, [nome]) ?? '', isEl));
  return isCancelled ? { quando, motivo: 'NFS-e cancelada pela prefeitura' } : null;
}

/** Sum of the items, for layouts that give no total (DSF). */
function sumOfItems(tree: XmlTree, root: XmlElement): string | null {
  const itens = childLike(root, 'Itens');
  const values = (itens?.children ?? []).map((item) => readDecimal(textLike(tree, item, 'ValorTotal')));
  if (values.length === 0 || values.some((value) => value === null)) return null;
  return values.reduce((sum, value) => sum + Number(value), 0).toFixed(2);
}

/**
 * Number and date, which some layouts put into the group of the prestador; names that mean other things there
 * (`numero` of a street) count at the note's own level only.
 */
function pickOwn(campos: readonly Campo[], nomes: readonly string[]): string | null {
  const specific = nomes.filter((nome) => nome !== 'numero');
  return pick(campos, nomes) ?? pick(campos, specific, 'prestador');
}

function readNumero(root: XmlElement, campos: readonly Campo[]): string | null {
  return isNfpse(root) ? pick(campos, ['numeroserie']) : pickOwn(campos, NOMES.numero);
}

/** `1`, `true`, `S`: a test. `0` and the like say that it was none. */
function readAmbienteDaNota(campos: readonly Campo[]): Ambiente {
  return /^(?:1|s|sim|true)$/i.test(pick(campos, NOMES.teste) ?? '') ? 2 : 1;
}

interface Origem {
  tree: XmlTree;
  root: XmlElement;
  campos: readonly Campo[];
  cabecalho: Cabecalho | null;
  lote: Parte | null;
}

/** City that issued the note, as it says it: by a code of either table, else by name. */
function readCidade({ campos, cabecalho }: Origem): string | null {
  return (
    pick(campos, NOMES.municipio) ??
    cabecalho?.cidade ??
    pick(campos, ['codigomunicipio', 'cidade'], 'prestador') ??
    municipioPorNome(pick(campos, ['nomemunicipioprestador']))
  );
}

function readDados(origem: Origem): DadosDaNota {
  const { tree, root, campos } = origem;
  const cidade = readCidade(origem);
  const { aviso, ...prestador } = readPrestador(campos, origem);
  const substitui = pick(campos, NOMES.substituida);
  const prestacao = pick(campos, NOMES.municipioPrestacao);
  // Told, not taken: a copy from before the city gave it is the same note.
  const nacional = chaveDadaPelaCidade(pick(campos, NOMES.chaveNacional));
  return {
    layout: null,
    ambiente: readAmbienteDaNota(campos),
    municipio: municipioDaChave(cidade),
    numero: readNumero(root, campos),
    serieDaNota: pick(campos, NOMES.serieDaNota),
    serie: pick(campos, NOMES.serieDoRps),
    data: { texto: pickOwn(campos, NOMES.data), hora: pick(campos, NOMES.hora), nome: 'data de emissão' },
    valor: pick(campos, NOMES.valor) ?? sumOfItems(tree, root),
    natureza: null,
    prestador,
    tomador: readParte(campos, 'tomador', { ids: NOMES.tomador, nomes: NOMES.nomeTomador }),
    intermediario: readParte(campos, 'intermediario', { ids: NOMES.intermediario, nomes: [] }),
    municipioPrestacao:
      municipioDe(prestacao) ?? municipioDe(cidade) ?? readMunicipio(nacional.chave?.slice(0, 7) ?? null),
    cancelamento: readCancelamento(root, campos),
    substitui: substitui !== null && !/^0+$/.test(substitui) ? substitui : null,
    chaveNacional: null,
    digest: contentDigest(tree, root, MUTAVEIS),
    avisos: [...(aviso ? [aviso] : []), ...avisosDaChaveNacional(nacional)],
  };
}

/** What a note cannot do without and this one does not have, in the words of people. */
function faltasDe(root: XmlElement, campos: readonly Campo[], prestador: Parte): string[] {
  const valor = pick(campos, NOMES.valor);
  const rows: (readonly [string, boolean])[] = [
    ['o número da NFS-e', readNumeroNfse(readNumero(root, campos)) !== null],
    ['o CNPJ ou CPF do prestador', prestador.cpfCnpj !== null],
    ['a data de emissão', pickOwn(campos, NOMES.data) !== null],
    ['o valor', valor !== null],
  ];
  return rows.filter(([, isThere]) => !isThere).map(([name]) => name);
}

/**
 * Reads a note of a municipal layout that has neither the national names nor those of ABRASF: DSF, IPM, SigISSWeb,
 * Conam, Equiplano and whatever names the same fields. What lacks one of the fields that make a note is refused as
 * a layout that is not known, with what is missing.
 *
 * @param input.root the element of the note, root of its own tree
 * @param input.origem where it stood in the file, for the head of DSF's answers
 * @fonte docs/regras.md, municipal notes
 */
export function parseNfseMunicipal(input: {
  tree: XmlTree;
  root: XmlElement;
  origem?: Lugar;
}): Leitura<Documento> {
  const { tree, root } = input;
  const context: Contexto = { tree, especie: ESPECIE.nfse, chave: null };
  const campos = readCampos(tree, root);
  const cabecalho = input.origem ? readCabecalho(input.origem) : null;
  const lote = input.origem ? readPrestadorDoLote(input.origem) : null;
  const dados = readDados({ tree, root, campos, cabecalho, lote });
  const missing = faltasDe(root, campos, dados.prestador).filter(
    (name) => name !== 'o valor' || dados.valor === null,
  );
  if (missing.length === 0) return montarNota(context, { root, assinado: root, dados });
  const recibo = dados.prestador.cpfCnpj ? null : descreverRecibo(root, campos);
  return recibo
    ? refuseAt({ ...context, especie: ESPECIE.outro }, 'mensagem_sem_documento', recibo, { element: root })
    : refuseUnknown(context, root, missing);
}

/** IPM answers the issue and the cancellation of a note with its number, and without anybody's name. */
function descreverRecibo(root: XmlElement, campos: readonly Campo[]): string | null {
  const numero = pick(campos, ['numeronfse']);
  const isIpm = pick(campos, ['situacaocodigonfse', 'codverificadorautenticidade']) !== null;
  if (numero === null || !isIpm) return null;
  const ato = readCancelamento(root, campos) ? 'do cancelamento' : 'da emissão';
  return `O XML é só o recibo ${ato} da NFS-e nº ${numero.slice(0, 20)} (layout IPM): não traz o prestador nem os valores. Envie o XML da NFS-e, como é baixado do site da prefeitura.`;
}

/** @param missing what was looked for and not found */
function refuseUnknown(context: Contexto, root: XmlElement, missing: readonly string[]): Recusa {
  return refuseAt(context, 'nfse_layout_desconhecido', unknownLayoutText(root, missing), { element: root });
}

/** What to say of an element that carries the name of a note and is none that can be read. */
export function nomearNfseDesconhecida(
  tree: XmlTree,
  element: XmlElement,
): { codigo: CodigoRejeicao; especie: Especie; mensagem: string } {
  const campos = readCampos(tree, element);
  const prestador = readParte(campos, 'prestador', { ids: NOMES.prestador, nomes: [] });
  const recibo = prestador.cpfCnpj ? null : descreverRecibo(element, campos);
  if (recibo) return { codigo: 'mensagem_sem_documento', especie: ESPECIE.outro, mensagem: recibo };
  // IPM takes requests under the very names of its notes; only the city fills numero_nfse.
  const isIpm = childLike(element, 'nf') !== null && childLike(element, 'prestador') !== null;
  if (isIpm && pick(campos, ['numeronfse']) === null) {
    return {
      codigo: 'mensagem_sem_documento',
      especie: ESPECIE.outro,
      mensagem: `Pedido de NFS-e no layout IPM (elemento ${element.localName}) não traz documento; envie o XML da NFS-e gerada.`,
    };
  }
  const mensagem = unknownLayoutText(element, faltasDe(element, campos, prestador));
  return { codigo: 'nfse_layout_desconhecido', especie: ESPECIE.nfse, mensagem };
}

function unknownLayoutText(root: XmlElement, missing: readonly string[]): string {
  const where = root.namespace === '' ? 'sem namespace' : `namespace ${root.namespace.slice(0, 120)}`;
  const lacks = missing.length > 0 ? `: não foi encontrado ${missing.join(', nem ')}` : '';
  return `O XML parece uma NFS-e municipal (elemento ${root.localName.slice(0, 60)}, ${where}) de um layout que não é lido${lacks}. Envie a NFS-e no layout nacional ou no da ABRASF, que o site da prefeitura costuma oferecer.`;
}
