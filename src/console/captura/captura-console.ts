/** How the capture of clients stands, as the console shows it. */

import type { DepsDaCaptura } from '../../captura/deps-da-captura.ts';
import { NOME_DO_SERVICO } from '../../captura/servicos.ts';
import type { Gravidade, Porque } from '../../captura/situacao/causas.ts';
import { fraseDe } from '../../captura/situacao/frases.ts';
import { porQueNadaVeio, proximaDe } from '../../captura/situacao/porque.ts';
import type { Situacao } from '../../captura/situacao/situacao.ts';
import { type OutrosSinais, situacoesDe } from '../../captura/situacao/situacoes.ts';
import { diasRestantes } from '../../contas/certificado/vigia.ts';
import type { Alcance } from '../acesso.ts';
import { collator } from '../clientes/listar.ts';
import { type Habitos, NUNCA_ANTES_MS, silencioDe } from '../inicio/habito.ts';
import { findParadosDesde } from '../inicio/queries-inicio.ts';
import { instanteDe } from '../tempo.ts';
import type { FiltroDaCaptura } from './schemas-captura.ts';

interface Cliente {
  id: number;
  cpfCnpj: string;
  nome: string;
}

/** The worst first. */
const ORDEM: readonly Gravidade[] = ['parada', 'atencao', 'espera', 'bem'];
/** What somebody has to look at. */
export const PROBLEMAS: readonly Gravidade[] = ['parada', 'atencao'];

interface Visto {
  cliente: Cliente;
  ligado: boolean;
  pior: Gravidade;
  servicos: { servico: string; ligada: boolean; porque: Porque }[];
}

/** A page of clients by how their capture stands, the worst first; and how many stand how. */
export async function listCapturas(
  deps: DepsDaCaptura,
  input: {
    contadorId: number;
    clientes: readonly Cliente[];
    habitos: Habitos;
    busca: string;
    so: FiltroDaCaptura;
    pagina: number;
    tamanho: number;
  },
) {
  const { contadorId, clientes, habitos, so, pagina, tamanho } = input;
  const sinais = await sinaisDe(deps, { contadorId, alcance: null, habitos });
  const situacoes = await situacoesDe(deps, { contadorId, clientes, sinais });
  const vistos = situacoes.flatMap(({ clienteId, situacoes: dele }, at) => {
    const cliente = clientes[at];
    return cliente?.id === clienteId ? [verCliente(cliente, dele)] : [];
  });
  const found = vistos
    .filter((visto) => isWanted(visto, so) && matches(visto.cliente, input.busca))
    .sort(byGravity);
  return {
    total: found.length,
    paginas: Math.ceil(found.length / tamanho),
    tamanho,
    pagina,
    contagens: contar(vistos),
    itens: found.slice((pagina - 1) * tamanho, pagina * tamanho).map(({ cliente, servicos }) => ({
      cpfCnpj: cliente.cpfCnpj,
      nome: cliente.nome,
      servicos: servicos.map(({ servico, ligada, porque: { gravidade, titulo } }) => ({
        servico,
        ligada,
        gravidade,
        titulo,
      })),
    })),
  };
}

/** Everything about one client. */
export async function capturaDoCliente(
  deps: DepsDaCaptura,
  input: { contadorId: number; cliente: Cliente; habitos: Habitos },
) {
  const { contadorId, cliente, habitos } = input;
  const sinais = await sinaisDe(deps, { contadorId, alcance: [cliente.id], habitos });
  const [found] = await situacoesDe(deps, {
    contadorId,
    clientes: [cliente],
    clienteId: cliente.id,
    sinais,
  });
  return (found?.situacoes ?? []).map(verServico);
}

