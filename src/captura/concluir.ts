/** The second half of a call: what it brought and where the sequence stands now, in one transaction. */
import type { Trx } from '../banco/tabelas.ts';
import { findChavesDeDocumentos } from '../documentos/store/queries-esperados.ts';
import { failpoint } from '../platform/failpoint.ts';
import { type Guardada, insertGuardadas } from './guardar.ts';
import type { Chamada } from './iniciar.ts';
import { keepResumos } from './manifestacao/pedir.ts';
import { readResumos } from './manifestacao/resumos.ts';
import type { Achado } from './perguntar.ts';
import * as queries from './queries.ts';
import { aoResponder, type Consequencia } from './seguir.ts';

/** Another process has the sequence now: what this one brings must not be committed. */
export class LocacaoPerdida extends Error {
  constructor() {
    super('the lease of a sequence was lost');
    this.name = 'LocacaoPerdida';
  }
}

/** As often a key is asked for whose answer says neither yes nor no. */
const TENTATIVAS_POR_CHAVE = 5;

/** Call it in a transaction that may put jobs in line (`puttingInLine`). @throws LocacaoPerdida */
export async function concludeChamada(
  trx: Trx,
  input: {
    chamada: Chamada;
    achado: Achado;
    guardadas: readonly Guardada[];
    locatario: string;
    agora: number;
    parede: number;
  },
): Promise<Consequencia> {
  const { chamada, achado, agora, parede } = input;
  const { estado } = chamada;
  const sequencia = { cpf_cnpj: estado.cpf_cnpj, servico: estado.servico, ambiente: estado.ambiente };
  await insertGuardadas(trx, input.guardadas, {
    servico: estado.servico,
    nome: nomeDe(chamada, achado),
    agora: parede,
  });
  if (estado.servico === 'nfe' && input.guardadas.length > 0) await keepResumosDe(trx, input);
  if (achado.chaves.length > 0) await queries.insertChaves(trx, await chavesNovas(trx, input));
  const { efeito } = aoResponder(estado, { ...achado.desfecho, maisChaves: false }, { agora, parede });
  if (chamada.chave) await anotarChave(trx, { chamada, achado, efeito, parede });
  const clienteIds = chamada.escritorios.map(({ clienteId }) => clienteId);
  const maisChaves = (await queries.findChavePendente(trx, { clienteIds, servico: estado.servico })) !== null;
  const consequencia = aoResponder(estado, { ...achado.desfecho, maisChaves }, { agora, parede });
  const held = await queries.updateEstado(trx, {
    ...sequencia,
    locatario: input.locatario,
    set: consequencia.set,
  });
  if (!held) throw new LocacaoPerdida();
  failpoint('captura_antes_do_commit');
  return consequencia;
}

/** Notes that SEFAZ tells of before it gives them: what the recipient may say something about. */
async function keepResumosDe(
  trx: Trx,
  { chamada, achado, parede: agora }: { chamada: Chamada; achado: Achado; parede: number },
): Promise<void> {
  const resumos = readResumos(achado.bytes);
  const { ambiente } = chamada.estado;
  for (const { contadorId, clienteId } of chamada.escritorios)
    await keepResumos(trx, { contadorId, clienteId, ambiente, resumos, agora });
}

/** How people know a fetched file. */
function nomeDe({ estado, pergunta }: Chamada, { desfecho }: Achado): string {
  const servico = { nfe: 'NF-e', cte: 'CT-e', nfse: 'NFS-e', nfce: 'NFC-e' }[estado.servico];
  if (pergunta.tipo === 'consChave') return `${servico} pela chave ${pergunta.chave}`;
  if (pergunta.tipo === 'consNSU') return `${servico} de ${estado.cpf_cnpj}, NSU ${pergunta.nsu}`;
  return `${servico} de ${estado.cpf_cnpj}, NSU ${estado.ult_nsu + 1} a ${desfecho.ultNsu ?? estado.ult_nsu}`;
}

async function anotarChave(
  trx: Trx,
  input: { chamada: Chamada; achado: Achado; efeito: Consequencia['efeito']; parede: number },
): Promise<void> {
  const { chamada, achado, efeito, parede } = input;
  const { chave } = chamada;
  if (!chave) return;
  const tentativas = chave.tentativas + 1;
  const impossivel = efeito === 'impossivel' || (efeito === 'incerta' && tentativas >= TENTATIVAS_POR_CHAVE);
  const estado = efeito === 'documentos' ? 'obtida' : impossivel ? 'impossivel' : 'pendente';
  await queries.updateChave(trx, {
    contadorId: chave.contador_id,
    chave: chave.chave,
    set: { estado, tentativas, tentada_em: parede, resposta: achado.desfecho.codigo },
  });
}

/** Keys of a list that the offices have no document of. */
async function chavesNovas(
  trx: Trx,
  { chamada, achado, parede }: { chamada: Chamada; achado: Achado; parede: number },
) {
  const rows = [];
  for (const { contadorId, clienteId } of chamada.escritorios) {
    const known = new Set(await findChavesDeDocumentos(trx, { contadorId, chaves: achado.chaves }));
    for (const chave of new Set(achado.chaves)) {
      if (known.has(chave)) continue;
      rows.push({
        contador_id: contadorId,
        chave,
        cliente_id: clienteId,
        servico: chamada.estado.servico,
        estado: 'pendente' as const,
        por_pessoa: 0 as const,
        pedida_em: parede,
        pedida_por: 'sistema',
        tentada_em: null,
        tentativas: 0,
        resposta: null,
      });
    }
  }
  return rows;
}
