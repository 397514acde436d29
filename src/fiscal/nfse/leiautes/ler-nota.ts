import { splitChave, withoutLeadingZeros } from '../../chave.ts';
import { type Contexto, type Leitura, refuseAt, refuseRepeated } from '../../leitura.ts';
import type { Origem } from '../../origem.ts';
import type { CodigoRejeicao, Recusa } from '../../rejeicoes.ts';
import { type Ambiente, type Documento, ESPECIE, type Especie } from '../../tipos.ts';
import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { readNumeroNfse } from '../chave-composta.ts';
import { municipioDaChave, municipioDe, municipioPorNome } from '../cidades.ts';
import { contentDigest } from '../conteudo.ts';
import { buildNota, type DadosDaNota, type Parte } from '../montar.ts';
import { avisosDaChaveNacional, chaveDadaPelaCidade } from '../nacional/chave-nacional.ts';
import { below, childrenLike, textBelow } from '../nomes.ts';
import { decideSituacao, falaDeCancelar, readPresencaDeData, readSimNao, semNada } from '../situacao.ts';
import { isAmbiguousDecimal, readDecimal, readMunicipio } from '../valores.ts';
import {
  type Caminho,
  type Campo,
  campos,
  findTodos,
  type Indice,
  indexar,
  type No,
  primeiro,
  textoDe,
} from './caminho.ts';
import type { LeiauteCompilado } from './compilar.ts';
import { firstAround, type ParteLida, readParte, readPrestador } from './ler-partes.ts';
import { readSinais } from './ler-sinais.ts';
import { notaEm } from './reconhecer.ts';

/** The layout for what nobody described: its notes are of many systems. */
export const GENERICO = 'generico';

/** A note in the hands of the reader. */
interface Aberta {
  layout: LeiauteCompilado;
  tree: XmlTree;
  /** What is kept. */
  root: XmlElement;
  /** The element of the note in it. */
  nota: XmlElement;
  indice: Indice;
  lugar: Origem | undefined;
}

function abrir(
  layout: LeiauteCompilado,
  input: { tree: XmlTree; root: XmlElement; origem?: Origem },
): Aberta {
  const { tree, root, origem } = input;
  const nota = notaEm(layout, root) ?? root;
  const indice = indexar({ tree, root, nota, fechados: layout.fechados });
  return { layout, tree, root, nota, indice, lugar: origem };
}

const DA_RESPOSTA = 'ListaMensagemRetorno';

/** Of each file, what its answer says of cancelling; a list has thousands of notes. */
const ditoDe = new WeakMap<XmlTree, string | null>();

function ditoNaResposta(tree: XmlTree): string | null {
  let dito = ditoDe.get(tree);
  if (dito === undefined) {
    const mensagens = childrenLike(below(tree.root, DA_RESPOSTA), 'MensagemRetorno');
    dito =
      mensagens.map((mensagem) => textBelow(tree, mensagem, 'Mensagem') ?? '').find(falaDeCancelar) ?? null;
    ditoDe.set(tree, dito);
  }
  return dito;
}

/** What an answer says of cancelling stands beside all of its notes: of which one, nobody knows. */
function avisoDaResposta({ layout, lugar }: Aberta): string[] {
  if (!lugar || lugar.dano?.semCampos || !layout.aoLado.has(DA_RESPOSTA.toLowerCase())) return [];
  const dito = ditoNaResposta(lugar.tree);
  return dito === null
    ? []
    : [
        `A resposta da prefeitura diz "${dito.slice(0, 60)}" sem dizer de qual das suas notas: confira a situação desta no portal.`,
      ];
}

/** The first field with a value that can be read, and what was there where none can. */
function firstThat(
  indice: Indice,
  caminhos: readonly Caminho[],
  isValue: (texto: string) => boolean,
): { campo: Campo | null; ilegivel: string | null } {
  const fields = campos(indice, caminhos);
  const campo = fields.find(({ texto }) => isValue(texto)) ?? null;
  const other = campo ? null : (fields.find(({ texto }) => !semNada(texto)) ?? null);
  return { campo, ilegivel: other?.texto ?? null };
}

interface ValorLido {
  valor: string | null;
  campo: Campo | null;
  avisos: string[];
  /** Told also beside what became of the file. */
  duvida?: string;
}