function verServico(situacao: Situacao) {
  const { servico, consentimento, estado, certificado, agora } = situacao;
  const codigo = estado?.ultimaResposta ?? null;
  const motivo = estado?.ultimoMotivo || null;
  const ligada = consentimento?.ligada === true;
  const bloqueadaAte = estado?.bloqueadaAte ?? null;
  return {
    servico,
    nome: NOME_DO_SERVICO[servico],
    ligada,
    passiva: consentimento?.passiva === true,
    mudadaEm: instanteDe(consentimento?.mudadaEm ?? null),
    porques: porQueNadaVeio(situacao),
    ultimaEm: instanteDe(estado?.ultimaEm ?? null),
    ultimaOkEm: instanteDe(estado?.ultimaOkEm ?? null),
    ultimaResposta:
      codigo === null ? null : { codigo, diz: fraseDe({ servico, codigo, motivo }).diz, motivo },
    proximaEm: ligada ? instanteDe(proximaDe(situacao)) : null,
    bloqueadaAte: bloqueadaAte !== null && bloqueadaAte > agora ? instanteDe(bloqueadaAte) : null,
    ultNsu: estado?.ultNsu ?? 0,
    maxNsu: estado?.maxNsu ?? 0,
    ultimoDocumentoEm: instanteDe(estado?.ultimoDocumentoEm ?? null),
    documentos: estado?.documentos ?? 0,
    bloqueios: estado?.bloqueios ?? 0,
    certificado: certificado && {
      validoAte: instanteDe(certificado.validoAte),
      dias: diasRestantes(certificado.validoAte, agora),
    },
  };
}

function verCliente(cliente: Cliente, situacoes: readonly Situacao[]): Visto {
  const servicos = situacoes.map((situacao) => ({
    servico: situacao.servico,
    ligada: situacao.consentimento?.ligada === true,
    porque: porQueNadaVeio(situacao)[0],
  }));
  const graves = servicos.filter(({ ligada }) => ligada).map(({ porque }) => ORDEM.indexOf(porque.gravidade));
  return {
    cliente,
    servicos,
    ligado: graves.length > 0,
    pior: ORDEM[Math.min(ORDEM.length - 1, ...graves)] ?? 'bem',
  };
}

function isWanted({ ligado, pior }: Visto, so: FiltroDaCaptura): boolean {
  if (so === 'todos') return true;
  if (so === 'desligados') return !ligado;
  return ligado && (so === 'ligados' || PROBLEMAS.includes(pior));
}

function contar(vistos: readonly Visto[]) {
  const contagens = { parada: 0, atencao: 0, espera: 0, bem: 0, desligados: 0 };
  for (const { ligado, pior } of vistos) contagens[ligado ? pior : 'desligados']++;
  return contagens;
}

function byGravity(a: Visto, b: Visto): number {
  const rank = ({ ligado, pior }: Visto) => (ligado ? ORDEM.indexOf(pior) : ORDEM.length);
  return (
    rank(a) - rank(b) ||
    collator.compare(a.cliente.nome, b.cliente.nome) ||
    (a.cliente.cpfCnpj < b.cliente.cpfCnpj ? -1 : 1)
  );
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

function matches({ nome, cpfCnpj }: Cliente, busca: string): boolean {
  const words = plain(busca).split(/\s+/).filter(Boolean);
  const digits = plain(busca).replace(/[^a-z0-9]/g, '');
  return (
    words.every((word) => plain(nome).includes(word)) || (digits !== '' && plain(cpfCnpj).includes(digits))
  );
}

/** Clients that are quieter than their habit. */
export async function sinaisDe(
  { db, relogio }: DepsDaCaptura,
  input: { contadorId: number; alcance: Alcance; habitos: Habitos },
): Promise<OutrosSinais> {
  const agora = relogio.parede();
  const parados = await findParadosDesde(db.read, { ...input, antesDe: agora - NUNCA_ANTES_MS });
  const habitos = await input.habitos.de(db.read, parados);
  const silencios = new Map<number, { dias: number; habitoDias: number }>();
  for (const [id, habito] of habitos) {
    const silencio = silencioDe(habito, agora);
    if (silencio) silencios.set(id, silencio);
  }
  return { silencios };
}
