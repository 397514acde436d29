/**
 * Puts documents together with protocols that came in another file (`documentos/store/protocolos.ts`), in the transaction that
 * stores the second of the two: whoever sees that done sees the authorised document.
 */
import {
  type Encontro,
  emGrupos,
  esquecerProtocolos,
  juntos,
  keepAndFind,
  nomeDoGuardado,
  nomeDoProtocolo,
  type ProtocoloQueChegou,
} from '../../documentos/store/protocolos.ts';
import { storeLotes } from '../../documentos/store/store.ts';
import { type Lote, type PecaGravada, type PecaLida, RESULTADO, type Trx } from '../../documentos/tipos.ts';
import type { ProtocoloAvulso } from '../../fiscal/tipos.ts';
import { PESO_DE_JUNTAR } from '../limites.ts';
import { type DesfechoDoItem, updateItem } from '../queries.ts';
import type { Leitor } from '../reading/leitores.ts';

/** Pieces of one file, and the number of the item that the first of them will be. */
export interface LoteComOrdem extends Lote {
  primeiraOrdem: number;
}

interface Escopo {
  contadorId: number;
  lotes: readonly LoteComOrdem[];
  agora: number;
  homologacao: boolean;
  leitor: Pick<Leitor, 'read'>;
}

/** What a batch brings. */
interface Vieram {
  chegados: ProtocoloQueChegou[];
  /** Keys of documents, of which protocols may have come before. */
  documentos: Set<string>;
}

type Juntavel = Encontro & { versao: NonNullable<Encontro['versao']> };

/** By its name, what became of a protocol that has found its document: null where that had it already. */
type Destinos = ReadonlyMap<string, PecaGravada | null>;
type Impedimento = keyof typeof IMPEDIMENTOS;

interface Desfechos {
  destinos: Destinos;
  /** By its name, why a protocol is kept though its document is there. */
  impedidos: ReadonlyMap<string, Impedimento>;
}

/**
 * @param input.gravadas what the store said of each piece of `lotes`
 * @returns the same, where items tell what became of the protocols that they bring; and how many have met their document
 */
export async function joinProtocolos(
  trx: Trx,
  input: Omit<Escopo, 'contadorId'> & { gravadas: readonly PecaGravada[][] },
): Promise<{ gravadas: readonly PecaGravada[][]; encontros: number }> {
  const porContador = new Map<number, Desfechos>();
  for (const [contadorId, lotes] of Map.groupBy(input.lotes, (lote) => lote.contadorId)) {
    const vieram = separar(lotes);
    if (vieram.chegados.length === 0 && vieram.documentos.size === 0) continue;
    porContador.set(contadorId, await joinDoContador(trx, { ...input, contadorId, lotes }, vieram));
  }
  if (porContador.size === 0) return { gravadas: input.gravadas, encontros: 0 };
  const gravadas = input.gravadas.map((dele, at) => {
    const { contadorId = 0, pecas = [] } = input.lotes[at] ?? {};
    const desfechos = porContador.get(contadorId);
    return desfechos ? dele.map((gravada, index) => contada(gravada, pecas[index], desfechos)) : dele;
  });
  const encontros = [...porContador.values()].reduce((sum, { destinos }) => sum + destinos.size, 0);
  return { gravadas, encontros };
}

function separar(lotes: readonly LoteComOrdem[]): Vieram {
  const chegados: ProtocoloQueChegou[] = [];
  const documentos = new Set<string>();
  for (const { arquivoNumero, primeiraOrdem, pecas } of lotes) {
    for (const [index, peca] of pecas.entries()) {
      const protocolos = protocolosDe(peca);
      for (const protocolo of protocolos) {
        const place = { arquivoNumero, itemOrdem: primeiraOrdem + index, noItem: protocolos.length };
        chegados.push({ protocolo, ...place });
      }
      if (ehDeSefaz(peca)) documentos.add(peca.registro.chave);
    }
  }
  return { chegados, documentos };
}

function protocolosDe(peca: PecaLida | undefined): readonly ProtocoloAvulso[] {
  return (peca && 'protocolos' in peca && peca.protocolos) || NENHUM;
}
const NENHUM: readonly ProtocoloAvulso[] = [];

/**
 * What a piece may cost its transaction, in pieces: a document that is put together changes rows one by one and is stored
 * for the second time. Whoever else wants to write waits for all of the transaction.
 */
export function pesoDe(peca: PecaLida): number {
  if (peca.kind === 'registro') return 1;
  const metades = Number(peca.kind === 'rejeitado' && peca.metade !== undefined);
  return Math.max(1, PESO_DE_JUNTAR * (protocolosDe(peca).length + metades));
}

/** What has a protocol of its own is looked at too: one that came before may say more, such as a cancellation. */
function ehDeSefaz(peca: PecaLida): peca is Extract<PecaLida, { kind: 'registro' }> {
  return (
    peca.kind === 'registro' && peca.registro.classe === 'documento' && peca.registro.chave.length === 44
  );
}

