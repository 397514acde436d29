/**
 * Puts requests of events together with answers that came in another file (`documentos/metades.ts`), in the transaction that
 * stores the second of the two.
 */
import type { TabelaMetadeDeEvento } from '../../banco/tabelas.ts';
import {
  type DestinoDaMetade,
  esquecerMetades,
  findAtendidas,
  keepMetades,
  linhaDaMetade,
  nomeDaMetade,
  type ParDeMetades,
} from '../../documentos/store/metades.ts';
import { storeLotes } from '../../documentos/store/store.ts';
import { type Lote, type PecaGravada, type PecaLida, RESULTADO, type Trx } from '../../documentos/tipos.ts';
import { joinMetades } from '../../fiscal/envelopes/metades.ts';
import { type DesfechoDoItem, insertResolvidas, updateItem } from '../queries.ts';
import type { Leitor } from '../reading/leitores.ts';
import type { LoteComOrdem } from './juntar.ts';

interface Escopo {
  lotes: readonly LoteComOrdem[];
  agora: number;
  homologacao: boolean;
  leitor: Pick<Leitor, 'read'>;
}

/** What became of the halves of one office: by their names. */
interface Desfechos {
  juntadas: ReadonlyMap<string, PecaGravada>;
  destinos: ReadonlyMap<string, DestinoDaMetade>;
}

/**
 * @param input.gravadas what is told of each piece of `lotes` so far
 * @returns the same, where items tell what became of the halves that they bring; and how many events were made
 */
export async function joinEventos(
  trx: Trx,
  input: Escopo & { gravadas: readonly PecaGravada[][] },
): Promise<{ gravadas: readonly PecaGravada[][]; encontros: number }> {
  let gravadas = input.gravadas;
  let encontros = 0;
  for (const [contadorId, lotes] of Map.groupBy(input.lotes, (lote) => lote.contadorId)) {
    await resolverAtendidas(trx, { contadorId, lotes, agora: input.agora });
    const chegadas = chegadasEm(lotes, { contadorId, agora: input.agora });
    if (chegadas.size === 0) continue;
    const desfechos = await joinDoContador(trx, { ...input, contadorId, lotes }, [...chegadas.values()]);
    encontros += desfechos.juntadas.size;
    gravadas = gravadas.map((dele, at) =>
      dele.map((gravada, index) => {
        const peca = input.lotes[at]?.pecas[index];
        const metade = peca && chegadas.get(peca);
        return metade ? contada(gravada, metade, desfechos) : gravada;
      }),
    );
  }
  return { gravadas, encontros };
}

/** The halves that a batch brings, by their pieces. */
function chegadasEm(
  lotes: readonly LoteComOrdem[],
  scope: { contadorId: number; agora: number },
): Map<PecaLida, TabelaMetadeDeEvento> {
  const chegadas = new Map<PecaLida, TabelaMetadeDeEvento>();
  for (const { arquivoNumero, primeiraOrdem, pecas } of lotes) {
    for (const [index, peca] of pecas.entries()) {
      if (peca.kind !== 'rejeitado' || !peca.metade) continue;
      const itemOrdem = primeiraOrdem + index;
      chegadas.set(peca, linhaDaMetade({ metade: peca.metade, arquivoNumero, itemOrdem }, scope));
    }
  }
  return chegadas;
}

async function joinDoContador(
  trx: Trx,
  escopo: Escopo & { contadorId: number },
  chegadas: readonly TabelaMetadeDeEvento[],
): Promise<Desfechos> {
  const { contadorId } = escopo;
  const { pares, destinos } = await keepMetades(trx, { contadorId, chegadas });
  const juntadas = new Map<string, PecaGravada>();
  if (pares.length === 0) return { juntadas, destinos };
  for (const { par, gravada } of await storePares(trx, { ...escopo, pares })) {
    juntadas.set(nomeDaMetade(par.pedido), gravada);
    juntadas.set(nomeDaMetade(par.resposta), gravada);
  }
  const feitos = pares.filter(({ pedido }) => juntadas.has(nomeDaMetade(pedido)));
  await esquecerMetades(
    trx,
    feitos.map(({ pedido }) => pedido),
  );
  await tellAbertos(trx, { lotes: escopo.lotes, feitos, juntadas });
  await insertResolvidas(trx, {
    contadorId,
    agora: escopo.agora,
    motivo: `${JUNTADO} O documento está no Malote.`,
    lugares: feitos.flatMap(({ pedido, resposta }) => [pedido, resposta]),
  });
  return { juntadas, destinos };
}

/** What waited for the answer to a request has its answer when the registered event comes whole. */
async function resolverAtendidas(
  trx: Trx,
  { contadorId, lotes, agora }: Pick<Escopo, 'lotes' | 'agora'> & { contadorId: number },
): Promise<void> {
  const chaves = new Set(
    lotes.flatMap(({ pecas }) =>
      pecas.flatMap((peca) =>
        peca.kind === 'registro' && peca.registro.classe === 'evento' ? [peca.registro.chave] : [],
      ),
    ),
  );
  if (chaves.size === 0) return;
  const lugares = await findAtendidas(trx, { contadorId, chaves: [...chaves] });
  if (lugares.length === 0) return;
  await esquecerMetades(trx, lugares);
  await insertResolvidas(trx, { contadorId, agora, motivo: ATENDIDA, lugares });
}
const ATENDIDA = 'O mesmo evento veio depois, com o seu registro: nada mais falta.';

