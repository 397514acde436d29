/** Out of the rows of an office: how the capture of each client stands at each service, for `porque.ts` to put into words. */
import type { Servico } from '../../banco/tabelas-captura.ts';
import { escolherCertificado } from '../certificados.ts';
import type { DepsDaCaptura } from '../deps-da-captura.ts';
import { findCertificados } from '../queries.ts';
import { SERVICOS } from '../servicos.ts';
import { descansoDoSae } from '../vez.ts';
import * as queries from './queries.ts';
import type { EstadoDaSequencia, Situacao } from './situacao.ts';

type LinhaDeCertificado = Awaited<ReturnType<typeof findCertificados>>[number];
type LinhaDeEstado = Awaited<ReturnType<typeof queries.findEstados>>[number];

interface ClienteComSituacoes {
  clienteId: number;
  situacoes: Situacao[];
}

/** What the rows of an office do not tell by themselves. */
export interface OutrosSinais {
  /** Days without a document, and how many are usual, of a client that is quieter than its habit. */
  silencios?: ReadonlyMap<number, { dias: number; habitoDias: number }>;
}

/** All services of some clients, in the order of the clients. Four statements, however many clients there are. */
export async function situacoesDe(
  deps: DepsDaCaptura,
  input: {
    contadorId: number;
    clientes: readonly { id: number; cpfCnpj: string }[];
    /** Read of one client only. */
    clienteId?: number | null;
    sinais?: OutrosSinais;
  },
): Promise<ClienteComSituacoes[]> {
  const { db, ambiente, relogio } = deps;
  const { contadorId, clientes, clienteId = null, sinais = {} } = input;
  const capturas = await queries.findCapturas(db.read, { contadorId, clienteId });
  const estados = await queries.findEstados(db.read, { contadorId, clienteId, ambiente });
  const certificados = await findCertificados(db.read, { contadorId });
  const porRaiz = Map.groupBy(certificados, ({ cpf_cnpj }) => raizDe(cpf_cnpj));
  const capturaDe = new Map(capturas.map((row) => [`${row.cliente_id} ${row.servico}`, row]));
  const estadoDe = new Map(estados.map((row) => [`${row.cliente_id} ${row.servico}`, row]));
  const agora = relogio.parede();
  const descanso = await descansoDoSae(deps);
  return clientes.map(({ id, cpfCnpj }) => ({
    clienteId: id,
    situacoes: SERVICOS.map((servico): Situacao => {
      const captura = capturaDe.get(`${id} ${servico}`);
      const estado = estadoDe.get(`${id} ${servico}`);
      const daRaiz = porRaiz.get(raizDe(cpfCnpj)) ?? [];
      const silencio = sinais.silencios?.get(id) ?? null;
      return {
        servico,
        agora,
        consentimento: captura
          ? { ligada: captura.ligada === 1, passiva: captura.passiva === 1, mudadaEm: captura.mudada_em }
          : null,
        ...certificadoDe(daRaiz, { cpfCnpj, servico, agora }),
        estado: estado ? sequenciaDe(deps, estado) : null,
        descansoAte: servico === 'nfce' ? descanso : null,
        municipio: municipioDe(estado),
        silencio: isQuiet(estado, silencio, agora) ? silencio : null,
      };
    }),
  }));
}

const CNPJ_LENGTH = 14;
const RAIZ_LENGTH = 8;
const DAY_MS = 86_400_000;

function raizDe(cpfCnpj: string): string {
  return cpfCnpj.length === CNPJ_LENGTH ? cpfCnpj.slice(0, RAIZ_LENGTH) : cpfCnpj;
}

/** The one that calls are made with; where none serves, the one that somebody would have to replace. */
function certificadoDe(
  certificados: readonly LinhaDeCertificado[],
  quem: { cpfCnpj: string; servico: Servico; agora: number },
): Pick<Situacao, 'certificado' | 'uf'> {
  const found = escolherCertificado(certificados, quem);
  const own = certificados.find(({ cpf_cnpj }) => cpf_cnpj === quem.cpfCnpj) ?? certificados[0];
  const shown = 'falta' in found ? own : found;
  const falta = 'falta' in found ? found.falta : null;
  if (!shown || falta === 'sem_certificado') return { certificado: null, uf: own?.uf ?? null };
  return {
    certificado: {
      validoDe: shown.valido_de,
      validoAte: shown.valido_ate,
      impressao: shown.impressao,
      doCliente: falta !== 'titular_diverso',
    },
    uf: shown.uf || null,
  };
}

/** The client's city, where it is known and the national environment has said whether it is there. */
function municipioDe(estado: LinhaDeEstado | undefined): Situacao['municipio'] {
  const { municipio_nome: nome = null, municipio_compartilha: compartilha = null } = estado ?? {};
  return nome === null || compartilha === null ? null : { nome, compartilha: compartilha === 1 };
}

function sequenciaDe({ relogio }: DepsDaCaptura, row: LinhaDeEstado): EstadoDaSequencia {
  const naParede = (em: number | null) => (em === null ? null : relogio.naParede(em));
  return {
    ultNsu: row.ult_nsu,
    maxNsu: row.max_nsu,
    proximaEm: naParede(row.proxima_em),
    recuperaEm: row.recuperar_ate === null ? null : naParede(row.chaves_em),
    bloqueadaAte: naParede(row.bloqueada_ate),
    parada: row.parada,
    paradaCertificado: row.parada_certificado,
    errosSeguidos: row.erros_seguidos,
    primeiraEm: row.primeira_em,
    ultimaEm: row.ultima_em,
    ultimaOkEm: row.ultima_ok_em,
    ultimaVaziaEm: row.ultima_vazia_em,
    ultimoDocumentoEm: row.ultimo_documento_em,
    ultimaResposta: row.ultima_resposta,
    ultimoMotivo: row.ultimo_motivo,
    outroProgramaEm: row.outro_programa_em,
    bloqueios: row.bloqueios,
    documentos: row.documentos,
  };
}

/** A client that is quiet is so at the services that have brought something, and for as long as they have not. */
function isQuiet(
  estado: LinhaDeEstado | undefined,
  silencio: { dias: number } | null,
  agora: number,
): boolean {
  const em = estado?.ultimo_documento_em ?? null;
  return silencio !== null && em !== null && agora - em >= silencio.dias * DAY_MS;
}