async function joinDoContador(trx: Trx, escopo: Escopo, vieram: Vieram): Promise<Desfechos> {
  const { contadorId, agora } = escopo;
  const chaves = [...vieram.documentos];
  const { chegados } = vieram;
  const { encontros, demais } = await keepAndFind(trx, { contadorId, agora, chegados, chaves });
  const destinos = new Map<string, PecaGravada | null>();
  const impedidos = new Map<string, Impedimento>();
  const juntaveis: Juntavel[] = [];
  for (const encontro of encontros) {
    if (encontro.versao) juntaveis.push({ ...encontro, versao: encontro.versao });
    else if (encontro.deOutroConteudo) impedidos.set(nomeDoGuardado(encontro.protocolo), 'outroConteudo');
    else destinos.set(nomeDoGuardado(encontro.protocolo), null);
  }
  for (const grupo of emGrupos(juntaveis)) {
    for (const [nome, gravada] of await joinGrupo(trx, { ...escopo, grupo })) destinos.set(nome, gravada);
  }
  for (const { protocolo } of juntaveis) {
    const nome = nomeDoGuardado(protocolo);
    if (!destinos.has(nome)) impedidos.set(nome, 'danificada');
  }
  for (const nome of demais) if (!destinos.has(nome)) impedidos.set(nome, 'demais');
  const feitos = encontros
    .map(({ protocolo }) => protocolo)
    .filter((protocolo) => destinos.has(nomeDoGuardado(protocolo)));
  await esquecerProtocolos(trx, feitos);
  await tellAbertos(trx, { lotes: escopo.lotes, feitos, destinos });
  return { destinos, impedidos };
}

async function joinGrupo(
  trx: Trx,
  input: Escopo & { grupo: readonly Juntavel[] },
): Promise<Map<string, PecaGravada>> {
  const { contadorId, agora, homologacao } = input;
  const feitos = await juntos(trx, input.grupo);
  const grupo = input.grupo.flatMap((encontro) => {
    const bytes = feitos.get(encontro.versao.id);
    return bytes ? [{ encontro, bytes }] : [];
  });
  const lidos = await input.leitor.read(
    grupo.map(({ encontro, bytes }) => ({ caminho: `${encontro.protocolo.chave}.xml`, bytes })),
    contadorId,
  );
  const lidas = grupo.flatMap(({ encontro: { protocolo } }, index) => {
    const peca = inteira(lidos.pecas[index], protocolo.chave);
    // Whichever came first: the note's upload stands with the version that the note alone is, and from both of them the
    // two can be put together once more (`documentos/verify/reparar.ts`).
    const { arquivo_numero: arquivoNumero } = protocolo;
    return peca ? [{ peca, nome: nomeDoGuardado(protocolo), arquivoNumero }] : [];
  });
  const gravadas = new Map<string, PecaGravada>();
  for (const [arquivoNumero, dele] of Map.groupBy(lidas, (lida) => lida.arquivoNumero)) {
    const lote: Lote = { arquivoNumero, contadorId, pecas: dele.map(({ peca }) => peca) };
    const [results = []] = await storeLotes(trx, { lotes: [lote], agora, homologacao });
    for (const [index, gravada] of results.entries()) gravadas.set(dele[index]?.nome ?? '', gravada);
  }
  return gravadas;
}

/** The piece that document and protocol are; null where they are read as anything else. */
function inteira(pecas: readonly PecaLida[] | undefined, chave: string): PecaLida | null {
  const [peca, outra] = pecas ?? [];
  return peca?.kind === 'registro' && peca.registro.chave === chave && !outra ? peca : null;
}

/** A file that is not done yet tells anew of protocols that came with an earlier transaction. */
async function tellAbertos(
  trx: Trx,
  input: { lotes: readonly LoteComOrdem[]; feitos: readonly Encontro['protocolo'][]; destinos: Destinos },
): Promise<void> {
  const abertos = new Map(input.lotes.map((lote) => [lote.arquivoNumero, lote.primeiraOrdem]));
  const antes = input.feitos.filter(
    ({ arquivo_numero, item_ordem }) => item_ordem < (abertos.get(arquivo_numero) ?? 0),
  );
  const porItem = Map.groupBy(antes, ({ arquivo_numero, item_ordem }) => `${arquivo_numero}/${item_ordem}`);
  for (const [primeiro, ...outros] of porItem.values()) {
    if (!primeiro) continue;
    const nomes = [primeiro, ...outros].map(nomeDoGuardado);
    const desfecho = doItem({ nomes, noItem: primeiro.no_item, destinos: input.destinos });
    const { arquivo_numero: arquivoNumero, item_ordem: ordem } = primeiro;
    if (desfecho) await updateItem(trx, { ...desfecho, arquivoNumero, ordem });
  }
}