/** Reads what the halves make, and stores it as what the request's upload brought. */
async function storePares(
  trx: Trx,
  input: Escopo & { contadorId: number; pares: readonly ParDeMetades[] },
): Promise<{ par: ParDeMetades; gravada: PecaGravada }[]> {
  const { contadorId, agora, homologacao } = input;
  const inteiros = input.pares.flatMap((par) => {
    const bytes = joinMetades(par.pedido.bytes, par.resposta.bytes);
    return bytes ? [{ par, bytes }] : [];
  });
  const lidos = await input.leitor.read(
    inteiros.map(({ par, bytes }) => ({ caminho: `${par.pedido.chave}.xml`, bytes })),
  );
  const lidas = inteiros.flatMap(({ par }, index) => {
    const [peca, outra] = lidos.pecas[index] ?? [];
    return peca?.kind === 'registro' && !outra ? [{ par, peca }] : [];
  });
  const gravadas: { par: ParDeMetades; gravada: PecaGravada }[] = [];
  for (const [arquivoNumero, dele] of Map.groupBy(lidas, ({ par }) => par.pedido.arquivo_numero)) {
    const lote: Lote = { arquivoNumero, contadorId, pecas: dele.map(({ peca }) => peca) };
    const [results = []] = await storeLotes(trx, { lotes: [lote], agora, homologacao });
    for (const [index, { par }] of dele.entries()) {
      const gravada = results[index];
      if (gravada) gravadas.push({ par, gravada });
    }
  }
  return gravadas;
}

/** A file that is not done yet tells anew of halves that came with an earlier transaction. */
async function tellAbertos(
  trx: Trx,
  input: {
    lotes: readonly LoteComOrdem[];
    feitos: readonly ParDeMetades[];
    juntadas: ReadonlyMap<string, PecaGravada>;
  },
): Promise<void> {
  const abertos = new Map(input.lotes.map((lote) => [lote.arquivoNumero, lote.primeiraOrdem]));
  for (const metade of input.feitos.flatMap(({ pedido, resposta }) => [pedido, resposta])) {
    const { arquivo_numero: arquivoNumero, item_ordem: ordem } = metade;
    const gravada = input.juntadas.get(nomeDaMetade(metade));
    if (!gravada || ordem >= (abertos.get(arquivoNumero) ?? 0)) continue;
    await updateItem(trx, { ...desfechoDe(gravada), arquivoNumero, ordem });
  }
}

const JUNTADO = 'O pedido do evento e a resposta da SEFAZ vieram separados e foram juntados.';

function desfechoDe({ resultado, codigo, mensagem, especie, documentoId }: PecaGravada): DesfechoDoItem {
  return {
    resultado,
    codigo,
    mensagem: [JUNTADO, mensagem ?? ''].join(' ').trim(),
    especie,
    documentoId,
  };
}

/** An item of this batch, as it is told now that it is known what became of its half. */
function contada(
  gravada: PecaGravada,
  metade: TabelaMetadeDeEvento,
  { juntadas, destinos }: Desfechos,
): PecaGravada {
  const nome = nomeDaMetade(metade);
  const juntada = juntadas.get(nome);
  const base = { ...gravada, chave: metade.chave };
  if (juntada) return { ...base, ...SEM_LUGAR, ...desfechoDe(juntada) };
  const destino = destinos.get(nome);
  switch (destino?.kind) {
    case 'presente':
      return {
        ...base,
        ...SEM_LUGAR,
        resultado: RESULTADO.duplicado,
        codigo: null,
        mensagem: 'Este evento já está no Malote, com o pedido e a resposta da SEFAZ.',
        especie: 'Evento',
        documentoId: destino.documentoId,
      };
    case 'espera':
      return { ...base, mensagem: `${gravada.mensagem ?? ''} ${esperaDe(gravada, metade)}`.trim() };
    case 'demais':
      return { ...base, mensagem: `${gravada.mensagem ?? ''} ${DEMAIS}`.trim() };
    default:
      return base;
  }
}

const SEM_LUGAR = { linha: null, coluna: null, elemento: null };

/** Of what SEFAZ refused no answer comes any more; nor does the national environment's, which signs the event as a whole. */
function esperaDe({ codigo }: PecaGravada, { lado, chave }: TabelaMetadeDeEvento): string {
  const outro = codigo === 'evento_rejeitado_pela_sefaz' || chave.length !== 44;
  return outro ? 'Quando o mesmo evento vier registrado, esta falha se resolve sozinha.' : ESPERA[lado];
}

const ESPERA: Readonly<Record<TabelaMetadeDeEvento['lado'], string>> = {
  pedido:
    'O pedido ficou guardado e será juntado à resposta da SEFAZ assim que ela chegar, em outro arquivo.',
  resposta:
    'A resposta ficou guardada e será juntada ao pedido do evento assim que ele chegar, em outro arquivo.',
};
const DEMAIS = 'Já há metades demais deste evento à espera da outra: esta só está no arquivo enviado.';
