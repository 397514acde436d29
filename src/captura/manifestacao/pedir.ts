/** What people and programs ask to be declared; nothing here talks to SEFAZ (`enviar.ts`). */

import { ACAO, auditar } from '../../auditoria/auditar.ts';
import type { Trx } from '../../banco/tabelas.ts';
import type { Deps } from '../../deps.ts';
import { lerProtocolo } from '../../documentos/lean/protocolo-guardado.ts';
import type { Ambiente } from '../../fiscal/tipos.ts';
import { fraseDe } from '../situacao/frases.ts';
import type { CodigoDeImpedimento } from './errors.ts';
import { type DocumentoAManifestar, impedimentoDe } from './prazos.ts';
import * as queries from './queries.ts';
import type { Resumo } from './resumos.ts';
import { desfechoDe } from './retorno.ts';
import { type CodigoDeManifestacao, MANIFESTACOES, type TipoDeManifestacao } from './tipos.ts';

type Db = Deps['db']['read'];

/** Of whom something is said. */
interface ClienteQueManifesta {
  contadorId: number;
  clienteId: number;
  cpfCnpj: string;
}

/** Whether one key was taken, or what is in the way (pt-BR). */
export type Pedida =
  | { chave: string; aceita: true }
  | {
      chave: string;
      aceita: false;
      codigo: CodigoDeImpedimento | 'documento_nao_encontrado';
      mensagem: string;
    };

const TENTATIVAS_MAX = 3;

/** What is known of these keys for one client, by key; a key that the client has nothing of is missing. */
export async function documentosDe(
  db: Db,
  input: ClienteQueManifesta & { ambiente: Ambiente; chaves: readonly string[] },
): Promise<Map<string, DocumentoAManifestar & { pedidas: queries.LinhaDeManifestacao[] }>> {
  const [documentos, resumos, eventos, pedidas] = [
    await queries.findDocumentos(db, input),
    await queries.findResumos(db, input),
    await queries.findEventos(db, input),
    await queries.findManifestacoes(db, input),
  ];
  const tomados = await queries.findTomados(db, {
    documentoIds: documentos.filter(({ modelo }) => modelo === '57').map(({ id }) => id),
    cpfCnpj: input.cpfCnpj,
  });
  const ofKey = (chave: string) => {
    const asked = pedidas.filter((row) => row.chave === chave);
    const said = eventos.filter((row) => row.chave === chave).map(({ evento_codigo }) => evento_codigo ?? '');
    const done = asked.filter(({ estado }) => estado === 'registrada').map(({ codigo }) => codigo);
    return { registradas: [...new Set([...said, ...done])], pedidas: asked };
  };
  const found = new Map<string, DocumentoAManifestar & { pedidas: queries.LinhaDeManifestacao[] }>();
  for (const { chave, situacao, autorizada_em } of resumos) {
    found.set(chave, {
      modelo: '55',
      status: situacao,
      autorizadaEm: autorizada_em,
      ehDestinatario: true,
      ...ofKey(chave),
    });
  }
  for (const { id, chave, modelo, status, destinatario, protocolo, digest } of documentos) {
    const ehDestinatario = modelo === '57' ? tomados.has(id) : destinatario === input.cpfCnpj;
    const autorizadaEm = autorizacaoDe(protocolo, digest);
    found.set(chave, { modelo, status, autorizadaEm, ehDestinatario, ...ofKey(chave) });
  }
  return found;
}

/** When SEFAZ authorised, ms UTC, as the kept protocol says; null where there is none, or it does not say. */
export function autorizacaoDe(protocolo: string | null, digest: string | null): number | null {
  if (protocolo === null || digest === null) return null;
  const em = Date.parse(lerProtocolo(protocolo, digest).dhRecbto ?? '');
  return Number.isNaN(em) ? null : em;
}

/**
 * Asks for one thing to be said of some documents. What SEFAZ would refuse is not taken; the others are kept, audited, and
 * sent soon.
 * @param input.justificativa as `readJustificativa` gives it; null where the kind takes none
 */
export async function askForManifestacoes(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: ClienteQueManifesta & {
    ambiente: Ambiente;
    chaves: readonly string[];
    codigo: CodigoDeManifestacao;
    justificativa: string | null;
    /** As in the audit log. */
    autor: string;
  },
): Promise<Pedida[]> {
  const { contadorId, clienteId, ambiente, codigo, justificativa, autor } = input;
  const chaves = [...new Set(input.chaves)];
  const tipo = MANIFESTACOES[codigo];
  const agora = deps.clock.now();
  const documentos = await documentosDe(deps.db.read, { ...input, chaves });
  const pedidas = chaves.map((chave) => judge({ chave, tipo, documento: documentos.get(chave), agora }));
  const aceitas = pedidas.filter(({ aceita }) => aceita).map(({ chave }) => chave);
  if (aceitas.length === 0) return pedidas;
  await deps.db.write.transaction().execute(async (trx) => {
    for (const chave of aceitas) {
      await queries.upsertManifestacao(trx, {
        contador_id: contadorId,
        cliente_id: clienteId,
        chave,
        codigo,
        ambiente,
        justificativa,
        estado: 'pendente',
        pedida_em: agora,
        pedida_por: autor,
        proxima_em: agora,
      });
    }
    await auditar(trx, {
      em: agora,
      acao: ACAO.manifestacaoPedida,
      contadorId,
      autor,
      alvo: `cliente/${clienteId}`,
      detalhe: { codigo, chaves: aceitas, ...(justificativa === null ? {} : { justificativa }) },
    });
  });
  return pedidas;
}

