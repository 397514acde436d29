/** What a client's people may still say of notes, and what became of what was said, as the console shows it. */

import type { Ambiente } from '../../banco/tabelas-captura.ts';
import { autorizacaoDe, documentosDe } from '../../captura/manifestacao/pedir.ts';
import { type DocumentoAManifestar, impedimentoDe, prazoDe } from '../../captura/manifestacao/prazos.ts';
import * as queries from '../../captura/manifestacao/queries.ts';
import { MANIFESTACOES, manifestacaoDe } from '../../captura/manifestacao/tipos.ts';
import { fraseDe } from '../../captura/situacao/frases.ts';
import type { Deps } from '../../deps.ts';
import { diaDe } from '../../fiscal/dia.ts';
import type { Alcance } from '../acesso.ts';
import { instanteDe } from '../tempo.ts';
import * as listas from './queries-manifestacao.ts';

type Db = Deps['db']['read'];

interface Quem {
  contadorId: number;
  cliente: { id: number; cpfCnpj: string };
  ambiente: Ambiente;
  agora: number;
}

const DAY_MS = 86_400_000;
/** Notes that a list shows, of each kind. */
const MOSTRADAS = 200;
/** An authorisation comes up to some days after the issue; what is older by its issue is too late in any case. */
const FOLGA_MS = 5 * DAY_MS;

const CIENCIA = MANIFESTACOES['210210'];
const CONFIRMACAO = MANIFESTACOES['210200'];

/** Notes of which something may still be said, the first to run out first. */
export async function notasAManifestar(db: Db, quem: Quem) {
  const { contadorId, cliente, ambiente, agora } = quem;
  const desde = agora - CONFIRMACAO.prazoDias * DAY_MS;
  const limite = MOSTRADAS + 1;
  const escopo = { contadorId, clienteId: cliente.id, ambiente, limite };
  const resumos = await listas.findResumosEsperando(db, { ...escopo, desde });
  const documentos = await listas.findNotasSemConclusao(db, {
    ...escopo,
    cpfCnpj: cliente.cpfCnpj,
    desde: desde - FOLGA_MS,
  });
  const chaves = [...resumos, ...documentos].map(({ chave }) => chave);
  const pedidas = Map.groupBy(
    await queries.findManifestacoes(db, { contadorId, chaves }),
    ({ chave }) => chave,
  );
  const notas = [
    ...resumos.map((row) => ({
      chave: row.chave,
      documentoId: null,
      emitente: row.emitente,
      emitenteNome: row.emitente_nome,
      valor: row.valor,
      emitidaEm: row.emitida_em,
      autorizadaEm: row.autorizada_em,
      dita: null as string | null,
    })),
    ...documentos.map((row) => ({
      chave: row.chave,
      documentoId: row.id,
      emitente: row.emitente,
      emitenteNome: row.emitente_nome,
      valor: row.valor,
      emitidaEm: row.emitido_em,
      autorizadaEm: autorizacaoDe(row.protocolo, row.digest) ?? row.emitido_em,
      dita: row.manifestacao,
    })),
  ].filter(
    ({ autorizadaEm }) =>
      autorizadaEm === null || prazoDe(CONFIRMACAO, autorizadaEm, agora).diasRestantes >= 0,
  );
  return {
    haMais: resumos.length > MOSTRADAS || documentos.length > MOSTRADAS,
    notas: notas
      .slice(0, 2 * MOSTRADAS)
      .sort((a, b) => (a.autorizadaEm ?? agora) - (b.autorizadaEm ?? agora))
      .map(({ dita, ...nota }) => verNota({ ...nota, dita, pedidas: pedidas.get(nota.chave) ?? [], agora })),
  };
}

/**
 * Which clients have notes to say something of, the first to run out first; how many, as their own list shows them. Clients are
 * looked at one after another: others read meanwhile.
 */
export async function clientesQueEsperam(
  db: Db,
  { contadorId, alcance, ambiente, agora }: Omit<Quem, 'cliente'> & { alcance: Alcance },
) {
  const dia = diaDe(agora - CONFIRMACAO.prazoDias * DAY_MS - FOLGA_MS);
  const clientes = [];
  for (const { id, cpf_cnpj: cpfCnpj, nome } of await listas.findQueRecebem(db, {
    ...{ contadorId, dia },
    ids: alcance,
  })) {
    const quem = { contadorId, cliente: { id, cpfCnpj }, ambiente, agora };
    const { notas, haMais } = await notasAManifestar(db, quem);
    if (notas.length === 0) continue;
    clientes.push({
      ...{ cpfCnpj, nome, haMais },
      notas: notas.length,
      semXml: notas.filter(({ documentoId }) => documentoId === null).length,
      cienciaDias: menor(notas.map(({ cienciaDias }) => cienciaDias)),
      conclusivaDias: menor(notas.map(({ conclusivaDias }) => conclusivaDias)),
    });
  }
  const depois = Number.MAX_SAFE_INTEGER;
  return clientes.sort((a, b) => (a.conclusivaDias ?? depois) - (b.conclusivaDias ?? depois));
}

