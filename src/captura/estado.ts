/** How the capture of a client stands: facts, for programs and for whoever makes sentences of them. */
import type { Servico } from '../banco/tabelas-captura.ts';
import { escolherCertificado, type SemCertificado } from './certificados.ts';
import { consultasDaHora, lacunasDe, type Motivo, podePagina } from './decidir.ts';
import type { DepsDaCaptura } from './deps-da-captura.ts';
import * as queries from './queries.ts';
import { SERVICOS } from './servicos.ts';
import { descansoDoSae } from './vez.ts';

/** Instants are ms UTC, as people's clocks say; null: never, or not known. */
export interface EstadoDaCaptura {
  servico: Servico;
  ligada: boolean;
  passiva: boolean;
  mudadaEm: number | null;
  /** As in the audit log. */
  mudadaPor: string | null;
  certificado: { falta: SemCertificado } | { titular: string | null; validoAte: number };
  /** Why it does not call at this moment; null: it may, or is off. */
  espera: Motivo | 'servico_descansa' | null;
  /** When the next call may be made at the earliest; null: not until something changes. */
  proximaEm: number | null;
  bloqueadaAte: number | null;
  /** cStat or failure for which it stands still. */
  parada: string | null;
  ultNsu: number;
  maxNsu: number;
  primeiraEm: number | null;
  ultimaEm: number | null;
  ultimaOkEm: number | null;
  ultimaVaziaEm: number | null;
  ultimoDocumentoEm: number | null;
  ultimaResposta: string | null;
  ultimoMotivo: string | null;
  errosSeguidos: number;
  outroProgramaEm: number | null;
  bloqueios: number;
  documentos: number;
  /** Single documents that were asked for within the hour. */
  consultasNaHora: number;
  /** Numbers that another program fetched and that are still asked for one by one. */
  lacunas: number;
}

interface Quem {
  contadorId: number;
  cliente: { id: number; cpfCnpj: string };
}

/** All services of a client, in their order. */
export async function estadosDaCaptura(deps: DepsDaCaptura, quem: Quem): Promise<EstadoDaCaptura[]> {
  const { db, ambiente } = deps;
  const { contadorId, cliente } = quem;
  const { cpfCnpj } = cliente;
  const capturas = await queries.findCapturas(db.read, { contadorId, clienteId: cliente.id });
  const estados = await queries.findEstados(db.read, { cpfCnpj, ambiente });
  const certificados = await queries.findCertificados(db.read, { contadorId, cpfCnpj });
  const descanso = await descansoDoSae(deps);
  return SERVICOS.map((servico) => {
    const captura = capturas.find((row) => row.servico === servico);
    const estado = estados.find((row) => row.servico === servico);
    const found = escolherCertificado(certificados, { cpfCnpj, servico, agora: deps.relogio.parede() });
    return {
      servico,
      ligada: captura?.ligada === 1,
      passiva: captura?.passiva === 1,
      mudadaEm: captura?.mudada_em ?? null,
      mudadaPor: captura?.mudada_por ?? null,
      certificado: 'falta' in found ? found : { titular: found.titular, validoAte: found.valido_ate },
      ...depoisDoDescanso(
        daSequencia(deps, captura?.ligada === 1 ? estado : undefined),
        servico === 'nfce' ? descanso : null,
      ),
      ...historico(estado),
    };
  });
}

export async function estadoDaCaptura(
  deps: DepsDaCaptura,
  quem: Quem & { servico: Servico },
): Promise<EstadoDaCaptura> {
  const estados = await estadosDaCaptura(deps, quem);
  const found = estados.find(({ servico }) => servico === quem.servico);
  if (!found) throw new Error(`no service ${quem.servico}`);
  return found;
}

function daSequencia({ relogio }: DepsDaCaptura, estado: queries.LinhaDeEstado | undefined) {
  if (!estado)
    return {
      espera: null,
      proximaEm: null,
      bloqueadaAte: null,
      parada: null,
      consultasNaHora: 0,
      lacunas: 0,
    };
  const agora = relogio.agora();
  const permissao = podePagina(estado, agora);
  const naParede = (em: number | null) => (em === null ? null : relogio.naParede(em));
  const { bloqueada_ate } = estado;
  return {
    espera: permissao.pode ? null : permissao.motivo,
    proximaEm: permissao.pode ? relogio.parede() : naParede(permissao.quando),
    bloqueadaAte: bloqueada_ate !== null && bloqueada_ate > agora ? naParede(bloqueada_ate) : null,
    parada: estado.parada,
    consultasNaHora: consultasDaHora(estado, agora).length,
    lacunas: lacunasDe(estado).reduce((sum, [de, ate]) => sum + ate - de + 1, 0),
  };
}

/** A service that rests for all clients is asked for none of them before. */
function depoisDoDescanso(
  sequencia: ReturnType<typeof daSequencia>,
  descansoAte: number | null,
): Pick<EstadoDaCaptura, keyof ReturnType<typeof daSequencia>> {
  const { proximaEm } = sequencia;
  if (descansoAte === null || proximaEm === null || proximaEm >= descansoAte) return sequencia;
  return { ...sequencia, espera: 'servico_descansa', proximaEm: descansoAte };
}

function historico(estado: queries.LinhaDeEstado | undefined) {
  return {
    ultNsu: estado?.ult_nsu ?? 0,
    maxNsu: estado?.max_nsu ?? 0,
    primeiraEm: estado?.primeira_em ?? null,
    ultimaEm: estado?.ultima_em ?? null,
    ultimaOkEm: estado?.ultima_ok_em ?? null,
    ultimaVaziaEm: estado?.ultima_vazia_em ?? null,
    ultimoDocumentoEm: estado?.ultimo_documento_em ?? null,
    ultimaResposta: estado?.ultima_resposta ?? null,
    ultimoMotivo: estado?.ultimo_motivo ?? null,
    errosSeguidos: estado?.erros_seguidos ?? 0,
    outroProgramaEm: estado?.outro_programa_em ?? null,
    bloqueios: estado?.bloqueios ?? 0,
    documentos: estado?.documentos ?? 0,
  };
}
