/** The checks of what clients are shown: numbers without holes, entries, listing rows, counts. */

import { CLASSE_EM_CODIGO, PAPEL_EM_CODIGO, STATUS_EM_CODIGO, TIPO_EM_CODIGO } from '../lean/codigos.ts';
import type { Leitor } from '../queries-leitura.ts';
import { comPapelMaisForte } from '../store/entregar.ts';
import { findPapeisListados } from '../store/queries-entradas.ts';
import { type Achado, emPaginas, type Linha } from './achados.ts';
import { contarDeNovo } from './contar-de-novo.ts';
import * as queries from './queries-verificar.ts';
import { findNosInstantes } from './verificar-instantes.ts';

/** Numbers of a feed go from 1 to its counter without holes, and its daily counts are those of its listing rows. */
export function verifyFeeds(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: 0,
    tamanho: Math.min(tamanho, 100),
    keyOf: (row) => row.id,
    ler: queries.findFeeds,
    achar: async (trx, rows) => {
      const achados: Achado[] = [];
      for (const row of rows) achados.push(...faltaDensidade(row), ...(await contagensErradas(trx, row)));
      return achados;
    },
  });
}

function faltaDensidade(row: Linha<typeof queries.findFeeds>): Achado[] {
  const quantidade = Number(row.quantidade ?? 0);
  const dense =
    quantidade === row.ultimo_nsu && Number(row.maior ?? 0) === quantidade && Number(row.menor ?? 1) === 1;
  if (dense) return [];
  return [
    {
      codigo: 'nsu_com_lacuna',
      mensagem:
        `O contador diz que o último NSU é ${row.ultimo_nsu}, mas há ${quantidade} entradas, ` +
        `do NSU ${row.menor ?? '–'} ao ${row.maior ?? '–'}.`,
      alvo: alvoDoCliente(row),
    },
  ];
}

async function contagensErradas(trx: Leitor, row: Linha<typeof queries.findFeeds>): Promise<Achado[]> {
  const kept = porDia(await queries.findContagens(trx, row.id));
  const counted = porDia(await contarDeNovo(trx, row.id));
  return [...new Set([...kept.keys(), ...counted.keys()])]
    .filter((dia) => kept.get(dia) !== counted.get(dia))
    .map((dia) => ({
      codigo: 'contagem_errada',
      mensagem: `Estão contados ${kept.get(dia) ?? 0}, mas a listagem tem ${counted.get(dia) ?? 0} linhas.`,
      alvo: `${alvoDoCliente(row)}, ${dia}`,
      ref: { clienteId: row.id },
    }));
}

function porDia(rows: readonly queries.ContagemDoDia[]): Map<string, number> {
  return new Map(
    rows.map(({ modelo, dia, tipo, status, carta_correcao, quantidade }) => [
      `modelo ${modelo}, ${dia}, ${tipo}, ${status}${carta_correcao ? ' com carta de correção' : ''}`,
      Number(quantidade),
    ]),
  );
}

/** Each entry is of a client and a document of one office, who is a party of it and has it in his listing, newest entry first. */
export function verifyEntradas(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: { cliente_id: 0, nsu: Number.MIN_SAFE_INTEGER },
    tamanho,
    keyOf: ({ cliente_id, nsu }) => ({ cliente_id, nsu }),
    ler: queries.findEntradasComTudo,
    achar: async (trx, rows) => [...rows.flatMap(findInEntrada), ...(await findNosInstantes(trx, rows))],
  });
}

function findInEntrada(row: Linha<typeof queries.findEntradasComTudo>): Achado[] {
  const achado = (codigo: string, mensagem: string): Achado[] => [
    {
      codigo,
      mensagem,
      alvo: `cliente ${row.cliente_id}, NSU ${row.nsu}`,
      ref: { clienteId: row.cliente_id, documentoId: row.documento_id, nsu: row.nsu },
    },
  ];
  if (row.contador_do_cliente === null)
    return achado('entrada_sem_cliente', 'O cliente da entrada não existe.');
  if (row.contador_do_documento === null) {
    return achado('entrada_sem_documento', `O documento ${row.documento_id} da entrada não existe.`);
  }
  if (row.contador_do_documento !== row.contador_do_cliente) {
    return achado('entrada_de_outro_escritorio', `O documento ${row.documento_id} é de outro escritório.`);
  }
  if (!row.tem_parte) {
    return achado('entrada_sem_parte', `O cliente não é parte do documento ${row.documento_id}.`);
  }
  if (row.nsu_listado === null) {
    return achado(
      'entrada_sem_listagem',
      `O documento ${row.documento_id} não consta na listagem do cliente.`,
    );
  }
  if (row.nsu_listado < row.nsu) {
    return achado(
      'listagem_com_nsu_antigo',
      `A listagem mostra o documento ${row.documento_id} com o NSU ${row.nsu_listado}, que não é o mais novo.`,
    );
  }
  return [];
}