function menor(dias: readonly (number | null)[]): number | null {
  const conhecidos = dias.filter((dia) => dia !== null);
  return conhecidos.length === 0 ? null : Math.min(...conhecidos);
}

function verNota(input: {
  chave: string;
  documentoId: number | null;
  emitente: string | null;
  emitenteNome: string | null;
  valor: string | null;
  emitidaEm: number | null;
  autorizadaEm: number | null;
  dita: string | null;
  pedidas: readonly queries.LinhaDeManifestacao[];
  agora: number;
}) {
  const { dita, pedidas, agora, ...nota } = input;
  const { autorizadaEm } = nota;
  const last = pedidas.at(-1);
  const ciente = dita !== null || pedidas.some(({ estado }) => estado === 'registrada');
  const ciencia =
    autorizadaEm === null || ciente ? null : prazoDe(CIENCIA, autorizadaEm, agora).diasRestantes;
  return {
    ...nota,
    emitidaEm: instanteDe(nota.emitidaEm),
    autorizadaEm: instanteDe(autorizadaEm),
    cienciaDias: ciencia !== null && ciencia >= 0 ? ciencia : null,
    conclusivaDias: autorizadaEm === null ? null : prazoDe(CONFIRMACAO, autorizadaEm, agora).diasRestantes,
    andamento: last ? andamentoDe(last) : dita === null ? null : (manifestacaoDe(dita)?.nome ?? null),
  };
}

const ESTADOS = {
  pendente: 'pedida, espera o envio',
  enviando: 'pedida, sendo enviada',
  registrada: 'registrada',
  recusada: 'recusada pela SEFAZ',
} as const;

function andamentoDe({ codigo, estado }: queries.LinhaDeManifestacao): string {
  return `${manifestacaoDe(codigo)?.nome ?? codigo}: ${ESTADOS[estado]}`;
}

/** What was asked for a client, the newest first. */
export async function manifestacoesPedidas(db: Db, { contadorId, cliente }: Quem) {
  const rows = await listas.findPedidas(db, { contadorId, clienteId: cliente.id, limite: MOSTRADAS });
  return rows.map(verPedida);
}

function verPedida(row: queries.LinhaDeManifestacao) {
  const { chave, codigo, estado, resposta, motivo } = row;
  const frase = resposta === null ? null : fraseDe({ servico: 'evento', codigo: resposta, motivo });
  return {
    chave,
    codigo,
    nome: manifestacaoDe(codigo)?.nome ?? codigo,
    estado,
    pedidaEm: instanteDe(row.pedida_em),
    pedidaPor: row.pedida_por,
    diz: frase?.diz ?? null,
    fazer: frase?.fazer ?? null,
    resposta,
    nProt: row.nprot,
    proximaEm: instanteDe(row.proxima_em),
  };
}

/** What may be said of one document, and what was. */
export async function manifestacaoDoDocumento(db: Db, quem: Quem & { chave: string }) {
  const { contadorId, cliente, ambiente, chave, agora } = quem;
  const escopo = { contadorId, clienteId: cliente.id, cpfCnpj: cliente.cpfCnpj, ambiente };
  const documento = (await documentosDe(db, { ...escopo, chaves: [chave] })).get(chave);
  const opcoes = documento ? opcoesDe(documento, agora) : [];
  return {
    chave,
    aplicavel: documento?.ehDestinatario === true && opcoes.length > 0,
    opcoes,
    pedidas: (documento?.pedidas ?? []).map(verPedida),
  };
}

/** What may be said of notes, without regard to any one of them. */
export function opcoesDeNota() {
  return Object.values(MANIFESTACOES)
    .filter(({ documento }) => documento === 'NFe')
    .map(({ codigo, nome, efeito, justificativa }) => ({
      codigo,
      nome,
      efeito,
      justificativa,
      ate: null,
      diasRestantes: null,
      impedimento: null,
    }))
    .sort((a, b) => Number(b.codigo === CIENCIA.codigo) - Number(a.codigo === CIENCIA.codigo));
}

function opcoesDe(
  documento: DocumentoAManifestar & { pedidas: queries.LinhaDeManifestacao[] },
  agora: number,
) {
  const tipos = Object.values(MANIFESTACOES).filter(
    ({ documento: kind }) => (kind === 'CTe' ? '57' : '55') === documento.modelo,
  );
  return tipos.map((tipo) => {
    const prazo = documento.autorizadaEm === null ? null : prazoDe(tipo, documento.autorizadaEm, agora);
    const aberta = documento.pedidas.find(
      ({ codigo, estado }) => codigo === tipo.codigo && estado !== 'recusada',
    );
    const impedimento = impedimentoDe(tipo, documento, agora)?.mensagem ?? null;
    return {
      codigo: tipo.codigo,
      nome: tipo.nome,
      efeito: tipo.efeito,
      justificativa: tipo.justificativa,
      ate: instanteDe(prazo?.ate ?? null),
      diasRestantes: prazo?.diasRestantes ?? null,
      impedimento: impedimento ?? (aberta ? `"${tipo.nome}" já foi pedida e espera a SEFAZ.` : null),
    };
  });
}
