import type { XmlElement, XmlTree } from '../../xml/tree.ts';
import { below, textBelow } from '../nomes.ts';
import {
  falaDeCancelar,
  lerSituacao,
  readPresencaDeData,
  readSimNao,
  type Sinal,
  semNada,
} from '../situacao.ts';
import { type Campo, campos, findTodos, type Indice, type No } from './caminho.ts';
import { compilarSinal, type LeiauteCompilado, type SinalCompilado } from './compilar.ts';
import { SINAIS_DE_TODOS, type SinalDescrito } from './leiaute.ts';

const base = ({ no, texto }: Campo) => ({ nome: no.element.localName, texto, quando: null });

function daSituacao(field: Campo, sinal: SinalCompilado): Sinal[] {
  const { descrito } = sinal;
  if (descrito.tipo !== 'situacao') return [];
  const diz = lerSituacao(field.texto, descrito);
  // Without a table of its codes, a number or a letter says nothing of a cancellation; what may speak of one is told: a
  // word, and the number that most layouts have for it.
  const { cancelada, substituida, soCodigos = false } = descrito;
  const isCoded = soCodigos || cancelada !== undefined || substituida !== undefined;
  const isTold =
    (isCoded && !semNada(field.texto)) || falaDeCancelar(field.texto) || CANCELADA_NOS_MAIS.test(field.texto);
  return diz === 'incerto' && !isTold ? [] : [{ ...base(field), diz, forca: 'situacao' }];
}

const CANCELADA_NOS_MAIS = /^0*2$/;

function deSimNao(fields: readonly Campo[]): Sinal[] {
  const said = fields.map((field) => ({ field, yes: readSimNao(field.texto) }));
  // Several of them tell several ways to be cancelled (`anulada`, `cancelada`): one yes is enough.
  const yes = said.filter((one) => one.yes === true);
  const telling = yes.length > 0 ? yes : said;
  return telling.flatMap(({ field, yes: answer }): Sinal[] => {
    if (answer !== null) return [{ ...base(field), diz: answer ? 'cancelada' : 'normal', forca: 'situacao' }];
    // Some put when it was cancelled, and zeros where it was not.
    const presence = readPresencaDeData(field.texto);
    if (presence !== 'ilegivel') return daData(field);
    return [{ ...base(field), diz: lerSituacao(field.texto, {}), forca: 'situacao' }];
  });
}

function daData(field: Campo): Sinal[] {
  const presence = readPresencaDeData(field.texto);
  if (presence === 'nenhuma') return [];
  const isDate = presence === 'data';
  return [
    {
      ...base(field),
      diz: isDate ? 'cancelada' : 'incerto',
      forca: 'data',
      quando: isDate ? field.texto : null,
    },
  ];
}

function doMotivo(field: Campo): Sinal[] {
  return semNada(field.texto) || readSimNao(field.texto) === false
    ? []
    : [{ ...base(field), diz: 'cancelada', forca: 'motivo' }];
}

function daSubstituta(field: Campo, numero: string | null): Sinal[] {
  const { texto } = field;
  // The replacing note may carry the same group about itself.
  if (semNada(texto) || texto === numero || readSimNao(texto) === false) return [];
  return [{ ...base(field), diz: 'substituida', forca: 'grupo', substituta: texto }];
}

/** DataHoraCancelamento in ABRASF 1.00, DataHora from 2.00 on; others have names of their own. */
const DATAS = [
  'DataHoraCancelamento',
  'DataHora',
  'DataCancelamento',
  'DtCancelamento',
  'DhCancelamento',
  'Data',
];

/** When a group of cancellation says that it was; null where it has no date, or one that stands for none. */
export function quandoDoGrupo(tree: XmlTree, group: XmlElement): string | null {
  for (const name of DATAS) {
    const text = textBelow(tree, group, name);
    if (text !== null && readPresencaDeData(text) !== 'nenhuma') return text;
  }
  return null;
}

/** Whether a group of cancellation says that it succeeded; null where it does not say. */
export function sucessoDoGrupo(tree: XmlTree, group: XmlElement): boolean | null {
  const text = textBelow(tree, group, 'Sucesso');
  return text === null ? null : readSimNao(text) === true;
}

/** One number, though some write it with the year and zeros before it. */
function isSameNumber(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replace(/^0+/, '')) as [string, string];
  return (
    a === b || (a !== '' && b !== '' && (a.endsWith(b.padStart(4, '0')) || b.endsWith(a.padStart(4, '0'))))
  );
}

/**
 * A group of cancellation as ABRASF has it: confirmed where it has a date, or says that it succeeded. Some cities send it
 * empty with every note, which says nothing; what is neither is told, and so is the cancellation of another number.
 */