/** Sum of what stands equally far out, for layouts that give no total; null where one of them has no amount. */
function somar({ indice, layout }: Aberta): { valor: string; parcelas: number } | null {
  // Items may be any number: all of them count.
  const [first, ...others] = campos(indice, layout.soma, Number.POSITIVE_INFINITY);
  if (!first) return null;
  const values = [first, ...others.filter(({ no }) => no.nivel === first.no.nivel)].map(({ texto }) =>
    readDecimal(texto),
  );
  if (values.some((value) => value === null)) return null;
  const valor = values.reduce((sum, value) => sum + Number(value), 0).toFixed(2);
  return { valor, parcelas: values.length };
}

/** Whether the note has the value of each of several services, and no total. */
function isOfSeveral({ indice }: Aberta, { no, caminho }: Campo): boolean {
  return findTodos(indice, caminho).some((twin) => twin.nivel === no.nivel && twin.pai !== no.pai);
}

function readValor(nota: Aberta): ValorLido {
  const { indice, layout } = nota;
  const isAmount = (texto: string): boolean => readDecimal(texto) !== null;
  const { campo, ilegivel } = firstThat(indice, layout.valor, isAmount);
  const soma = campo === null || isOfSeveral(nota, campo) ? somar(nota) : null;
  if (soma !== null) {
    const aviso = `O valor é a soma dos ${soma.parcelas} serviços da NFS-e.`;
    return { valor: soma.valor, campo: null, avisos: soma.parcelas > 1 ? [aviso] : [] };
  }
  if (campo) return { valor: campo.texto, campo, avisos: [], ...duvidaDeMilhar(campo.texto) };
  if (ilegivel !== null)
    return { valor: null, campo: null, avisos: [`O valor "${ilegivel.slice(0, 40)}" não pôde ser lido.`] };
  const base = firstThat(indice, layout.base, isAmount).campo;
  if (!base) return { valor: null, campo: null, avisos: ['A NFS-e não traz o valor dos serviços.'] };
  const aviso = `A NFS-e não traz o valor dos serviços; foi lido o de ${base.no.element.localName.slice(0, 40)}.`;
  return { valor: base.texto, campo: base, avisos: [aviso] };
}

function duvidaDeMilhar(texto: string): Pick<ValorLido, 'duvida'> {
  const duvida = `O valor "${texto.slice(0, 20)}" pode ter milhares ou decimais: foi lido com decimais. Confira no site da prefeitura.`;
  return isAmbiguousDecimal(texto) ? { duvida } : {};
}

interface Cidade {
  /** For the key: of IBGE, or `000` and the four digits of the Receita's table. */
  codigo: string | null;
  ibge: string | null;
}

/** A code of the layout's own, of IBGE or, where the layout has them, of the Receita. */
function readCodigo({ layout }: Aberta, texto: string | null): Cidade {
  const { daReceita = false } = layout.descrito.municipio ?? {};
  const code = texto === null ? null : (layout.proprios.get(texto) ?? texto);
  const ibge = daReceita ? municipioDe(code) : readMunicipio(code);
  return { codigo: daReceita ? municipioDaChave(code) : ibge, ibge };
}

/** The cities that its codes say, in the note and around it. */
function readCodigos(nota: Aberta): Cidade[] {
  const { layout, indice, lugar } = nota;
  const texts = [
    ...campos(indice, layout.municipio).map(({ texto }) => texto),
    firstAround(lugar, layout.descrito.aoRedor?.municipio),
  ];
  return texts.map((texto) => readCodigo(nota, texto)).filter(({ codigo }) => codigo !== null);
}

/** City that issued the note, as it says it: by a code, else by name, else by its layout. */
function readCidade(nota: Aberta): Cidade {
  const { layout, indice, lugar, root } = nota;
  const { municipio } = layout.descrito;
  const [coded] = readCodigos(nota);
  if (coded) return coded;
  const uf = primeiro(indice, layout.uf);
  const named = campos(indice, layout.nomeDoMunicipio).map(({ texto }) => municipioPorNome(texto, uf));
  const ibge =
    named.find((city) => city !== null) ??
    cityOfNamespace(layout, lugar?.element ?? root) ??
    municipio?.fixo ??
    null;
  return { codigo: ibge, ibge };
}

