import { createHash, randomUUID } from 'node:crypto';
import { findCliente } from '../contas/clientes.ts';
import { findContador } from '../contas/contadores.ts';
import { prepareConteudo } from '../documentos/bytes/conteudo.ts';
import { comItensEscritos } from '../documentos/lean/itens-guardados.ts';
import { storeLotes } from '../documentos/store/store.ts';
import type { PecaLida } from '../documentos/tipos.ts';
import { type DepsDaLeitura, lerConteudo } from '../fiscal/ler.ts';
import { generateCenario, type ItemDoCenario } from '../gerador/cenario.ts';
import type { Empresa } from '../gerador/empresas.ts';
import { insertArquivo, insertItens } from '../importacao/queries.ts';
import { juntar, todasAsAutoridades } from '../importacao/standards/autoridades.ts';
import { loadEsquemas } from '../importacao/standards/esquemas-instalados.ts';
import { STATUS_ARQUIVO } from '../importacao/tipos.ts';
import { createClienteDoContador } from './cliente.ts';
import type { DepsDoComando } from './deps.ts';
import { createProgresso } from './progresso.ts';
import type { Saida } from './saida.ts';

/** Documents in one transaction, as the importer has them. */
const STEP = 500;
const DAY_MS = 86_400_000;

export interface Pedido {
  crm: string;
  documentos: number;
  clientes: number;
  semente: string;
  meses: number;
}

interface ResumoDaSemeadura {
  codigoCrm: string;
  arquivo: string;
  clientes: { cpfCnpj: string; nome: string }[];
  /** Outcomes by `resultado`. */
  itens: Record<string, number>;
}

/**
 * Fills an office with generated documents without HTTP: read, judged and stored by the very functions of the
 * import, and shown as one imported file. The same seed gives the same documents.
 */
export async function seedBanco(
  deps: DepsDoComando,
  input: { pedido: Pedido; saida: Saida },
): Promise<ResumoDaSemeadura> {
  const { pedido, saida } = input;
  const contador = await findContador(deps.db.read, { codigoCrm: pedido.crm });
  const cenario = generateCenario({
    semente: pedido.semente,
    clientes: pedido.clientes,
    documentos: pedido.documentos,
    inicio: firstDay(deps.clock.now(), pedido.meses),
    meses: pedido.meses,
  });
  for (const empresa of cenario.empresas) await ensureCliente(deps, contador.id, empresa);
  const gravador = await openArquivo(deps, contador.id);
  const validador = loadEsquemas(deps.config);
  const autoridades = juntar(await todasAsAutoridades(deps.db.read));
  // Events and inutilizações come on top of what was asked for.
  const progresso = createProgresso(saida, {
    total: Math.ceil(pedido.documentos * 1.2),
    unidade: 'documentos',
  });
  try {
    let step: PecaLida[] = [];
    for (const item of cenario.documentos) {
      step.push(...read(item, { validador, autoridades }));
      progresso.avancar();
      if (step.length < STEP) continue;
      await gravador.add(step);
      step = [];
    }
    await gravador.add(step);
  } finally {
    progresso.fim();
  }
  return {
    codigoCrm: contador.codigoCrm,
    arquivo: gravador.id,
    clientes: cenario.empresas.map(({ id, nome }) => ({ cpfCnpj: id, nome })),
    itens: gravador.itens,
  };
}

/** First day of the month so that the months end with the last full one before now. */
function firstDay(now: number, months: number): string {
  const today = new Date(now - 3 * 3_600_000);
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months, 1))
    .toISOString()
    .slice(0, 10);
}

async function ensureCliente(deps: DepsDoComando, contadorId: number, empresa: Empresa): Promise<void> {
  if (await findCliente(deps.db.read, { contadorId, cpfCnpj: empresa.id })) return;
  await createClienteDoContador(deps, {
    contadorId,
    cpfCnpj: empresa.id,
    nome: empresa.nome,
    email: `fiscal@${empresa.id.toLowerCase()}.exemplo.com.br`,
  });
}

function read({ nome, bytes }: ItemDoCenario, deps: DepsDaLeitura): PecaLida[] {
  return lerConteudo({ bytes, nome }, deps).map((peca) => {
    if (peca.resultado !== 'lida') throw new Error(`the generator made an unreadable document: ${nome}`);
    const { especie, esquema, assinatura, prova } = peca;
    const registro = comItensEscritos(peca.registro);
    const conteudo = prepareConteudo(peca.bytes, peca.codificacao);
    return { kind: 'registro', caminho: nome, especie, registro, conteudo, esquema, assinatura, prova };
  });
}

/** A file that was never sent, for the documents to have come from; grows with each step. */
async function openArquivo(deps: DepsDoComando, contadorId: number) {
  const id = randomUUID();
  const now = deps.clock.now();
  const itens: Record<string, number> = {};
  let ordem = 1;
  const arquivoNumero = await insertArquivo(deps.db.write, {
    id,
    contador_id: contadorId,
    token_id: null,
    extensao: '.zip',
    tamanho_anunciado: 0,
    tamanho: 0,
    status: STATUS_ARQUIVO.uploaded,
    criado_em: now,
    expira_em: Math.floor((now + DAY_MS) / 1000),
    kid: 'semear',
    recebido_em: now,
    inicio_em: now,
    fim_em: now,
    sha256: createHash('sha256').update(id).digest('hex'),
    md5: null,
    blob: null,
  });
  return {
    id,
    itens,
    async add(pecas: PecaLida[]): Promise<void> {
      if (pecas.length === 0) return;
      const agora = deps.clock.now();
      const gravadas = await deps.db.write.transaction().execute(async (trx) => {
        const { homologacao } = deps.config;
        const [lote = []] = await storeLotes(trx, {
          lotes: [{ arquivoNumero, contadorId, pecas }],
          agora,
          homologacao,
        });
        await insertItens(trx, { arquivoNumero, primeiraOrdem: ordem, pecas: lote });
        return lote;
      });
      ordem += gravadas.length;
      for (const { resultado } of gravadas) itens[resultado] = (itens[resultado] ?? 0) + 1;
    },
  };
}