function daConfirmacao(tree: XmlTree, group: XmlElement, daNota: string | null): Sinal[] {
  if (group.children.length === 0) return [];
  const success = sucessoDoGrupo(tree, group);
  const quando = quandoDoGrupo(tree, group);
  const sinal = { nome: group.localName, texto: quando ?? '', forca: 'grupo', quando } as const;
  if (success === false) return [];
  const [code, numero] = [
    textBelow(tree, group, 'CodigoCancelamento'),
    textBelow(tree, below(group, 'IdentificacaoNfse'), 'Numero'),
  ].map((text) => (text === null || semNada(text) ? null : text)) as [string | null, string | null];
  if (success === true || quando !== null) {
    if (numero === null || daNota === null || isSameNumber(numero, daNota))
      return [{ ...sinal, diz: 'cancelada' }];
    const ressalva = `A NFS-e nº ${daNota.slice(0, 20)} traz o cancelamento da nº ${numero.slice(0, 20)}: foi lida como cancelada.`;
    return [{ ...sinal, diz: 'cancelada', ressalva }];
  }
  // A request for this very note with its reason, which the city put beside the note: only when is not said.
  if (code === null || numero === null) return [{ ...sinal, diz: 'incerto', texto: 'sem data' }];
  const ressalva = `A NFS-e traz ${group.localName.slice(0, 40)} sem data: foi lida como cancelada.`;
  return [{ ...sinal, diz: 'cancelada', texto: 'sem data', forca: 'motivo', ressalva }];
}

/** Where a sign stands: fields with their texts, and groups. */
interface Achados {
  fields: readonly Campo[];
  groups: readonly No[];
}

function acharSinal(indice: Indice, { descrito, campos: places }: SinalCompilado): Achados {
  return descrito.tipo === 'confirmacao'
    ? { fields: [], groups: places.flatMap((caminho) => findTodos(indice, caminho)) }
    : { fields: campos(indice, places), groups: [] };
}

function doSinal(
  sinal: SinalCompilado,
  { fields, groups }: Achados,
  { tree, numero }: { tree: XmlTree; numero: string | null },
): Sinal[] {
  switch (sinal.descrito.tipo) {
    case 'situacao':
      return fields.flatMap((field) => daSituacao(field, sinal));
    case 'sim_nao':
      return deSimNao(fields);
    case 'data':
      return fields.flatMap(daData);
    case 'motivo':
      return fields.flatMap(doMotivo);
    case 'substituta':
      return fields.flatMap((field) => daSubstituta(field, numero));
    case 'confirmacao':
      return groups.flatMap(({ element }) => daConfirmacao(tree, element, numero));
  }
}

/** What a layout does not name, and what by its own name speaks of cancelling: no word of it is passed over in silence. */
function dosOutros(indice: Indice, known: ReadonlySet<No>, numero: string | null): Sinal[] {
  const isKnown = (no: No): boolean => known.has(no) || (no.pai !== null && isKnown(no.pai));
  const isOfGroup = (act: RegExp, no: No | null): boolean =>
    no !== null && (act.test(no.nome) || isOfGroup(act, no.pai));
  return DE_TODOS.flatMap((sinal) => {
    const { fields, groups } = acharSinal(indice, sinal);
    const { tipo } = sinal.descrito;
    const isOurs = (no: No) =>
      !isKnown(no) && !isOfGroup(tipo === 'substituta' ? DE_PEDIDO : DE_OUTRO_ATO, no.pai);
    const found = {
      fields: fields.filter(({ no }) => isOurs(no)),
      groups: groups.filter((no) => isOurs(no) && dizAlgo(indice.tree, no.element)),
    };
    // That a note is normal is for the layout to say.
    return doSinal(sinal, found, { tree: indice.tree, numero })
      .filter(({ diz, nome, texto }) => diz !== 'normal' && (tipo !== 'situacao' || dizDaNota(nome, texto)))
      .map((said) => (isOnlyTold(tipo, said) ? { ...said, diz: 'incerto' } : said));
  });
}

/** What is told, and decides nothing: a reason may be that of a request, and a number that of the note that was replaced. */
const SO_DITOS: ReadonlySet<SinalDescrito['tipo']> = new Set(['motivo', 'substituta']);
const isOnlyTold = (tipo: SinalDescrito['tipo'], { texto }: Sinal): boolean =>
  SO_DITOS.has(tipo) || (tipo === 'situacao' && isCodigo(texto));

const isCodigo = (texto: string): boolean => texto.trim().length <= 2;

/** A code is for the layout to know: of what it does not name, what stands for a cancelled note in others is told. */
function dizDaNota(nome: string, texto: string): boolean {
  if (!isCodigo(texto)) return true;
  return /^ca?$/i.test(texto) || (CANCELADA_NOS_MAIS.test(texto) && /nf|nota/i.test(nome));
}

/** Many write the group with every note, its fields empty. */
function dizAlgo(tree: XmlTree, group: XmlElement): boolean {
  return group.children.length > 0
    ? group.children.some((inner) => dizAlgo(tree, inner))
    : !semNada(tree.text(group));
}

const DE_TODOS: readonly SinalCompilado[] = SINAIS_DE_TODOS.map(compilarSinal);
/** Groups in which a date or a word is that of a request, of the note that was replaced, or of a lot. */
const DE_OUTRO_ATO = /cancelamento|substitui|pedido|lote/;
const DE_PEDIDO = /pedido|lote/;

/** All that a note says of being cancelled. @param numero of the note, to tell it from the one that took its place */
export function readSinais(indice: Indice, layout: LeiauteCompilado, numero: string | null): Sinal[] {
  const known = new Set<No>();
  const own = layout.situacao.flatMap((sinal) => {
    const found = acharSinal(indice, sinal);
    for (const { no } of found.fields) known.add(no);
    for (const no of found.groups) known.add(no);
    return doSinal(sinal, found, { tree: indice.tree, numero });
  });
  return [...own, ...dosOutros(indice, known, numero)];
}