/** City where the service was rendered: as the note says it, else the one that issued it. */
function readPrestacao(nota: Aberta, cidade: Cidade, chaveNacional: string | null): string | null {
  const said = campos(nota.indice, nota.layout.prestacao).map(({ texto }) => readCodigo(nota, texto).ibge);
  return (
    said.find((city) => city !== null) ?? cidade.ibge ?? readMunicipio(chaveNacional?.slice(0, 7) ?? null)
  );
}

function cityOfNamespace(layout: LeiauteCompilado, element: XmlElement): string | null {
  const cities = layout.descrito.municipio?.porNamespace ?? [];
  if (cities.length === 0) return null;
  for (let current: XmlElement | null = element; current; current = current.parent) {
    const namespace = current.namespace.toLowerCase();
    const city = cities.find(({ contem }) => namespace.includes(contem.toLowerCase()));
    if (city) return city.municipio;
  }
  return null;
}

/** `1`, `true`, `S`: a test. `0` and the like say that it was none. Of an environment, 2 is that of tests. */
function readAmbienteDaNota({ indice, layout }: Aberta): Ambiente {
  if (primeiro(indice, layout.ambiente) === '2') return 2;
  return readSimNao(primeiro(indice, layout.teste) ?? '') === true ? 2 : 1;
}

/** A national key that is not this prestador's is told and not used: with it, the note would be taken for somebody else's. */
function readChaveNacional(
  { indice, layout }: Aberta,
  prestador: Parte,
): ReturnType<typeof chaveDadaPelaCidade> {
  const text = primeiro(indice, layout.chaveNacional)?.replace(/^NFS(?=\d)/i, '') ?? null;
  const dada = chaveDadaPelaCidade(text);
  if (!layout.descrito.chaveNacionalDaNota || dada.chave === null) return dada;
  if (splitChave(dada.chave).emitente === prestador.cpfCnpj) return dada;
  return { chave: null, avisos: [`A chave nacional ${dada.chave} é de outro prestador; não foi usada.`] };
}

function substituida(text: string | null): string | null {
  return text === null || semNada(text) ? null : text;
}

/** Names a party whose id could not be read: it is not lost without a word. */
function avisoDaParte(quem: string, parte: ParteLida): string[] {
  return parte.ilegivel === null
    ? []
    : [
        `O CPF ou CNPJ do ${quem} "${parte.ilegivel.slice(0, 40)}" não pôde ser lido: a NFS-e não foi ligada a ele.`,
      ];
}

/** What was read, and the fields that it was read from: of these, one note has one. */
interface Lida {
  dados: DadosDaNota;
  prestador: ParteLida;
  unicos: readonly (Campo | null)[];
}

