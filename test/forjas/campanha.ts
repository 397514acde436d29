/**
 * Lets genuine documents, their events and forgeries of them arrive in every order, and holds what is then served against
 * what is true: the genuine content is served, its status is the true one or marked as only declared, and every forged
 * document is kept.
 */
import { openCofre } from '../../src/documentos/cofre-testing.ts';
import { entradaPorChave } from '../../src/documentos/read/feed.ts';
import { storeLotes } from '../../src/documentos/store/store.ts';
import type { PecaLida } from '../../src/documentos/tipos.ts';
import { Autoridades } from '../../src/fiscal/certificado/autoridades.ts';
import { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { autoridadeDeLaboratorio, raizDeLaboratorio } from '../../src/gerador/autoridades.ts';
import { readContent } from '../../src/importacao/reading/leitor.ts';
import { joinProtocolos } from '../../src/importacao/storing/juntar.ts';
import { FORJAS } from './forjador.ts';
import { EMITENTE, FAMILIAS, type Genuino, generateGenuino } from './genuinos.ts';

export interface Resultado {
  variantes: number;
  genuinos: number;
  /** Of each: what was found, in words; empty where nothing was. */
  substituidas: string[];
  perdidas: string[];
  semMarca: string[];
}

const AUTORIDADES = new Autoridades({
  raizes: [
    { der: raizDeLaboratorio().der, confianca: 'icp_brasil' },
    { der: raizDeLaboratorio('sat').der, confianca: 'sat' },
  ],
  intermediarias: [autoridadeDeLaboratorio('documentos').der, autoridadeDeLaboratorio('sat').der],
});
const SEM_ESQUEMA = {
  validar: () => ({ resultado: 'nao_verificado', esquema: null, motivo: null }) as const,
};

function ler(xml: string): PecaLida[] {
  return readContent(
    { caminho: 'a.xml', bytes: Buffer.from(xml) },
    { validador: SEM_ESQUEMA, autoridades: AUTORIDADES },
  );
}
const LEITOR = {
  read: (conteudos: readonly { caminho: string; bytes: Uint8Array }[]) =>
    Promise.resolve({
      pecas: conteudos.map(({ caminho, bytes }) =>
        readContent({ caminho, bytes }, { validador: SEM_ESQUEMA, autoridades: AUTORIDADES }),
      ),
    }),
} as unknown as Parameters<typeof joinProtocolos>[1]['leitor'];

interface Chegada {
  xml: string;
  /** Kind of forgery; null of what is true. */
  forja: string | null;
}

/** Everything that arrives about one document, in an order that the seed draws. */
function chegadasDe(genuino: Genuino, quantas: number, random: Aleatorio): Chegada[] {
  const chegadas: Chegada[] = [genuino.documento, ...genuino.eventos].map((xml) => ({ xml, forja: null }));
  if (genuino.pendente && random.chance(0.5)) chegadas.push({ xml: genuino.pendente, forja: null });
  const kinds = Object.entries(FORJAS);
  for (let made = 0; made < quantas; ) {
    const [forja, forjar] = random.pick(kinds);
    const xml = forjar(genuino, random);
    if (xml === null) continue;
    chegadas.push({ xml, forja });
    made += 1;
  }
  return random.shuffled(chegadas);
}

/**
 * @param input.variantes forged files in all
 * @param input.porGenuino forgeries of one document
 */
export async function forjar(input: {
  variantes: number;
  porGenuino: number;
  semente: string;
}): Promise<Resultado> {
  const resultado: Resultado = { variantes: 0, genuinos: 0, substituidas: [], perdidas: [], semMarca: [] };
  const cofre = await openCofre();
  try {
    const clienteId = await cofre.registrar(EMITENTE.id);
    for (let numero = 1; resultado.variantes < input.variantes; numero++) {
      const random = new Aleatorio(`${input.semente}/${numero}`);
      const familia = FAMILIAS[numero % FAMILIAS.length] ?? 'nfe';
      const genuino = generateGenuino(familia, numero, random.chance(0.4));
      const chegadas = chegadasDe(genuino, input.porGenuino, random);
      for (const lote of emLotes(chegadas, random)) await importar(cofre, lote);
      await conferir(cofre, { clienteId, genuino, chegadas, resultado });
      resultado.variantes += input.porGenuino;
      resultado.genuinos += 1;
    }
  } finally {
    await cofre.db.close();
  }
  return resultado;
}

/** Files that come one by one, and some together. */
function emLotes(chegadas: readonly Chegada[], random: Aleatorio): Chegada[][] {
  const lotes: Chegada[][] = [];
  for (const chegada of chegadas) {
    const last = lotes.at(-1);
    if (last && random.chance(0.4)) last.push(chegada);
    else lotes.push([chegada]);
  }
  return lotes;
}

type Cofre = Awaited<ReturnType<typeof openCofre>>;
let arquivo = 0;

async function importar({ db, contadorId, agora }: Cofre, lote: readonly Chegada[]): Promise<void> {
  const pecas = lote.flatMap(({ xml }) => ler(xml));
  const lotes = [{ arquivoNumero: ++arquivo, contadorId, pecas, primeiraOrdem: 0 }];
  await db.write.transaction().execute(async (trx) => {
    const gravadas = await storeLotes(trx, { lotes, agora, homologacao: false });
    await joinProtocolos(trx, { lotes, gravadas, agora, homologacao: false, leitor: LEITOR });
  });
}

async function conferir(
  { db, contadorId }: Cofre,
  input: { clienteId: number; genuino: Genuino; chegadas: readonly Chegada[]; resultado: Resultado },
): Promise<void> {
  const { clienteId, genuino, chegadas, resultado } = input;
  const { chave, digest, cancelada, familia } = genuino;
  const forjas = chegadas.map(({ forja }) => forja ?? 'genuína').join(', ');
  const onde = `${familia} ${chave} [${forjas}]`;
  const entrada = await entradaPorChave(db.read, { clienteId, contadorId, chave });
  const servida = await db.read
    .selectFrom('versao')
    .select(['digest', 'prova', 'protocolado'])
    .where('id', '=', entrada?.versaoId ?? 0)
    .executeTakeFirst();
  if (familia === 'municipal') {
    // Nobody can tell which of them is the true one: each says so.
    if (entrada?.prova !== 'declarada') resultado.semMarca.push(`${onde}: ${entrada?.prova}`);
    resultado.perdidas.push(...(await naoGuardadas(db, { chegadas, onde })));
    return;
  }
  if (servida?.digest !== digest || (familia !== 'nfse' && servida.protocolado !== 1))
    resultado.substituidas.push(onde);
  const certo = cancelada ? 'Cancelada' : 'Autorizada';
  if (entrada?.status !== certo && entrada?.prova !== 'declarada')
    resultado.semMarca.push(`${onde}: ${entrada?.status}, ${entrada?.prova}`);
  if (cancelada && entrada?.status === certo && entrada.prova === 'declarada')
    resultado.semMarca.push(`${onde}: the true cancellation is marked`);
  const nota = await db.read
    .selectFrom('documento')
    .select('manifestacao')
    .where('id', '=', entrada?.documentoId ?? 0)
    .executeTakeFirst();
  if (nota?.manifestacao !== genuino.manifestacao)
    resultado.semMarca.push(`${onde}: manifestação ${nota?.manifestacao}, devia ser ${genuino.manifestacao}`);
  resultado.perdidas.push(...(await naoGuardadas(db, { chegadas, onde })));
}

/** Forged documents and events whose bytes are in no version, and true ones. */
async function naoGuardadas(
  db: Cofre['db'],
  { chegadas, onde }: { chegadas: readonly Chegada[]; onde: string },
): Promise<string[]> {
  const lidas = chegadas.flatMap(({ xml, forja }) =>
    ler(xml).flatMap((peca) => (peca.kind === 'registro' ? [{ peca, forja: forja ?? 'genuína' }] : [])),
  );
  const digests = new Set<string>();
  const rows = await db.read
    .selectFrom('versao')
    .innerJoin('documento', 'documento.id', 'versao.documento_id')
    .select('versao.digest')
    .where('documento.chave', 'in', [...new Set(lidas.map(({ peca }) => peca.registro.chave))])
    .execute();
  for (const row of rows) digests.add(row.digest);
  return lidas
    .filter(({ peca }) => !digests.has(peca.registro.digest))
    .map(({ forja }) => `${onde}: ${forja}`);
}