/** Listing rows name an entry of their document, repeat what it is, and say the role that its parties give the client. */
export function verifyParticipacoes(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: { cliente_id: 0, documento_id: 0 },
    tamanho,
    keyOf: ({ cliente_id, documento_id }) => ({ cliente_id, documento_id }),
    ler: queries.findParticipacoesComTudo,
    achar: async (trx, rows) => [
      ...rows.flatMap(findInListagem),
      ...(await semEntrada(trx, rows)),
      ...(await papeisErrados(trx, rows)),
      ...(await repetidasErradas(trx, rows)),
    ],
  });
}

/** What a row says that its client is in the document is what the parties of the document say. */
async function papeisErrados(trx: Leitor, rows: readonly LinhaDaListagem[]): Promise<Achado[]> {
  const keyOf = (row: { cliente_id: number; documento_id: number }) =>
    `${row.cliente_id}/${row.documento_id}`;
  const documentoIds = [...new Set(rows.map((row) => row.documento_id))];
  const certas = new Map(
    comPapelMaisForte(await findPapeisListados(trx, documentoIds)).map((row) => [keyOf(row), row]),
  );
  return rows.flatMap((row) => {
    const certa = certas.get(keyOf(row));
    const [papel, tipo] = [PAPEL_EM_CODIGO.mostrar(row.papel), TIPO_EM_CODIGO.mostrar(row.tipo)];
    // Who is no party at all is told at his entry.
    if (!certa || (certa.papel === papel && certa.tipo === tipo)) return [];
    return [
      {
        codigo: 'papel_errado',
        mensagem: `A listagem diz ${papel} (${tipo}); pelo documento, o cliente é ${certa.papel} (${certa.tipo}).`,
        ...linhaDaListagem(row),
      },
    ];
  });
}

/** Of the rows of a document one counts it, and one of each direction counts it there; told at the first of them. */
async function repetidasErradas(trx: Leitor, rows: readonly LinhaDaListagem[]): Promise<Achado[]> {
  const doDocumento = await queries.findRepetidas(
    trx,
    rows.map((row) => row.documento_id),
  );
  return rows.flatMap((row) => {
    const linhas = doDocumento.get(row.documento_id) ?? [];
    if (linhas[0]?.cliente_id !== row.cliente_id) return [];
    const tipos = Map.groupBy(linhas, ({ tipo }) => tipo);
    const certas =
      linhas.filter(({ repetida }) => repetida === 0).length === 1 &&
      [...tipos.values()].every((doTipo) => doTipo.filter(({ repetida }) => repetida < 2).length === 1);
    if (certas) return [];
    const mensagem = `De ${linhas.length} linhas da listagem com este documento não é uma só que o conta.`;
    const alvo = `documento ${row.documento_id}`;
    return [{ codigo: 'repetida_errada', mensagem, alvo, ref: { documentoId: row.documento_id } }];
  });
}

type LinhaDaListagem = Linha<typeof queries.findParticipacoesComTudo>;

function linhaDaListagem({ cliente_id, documento_id }: LinhaDaListagem): Pick<Achado, 'alvo' | 'ref'> {
  return {
    alvo: `cliente ${cliente_id}, documento ${documento_id}`,
    ref: { clienteId: cliente_id, documentoId: documento_id },
  };
}

function findInListagem(row: LinhaDaListagem): Achado[] {
  const achados: Achado[] = [];
  const equal =
    CLASSE_EM_CODIGO.mostrar(row.classe) === row.doc_classe &&
    row.modelo === row.doc_modelo &&
    row.emitido_em === row.doc_emitido_em &&
    STATUS_EM_CODIGO.mostrar(row.status) === row.doc_status &&
    row.carta_correcao === row.doc_carta_correcao;
  if (!equal) {
    const mensagem = 'A linha da listagem não repete os dados do documento (modelo, data ou status).';
    achados.push({ codigo: 'listagem_divergente', mensagem, ...linhaDaListagem(row) });
  }
  return achados;
}

/**
 * A listing row and the entry that it names speak of two documents. Where the other one's row names the entry too, it is its;
 * else it is the entry that has changed, or this row: which of them is told where something shows it (`reparar-linhas.ts`).
 */
async function semEntrada(trx: Leitor, rows: readonly LinhaDaListagem[]): Promise<Achado[]> {
  const soltas = rows.filter((row) => row.documento_da_entrada !== row.documento_id);
  const achados: Achado[] = [];
  for (const row of soltas) {
    const { cliente_id: clienteId, nsu, documento_da_entrada: outro } = row;
    const aponta = `A linha da listagem aponta para o NSU ${nsu}`;
    const ehDoOutro =
      outro === null || (await queries.findNsuListado(trx, { clienteId, documentoId: outro })) === nsu;
    if (ehDoOutro) {
      const mensagem = `${aponta}, que não é uma entrada deste documento.`;
      achados.push({ codigo: 'listagem_sem_entrada', mensagem, ...linhaDaListagem(row) });
    } else {
      const { alvo, ref } = linhaDaListagem(row);
      const mensagem = `${aponta}, que diz ser do documento ${outro}: uma das duas mudou no disco.`;
      achados.push({ codigo: 'entrada_divergente', mensagem, alvo, ref: { ...ref, nsu } });
    }
  }
  return achados;
}

function alvoDoCliente(row: { cpf_cnpj: string; codigo_crm: string }): string {
  return `cliente ${row.cpf_cnpj} do CRM ${row.codigo_crm}`;
}
