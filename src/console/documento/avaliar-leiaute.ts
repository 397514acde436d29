/** What a layout that is being made reads from all that waits. Runs in a thread of its own (`tarefa.ts`). */

import { abrirGuardado } from '../../documentos/leiautes/a-ensinar.ts';
import { familiasCom, type Reconhecedor } from '../../fiscal/familias.ts';
import { lerConteudo } from '../../fiscal/ler.ts';
import { SEM_JULGAR } from '../../fiscal/ler-peca.ts';
import { foiEnsinadaPor } from '../../fiscal/nfse/leiautes/ensinada.ts';
import type { Leiaute } from '../../fiscal/nfse/leiautes/leiaute.ts';
import { textosEm } from '../../fiscal/nfse/leiautes/ler-notas-com.ts';
import { readEnsinado } from '../../fiscal/nfse/leiautes/validar-ensinado.ts';
import type { Documento, Peca } from '../../fiscal/tipos.ts';
import { treeOf } from '../../fiscal/xml/scan.ts';

export interface AAvaliar {
  /** Descriptions, JSON: those of the office that come before and behind it, and it. */
  textos: string[];
  /** `id` of the one in question. */
  id: string;
  /** Place of what says that a note was cancelled; null where nothing does. */
  situacao: string | null;
  guardados: { caminho: string; digest: string; bytes: Uint8Array }[];
}

/** A note as it would be read. */
export interface NotaAvaliada {
  arquivo: string;
  numero: string;
  data: string;
  prestador: string | null;
  nomeDoPrestador: string | null;
  tomador: string | null;
  nomeDoTomador: string | null;
  valor: string | null;
  situacao: string;
  chave: string;
  /** What people must look at. */
  duvida: string | null;
}

export interface Avaliacao {
  arquivos: number;
  /** Of which something is read by it. */
  arquivosLidos: number;
  notas: number;
  /** The first of them. */
  linhas: NotaAvaliada[];
  /** Files of which nothing is read, with why: the first of them. */
  falhas: { arquivo: string; mensagem: string }[];
  /** Texts that stand at the place of the situation, with how often, the most frequent first. */
  situacoes: { texto: string; vezes: number }[];
}

const LINHAS_MAX = 50;
const FALHAS_MAX = 20;
const SITUACOES_MAX = 30;

export function judgeLeiaute(input: AAvaliar): Avaliacao {
  const leiautes = input.textos.flatMap((texto) => {
    const read = readEnsinado(texto);
    return read.ok ? [read.leiaute] : [];
  });
  const leiaute = leiautes.find(({ id }) => id === input.id);
  const avaliacao: Avaliacao = {
    arquivos: input.guardados.length,
    ...{ arquivosLidos: 0, notas: 0, linhas: [], falhas: [], situacoes: [] },
  };
  if (!leiaute) return avaliacao;
  const vezes = new Map<string, number>();
  const familias = familiasCom(leiautes);
  for (const guardado of input.guardados) {
    const bytes = abrirGuardado(guardado);
    if (!bytes) continue;
    addArquivo(avaliacao, { leiaute, familias, caminho: guardado.caminho, bytes });
    for (const texto of situacoesEm(bytes, leiaute, input.situacao))
      vezes.set(texto, (vezes.get(texto) ?? 0) + 1);
  }
  avaliacao.situacoes = [...vezes]
    .map(([texto, quantas]) => ({ texto, vezes: quantas }))
    .sort((a, b) => b.vezes - a.vezes)
    .slice(0, SITUACOES_MAX);
  return avaliacao;
}

function situacoesEm(bytes: Uint8Array, leiaute: Leiaute, lugar: string | null): string[] {
  const tree = lugar === null ? null : treeOf(bytes);
  return tree && lugar !== null ? textosEm(leiaute, tree, lugar) : [];
}

interface Arquivo {
  leiaute: Leiaute;
  familias: readonly Reconhecedor[];
  caminho: string;
  bytes: Uint8Array;
}

function addArquivo(avaliacao: Avaliacao, { leiaute, familias, caminho, bytes }: Arquivo): void {
  const nome = caminho || 'nota.xml';
  const pecas = lerConteudo({ bytes, nome }, { validador: SEM_JULGAR, familias });
  const notas = pecas.flatMap((peca) => notaDe(peca, leiaute));
  if (notas.length > 0) avaliacao.arquivosLidos += 1;
  else if (avaliacao.falhas.length < FALHAS_MAX)
    avaliacao.falhas.push({ arquivo: caminho, mensagem: porQueNao(pecas) });
  avaliacao.notas += notas.length;
  for (const nota of notas)
    if (avaliacao.linhas.length < LINHAS_MAX) avaliacao.linhas.push(linhaDe(nota, caminho));
}

function notaDe(peca: Peca, leiaute: Leiaute): Documento[] {
  if (peca.resultado !== 'lida' || peca.registro.classe !== 'documento') return [];
  return foiEnsinadaPor(peca.registro, leiaute) ? [peca.registro] : [];
}

function porQueNao(pecas: readonly Peca[]): string {
  const refused = pecas.find(({ resultado }) => resultado === 'rejeitada');
  return refused?.resultado === 'rejeitada'
    ? refused.rejeicao.mensagem
    : 'Nada deste arquivo é lido por este leiaute.';
}

function linhaDe(nota: Documento, arquivo: string): NotaAvaliada {
  const quem = (papel: string) => nota.participantes.find((parte) => parte.papel === papel);
  const [prestador, tomador] = [quem('prestador'), quem('tomador')];
  return {
    arquivo,
    numero: nota.numero,
    data: nota.dataEmissao,
    prestador: prestador?.cpfCnpj ?? null,
    nomeDoPrestador: prestador?.nome ?? null,
    tomador: tomador?.cpfCnpj ?? null,
    nomeDoTomador: tomador?.nome ?? null,
    valor: nota.valor,
    situacao: nota.statusProtocolo,
    chave: nota.chave,
    duvida: nota.ressalva?.mensagem ?? null,
  };
}