/** @returns null where no client sees a document that is the better for its protocols: then they stay what they are, a message */
function doItem(input: {
  nomes: readonly string[];
  noItem: number;
  destinos: Destinos;
}): DesfechoDoItem | null {
  const { destinos, noItem, nomes } = input;
  const gravada = nomes.map((nome) => destinos.get(nome)).find((one) => one && ehVisto(one));
  if (!gravada) return null;
  const { resultado, codigo, especie, documentoId } = gravada;
  return noItem === 1
    ? { resultado, codigo, mensagem: codigo === null ? JUNTADO : gravada.mensagem, especie, documentoId }
    : { resultado, codigo, mensagem: JUNTADOS, especie: 'Outro', documentoId: null };
}

function ehVisto({ resultado }: PecaGravada): boolean {
  return resultado === RESULTADO.atualizado;
}

const JUNTADO =
  'O protocolo foi juntado à nota que estava no Malote: a versão com os dois passou a ser a entregue e recebeu novo NSU.';
const JUNTADOS =
  'Protocolos foram juntados às notas que estavam no Malote: as versões com os dois passaram a ser as entregues e receberam novo NSU.';

/** An item of this batch, as it is told now that it is known what became of its protocols. */
function contada(
  gravada: PecaGravada,
  peca: PecaLida | undefined,
  { destinos, impedidos }: Desfechos,
): PecaGravada {
  const protocolos = protocolosDe(peca);
  if (protocolos.length === 0) return gravada;
  const nomes = [...new Set(protocolos.map(nomeDoProtocolo))];
  const sozinho = protocolos.length === 1 ? protocolos[0] : undefined;
  const desfecho = doItem({ nomes, noItem: protocolos.length, destinos });
  const chave = gravada.chave ?? sozinho?.chave ?? null;
  const base = desfecho
    ? { ...gravada, ...desfecho, chave, linha: null, coluna: null, elemento: null }
    : { ...gravada, chave };
  const destinosDele = nomes.map((nome) => destinos.get(nome));
  const impedidosDele = nomes.flatMap((nome) => impedidos.get(nome) ?? []);
  const esperam = destinosDele.filter((destino) => destino === undefined).length - impedidosDele.length;
  const partes = [
    base.mensagem,
    dosGuardados(esperam),
    dosImpedidos(impedidosDele, 'outroConteudo'),
    dosImpedidos(impedidosDele, 'danificada'),
    dosImpedidos(impedidosDele, 'demais'),
    dosJuntadosAParte(destinosDele.filter((destino) => destino != null && !ehVisto(destino))),
    desfecho ? '' : dosPresentes(destinosDele.filter((destino) => destino === null).length),
  ];
  return { ...base, mensagem: partes.filter(Boolean).join(' ') };
}

function dosGuardados(quantos: number): string {
  if (quantos === 0) return '';
  return quantos === 1
    ? 'O protocolo ficou guardado e será juntado à nota assim que ela chegar.'
    : `${quantos} protocolos ficaram guardados e serão juntados às suas notas assim que elas chegarem.`;
}

const IMPEDIMENTOS = {
  outroConteudo: {
    um: 'A nota que está no Malote não é a que o protocolo autoriza (o DigestValue difere): ele ficou guardado e será juntado à que autoriza assim que ela chegar.',
    varios:
      'protocolos não são das notas que estão no Malote com as suas chaves (o DigestValue difere): ficaram guardados e serão juntados às que autorizam assim que elas chegarem.',
  },
  danificada: {
    um: 'O que o Malote guarda da nota está danificado: o protocolo ficou guardado. Envie-o de novo depois que quem opera o serviço rodar malote verificar --reparar.',
    varios:
      'protocolos são de notas cujo conteúdo guardado está danificado: ficaram guardados. Envie-os de novo depois que quem opera o serviço rodar malote verificar --reparar.',
  },
  demais: {
    um: 'Já há protocolos demais à espera desta nota: este só está no arquivo enviado. Envie-o de novo depois que a nota chegar.',
    varios:
      'protocolos são de notas que já têm protocolos demais à espera: só estão no arquivo enviado. Envie-os de novo depois que as notas chegarem.',
  },
};

function dosImpedidos(todos: readonly Impedimento[], qual: Impedimento): string {
  const quantos = todos.filter((um) => um === qual).length;
  const { um, varios } = IMPEDIMENTOS[qual];
  if (quantos === 0) return '';
  return quantos === 1 ? um : `${quantos} ${varios}`;
}

function dosJuntadosAParte(gravadas: readonly (PecaGravada | null | undefined)[]): string {
  const [gravada, ...outras] = gravadas;
  if (!gravada) return '';
  return outras.length === 0
    ? `O protocolo foi juntado à nota. ${gravada.mensagem ?? ''}`
    : `${gravadas.length} protocolos foram juntados a notas que ficam guardadas à parte (de homologação, sem cliente cadastrado ou em conflito).`;
}

function dosPresentes(quantos: number): string {
  if (quantos === 0) return '';
  return quantos === 1
    ? 'A nota já está no Malote com este protocolo.'
    : `${quantos} notas já estão no Malote com estes protocolos.`;
}