/** As the note writes it, else as its layout has it. */
function nameOfData({ descrito }: LeiauteCompilado, campo: Campo | null): string {
  if (campo && campo.no.atributo === null) return campo.no.element.localName.slice(0, 60);
  return descrito.data.campos[0]?.replace(/^.*\//, '').replace(/\|.*$/, '') ?? 'data de emissão';
}

function ler(nota: Aberta): Lida {
  const { layout, tree, indice } = nota;
  const { descrito } = layout;
  const text = (caminhos: readonly Caminho[]): string | null => primeiro(indice, caminhos);
  const numero = firstThat(indice, layout.numero, (texto) => readNumeroNfse(texto) !== null);
  const data = firstThat(indice, layout.data, (texto) => readPresencaDeData(texto) !== 'nenhuma');
  const { aviso, ...prestador } = readPrestador({ indice, layout, lugar: nota.lugar });
  const tomador = readParte(indice, layout, 'tomador');
  const intermediario = readParte(indice, layout, 'intermediario');
  const valor = readValor(nota);
  const cidade = readCidade(nota);
  const nacional = readChaveNacional(nota, prestador);
  const numeroText = numero.campo?.texto ?? text(layout.numero);
  const sinais = readSinais(indice, layout, numeroText);
  const situacao = decideSituacao(sinais);
  const inscricao = text(layout.inscricao);
  const codigo = text(layout.codigo);
  const duvidas = [
    ...situacao.avisos,
    ...(sinais.length === 0 ? avisoDaResposta(nota) : []),
    ...avisoDaParte('tomador', tomador),
    ...avisoDaParte('intermediário', intermediario),
    ...(valor.duvida ? [valor.duvida] : []),
  ];
  const dados: DadosDaNota = {
    duvidas,
    layout: text(layout.versao),
    ambiente: readAmbienteDaNota(nota),
    municipio: cidade.codigo,
    numero: numeroText,
    serieDaNota: text(layout.serie),
    // The names of a norm, and those of many layouts, are of no one system.
    sistema: descrito.nota.norma || descrito.id === GENERICO ? null : descrito.id,
    inscricao: inscricao === null ? null : withoutLeadingZeros(inscricao),
    serie: text(layout.serieDoRps),
    data: {
      texto: data.campo?.texto ?? null,
      hora: text(layout.hora),
      ordem: descrito.data.ordem ?? 'dia_mes',
      nome: nameOfData(layout, data.campo),
    },
    competencia: text(layout.competencia),
    valor: valor.valor,
    natureza: null,
    prestador,
    tomador,
    intermediario,
    municipioPrestacao: readPrestacao(nota, cidade, nacional.chave),
    cancelamento: situacao.cancelamento,
    substitui: substituida(text(layout.substitui)),
    chaveNacional: descrito.chaveNacionalDaNota ? nacional.chave : null,
    digest: contentDigest(tree, nota.nota, layout.mutaveis),
    avisos: [
      ...(aviso ? [aviso] : []),
      ...(descrito.chaveNacionalDaNota ? nacional.avisos : avisosDaChaveNacional(nacional)),
      ...duvidas,
      ...valor.avisos,
      ...(descrito.nota.norma && descrito.codigo && codigo === null
        ? ['A NFS-e veio sem código de verificação.']
        : []),
    ],
  };
  const unicos = [numero.campo, data.campo, prestador.campo, tomador.campo, valor.campo];
  return { dados, prestador, unicos };
}

/** Two of one field side by side, at the end of one exact path or equally far out, could be read in two ways. */
function refuseTwo(context: Contexto, indice: Indice, campo: Campo | null): Recusa | null {
  if (!campo || campo.no.atributo !== null) return null;
  const { no, texto, caminho } = campo;
  const isExact = caminho.passos.every(({ fundo }) => !fundo);
  const twins = findTodos(indice, caminho).filter(
    (twin) => twin.nome === no.nome && (isExact || twin.nivel === no.nivel),
  );
  const isOther = (twin: No): boolean => {
    const other = textoDe(indice, twin);
    return other !== null && other !== texto;
  };
  return twins.some(isOther)
    ? refuseRepeated(
        context,
        twins.map(({ element }) => element),
      )
    : null;
}

/** What a note cannot do without and this one does not have, in the words of people. */
function faltasDe({ dados }: Lida): string[] {
  const rows: (readonly [string, boolean])[] = [
    ['o número da NFS-e', readNumeroNfse(dados.numero) !== null],
    ['o CNPJ ou CPF do prestador', dados.prestador.cpfCnpj !== null],
    ['a data de emissão', dados.data.texto !== null],
    ['o valor', dados.valor !== null],
  ];
  return rows.filter(([, isThere]) => !isThere).map(([name]) => name);
}

/**
 * Whether the city, which is part of the key, stood in what is damaged around the note: the sound file would bring the same
 * note under another key.
 */
function isCidadePerdida(nota: Aberta): boolean {
  const { layout, lugar } = nota;
  if (!lugar?.dano) return false;
  const { municipio, aoRedor } = layout.descrito;
  const byField = aoRedor?.municipio !== undefined && readCidade(nota).codigo === null;
  const byNamespace = municipio?.porNamespace !== undefined && lugar.dano.nasMarcas;
  return byField || (byNamespace && readCodigos(nota).length === 0 && !isNamespaced(lugar.element));
}

function isNamespaced(element: XmlElement): boolean {
  return element.namespace !== '' || (element.parent !== null && isNamespaced(element.parent));
}

/** Where the prestador stands is not known, or it is written as nobody's: the note says so in words. */
function refuseWithoutPrestador(nota: Aberta, { dados, prestador }: Lida): Recusa | null {
  const { semPrestador } = nota.layout.descrito;
  const context: Contexto = { tree: nota.tree, especie: ESPECIE.nfse, chave: null };
  if (prestador.cpfCnpj !== null) return null;
  if (prestador.ilegivel !== null && readNumeroNfse(dados.numero) !== null) {
    return refuseAt(
      context,
      'emitente_invalido',
      `O CPF ou CNPJ do prestador "${prestador.ilegivel.slice(0, 40)}" não pôde ser lido. Envie o XML como a prefeitura o gerou.`,
      { element: prestador.campo?.no.element ?? nota.nota },
    );
  }
  if (!semPrestador) return null;
  const especie = semPrestador.codigo === 'nfse_sem_prestador' ? ESPECIE.nfse : ESPECIE.outro;
  return refuseAt({ ...context, especie }, semPrestador.codigo, tellWithout(semPrestador.mensagem, dados), {
    element: nota.nota,
  });
}

function tellWithout(mensagem: string, { numero, cancelamento }: DadosDaNota): string {
  return mensagem
    .replaceAll('{numero}', numero?.slice(0, 20) ?? 'sem número')
    .replaceAll('{ato}', cancelamento ? 'do cancelamento' : 'da emissão');
}

/**
 * Reads a note by the description of its layout.
 *
 * @param input.root what is kept of it, root of its own tree
 * @param input.origem where it stood in the file, for what the file says around its notes
 * @returns a refusal that names what is missing; `nfse_layout_desconhecido` where that may stand in another place of a
 * dialect that is not known
 */
export function readComLeiaute(
  layout: LeiauteCompilado,
  input: { tree: XmlTree; root: XmlElement; origem?: Origem },
): Leitura<Documento> {
  const nota = abrir(layout, input);
  const context: Contexto = { tree: nota.tree, especie: ESPECIE.nfse, chave: null };
  const lida = ler(nota);
  for (const campo of lida.unicos) {
    const twice = refuseTwo(context, nota.indice, campo);
    if (twice) return twice;
  }
  const without = refuseWithoutPrestador(nota, lida);
  if (without) return without;
  const missing = layout.descrito.nota.norma ? [] : faltasDe(lida);
  if (isCidadePerdida(nota)) missing.push('o município');
  if (missing.length === 0)
    return buildNota(context, { root: nota.nota, assinado: nota.nota, dados: lida.dados });
  return refuseAt(context, 'nfse_layout_desconhecido', missingText(nota, missing), {
    element: nota.nota,
  });
}

/** What to say of an element that carries the name of a note and is none that can be read. */
export function nomearComLeiaute(
  layout: LeiauteCompilado,
  tree: XmlTree,
  element: XmlElement,
): { codigo: CodigoRejeicao; especie: Especie; mensagem: string } {
  const lida = ler(abrir(layout, { tree, root: element }));
  const mensagem = unknownLayoutText(element, faltasDe(lida));
  return { codigo: 'nfse_layout_desconhecido', especie: ESPECIE.nfse, mensagem };
}

/** Of a layout that is known by more than its names, what is missing is missing in the file, or this city writes it otherwise. */
function missingText({ layout, nota, indice }: Aberta, missing: readonly string[]): string {
  if (layout.descrito.id === GENERICO) return unknownLayoutText(nota, missing);
  const numero = primeiro(indice, layout.numero)?.slice(0, 20);
  const which = numero ? `A NFS-e nº ${numero}` : 'A NFS-e';
  return `${which} é do layout ${layout.descrito.nome}, mas não foi encontrado ${missing.join(', nem ')} onde esse layout o traz. Confira se o arquivo veio inteiro, com o cabeçalho; se veio, envie a NFS-e no layout nacional ou no da ABRASF, que o site da prefeitura costuma oferecer.`;
}

function unknownLayoutText(element: XmlElement, missing: readonly string[]): string {
  const where = element.namespace === '' ? 'sem namespace' : `namespace ${element.namespace.slice(0, 120)}`;
  const lacks = missing.length > 0 ? `: não foi encontrado ${missing.join(', nem ')}` : '';
  return `O XML parece uma NFS-e municipal (elemento ${element.localName.slice(0, 60)}, ${where}) de um layout que não é lido${lacks}. Envie a NFS-e no layout nacional ou no da ABRASF, que o site da prefeitura costuma oferecer.`;
}