function judge(input: {
  chave: string;
  tipo: TipoDeManifestacao;
  documento: (DocumentoAManifestar & { pedidas: queries.LinhaDeManifestacao[] }) | undefined;
  agora: number;
}): Pedida {
  const { chave, tipo, documento, agora } = input;
  const refuse = (recusa: Pick<Pedida & { aceita: false }, 'codigo' | 'mensagem'>): Pedida => ({
    chave,
    aceita: false,
    ...recusa,
  });
  if (!documento)
    return refuse({
      codigo: 'documento_nao_encontrado',
      mensagem: 'Este cliente não tem documento nem resumo com esta chave.',
    });
  const impedimento = impedimentoDe(tipo, documento, agora);
  if (impedimento) return refuse(impedimento);
  const antes = documento.pedidas.find(({ codigo }) => codigo === tipo.codigo);
  if (!antes) return { chave, aceita: true };
  if (antes.estado !== 'recusada')
    return refuse({
      codigo: 'manifestacao_em_andamento',
      mensagem: `"${tipo.nome}" já foi pedida para este documento e espera a SEFAZ.`,
    });
  if (podeRepetir(antes)) return { chave, aceita: true };
  const frase = fraseDe({ servico: 'evento', codigo: antes.resposta ?? '', motivo: antes.motivo });
  return refuse({
    codigo: 'manifestacao_recusada',
    mensagem: `A SEFAZ já recusou esta manifestação: ${frase.diz}`,
  });
}

/** A refusal that can end: the clock was wrong, the certificate is another one now, the program is a newer one. */
const PODEM_MUDAR: ReadonlySet<string> = new Set([
  '215',
  '225',
  '297',
  '298',
  '493',
  '494',
  '577',
  '578',
  '579',
]);

/** Whether asking again could lead to another answer; the same refusal again and again blocks the CNPJ. */
function podeRepetir({ resposta, tentativas }: queries.LinhaDeManifestacao): boolean {
  if (resposta === null || tentativas >= TENTATIVAS_MAX) return false;
  return desfechoDe(resposta) === 'certificado' || PODEM_MUDAR.has(resposta);
}

/**
 * Keeps the summaries that a client's distribution brought, and asks for Ciência of each where the client's rule says so.
 * Called in the transaction that stores the answer.
 */
export async function keepResumos(
  trx: Trx,
  input: {
    contadorId: number;
    clienteId: number;
    ambiente: Ambiente;
    resumos: readonly Resumo[];
    agora: number;
  },
): Promise<void> {
  const { contadorId, clienteId, ambiente, agora } = input;
  const resumos = [...new Map(input.resumos.map((resumo) => [resumo.chave, resumo])).values()];
  if (resumos.length === 0) return;
  await queries.upsertResumos(
    trx,
    resumos.map((resumo) => ({
      contador_id: contadorId,
      cliente_id: clienteId,
      chave: resumo.chave,
      ambiente,
      emitente: resumo.emitente,
      emitente_nome: resumo.emitenteNome,
      valor: resumo.valor,
      emitida_em: resumo.emitidaEm,
      autorizada_em: resumo.autorizadaEm,
      situacao: resumo.situacao,
      visto_em: agora,
    })),
  );
  const regra = await queries.findRegra(trx, { contadorId, clienteId });
  if (!regra?.ciencia) return;
  const ciencia = MANIFESTACOES['210210'];
  const wanted = resumos.filter(
    ({ situacao, autorizadaEm }) =>
      impedimentoDe(
        ciencia,
        { modelo: '55', status: situacao, autorizadaEm, ehDestinatario: true, registradas: [] },
        agora,
      ) === null,
  );
  await queries.insertManifestacoes(
    trx,
    wanted.map(({ chave }) => ({
      contador_id: contadorId,
      cliente_id: clienteId,
      chave,
      codigo: ciencia.codigo,
      ambiente,
      justificativa: null,
      estado: 'pendente' as const,
      pedida_em: agora,
      pedida_por: AUTOR_DA_REGRA,
      proxima_em: agora,
    })),
  );
}

/** Who asks where nobody does, as in the audit log. */
const AUTOR_DA_REGRA = 'regra';

/** Turns the rule of a client on or off; audited. */
export async function setRegra(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { contadorId: number; clienteId: number; ciencia: boolean; autor: string },
): Promise<void> {
  const { contadorId, clienteId, ciencia, autor } = input;
  const agora = deps.clock.now();
  await deps.db.write.transaction().execute(async (trx) => {
    await queries.upsertRegra(trx, {
      contador_id: contadorId,
      cliente_id: clienteId,
      ciencia: ciencia ? 1 : 0,
      mudada_em: agora,
      mudada_por: autor,
    });
    await auditar(trx, {
      em: agora,
      acao: ACAO.regraDeCiencia,
      contadorId,
      autor,
      alvo: `cliente/${clienteId}`,
      detalhe: { ciencia },
    });
  });
}
