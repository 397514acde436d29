import { type Contexto, type Leitura, refuseAt } from '../leitura.ts';
import type { Recusa } from '../rejeicoes.ts';
import {
  type Ambiente,
  type Chave,
  type CpfCnpj,
  type Documento,
  ESPECIE,
  PAPEL,
  type Papel,
  type Participante,
  type Protocolo,
} from '../tipos.ts';
import type { XmlElement } from '../xml/tree.ts';
import { composeChave, MUNICIPIO_DESCONHECIDO, readNumeroNfse } from './chave-composta.ts';
import { type OrdemDaData, readDecimal, readMonth, readMunicipalDate } from './valores.ts';

/** A party as the layout names it. */
export interface Parte {
  cpfCnpj: CpfCnpj | null;
  nome: string | null;
}

/** What every municipal layout says of a note, read but not yet judged. */
export interface DadosDaNota {
  layout: string | null;
  /** Told by the few layouts that know tests; the others know produção only. */
  ambiente?: Ambiente;
  /** IBGE code (or, for cities known only by another table, `000` and its four digits) of the issuing city. */
  municipio: string | null;
  numero: string | null;
  /** Series of the note's own numbering; null in the layouts that have none. */
  serieDaNota: string | null;
  /** The prestador's number with the city, where the city numbers by it. */
  inscricao?: string | null;
  /** System that gave it, where the city is not known: two cities may give the same number, and two systems are two cities. */
  sistema?: string | null;
  /** Series to show: of the RPS where the note has none. */
  serie: string | null;
  data: { texto: string | null; hora?: string | null; nome: string; ordem?: OrdemDaData };
  /** Month in which the service counts, in any of the forms that cities use. */
  competencia?: string | null;
  valor: string | null;
  natureza: string | null;
  prestador: Parte;
  tomador: Parte;
  intermediario: Parte;
  /** IBGE code of the city where the service was rendered. */
  municipioPrestacao: string | null;
  cancelamento: Cancelamento | null;
  /** Number of the note that this one replaces. */
  substitui: string | null;
  /** National key that the city itself wrote into the note. */
  chaveNacional: Chave | null;
  digest: string;
  avisos: string[];
  /** Of what was read, what people must look at: told beside what became of the file too. */
  duvidas?: readonly string[];
}

export interface Cancelamento {
  /** As it stands in the XML. */
  quando: string | null;
  motivo: string;
}

/** cStat of a homologated cancellation: municipal layouts have no code of their own. @fonte cStat of MOC NF-e 7.0 */
const CSTAT_CANCELADA = '101';

/** The city's word on a cancelled note. It outranks a copy without, as an authorisation outranks a bare NF-e. */
export function protocoloDeCancelamento(cancelamento: Cancelamento): Protocolo {
  return {
    cStat: CSTAT_CANCELADA,
    xMotivo: cancelamento.motivo,
    nProt: null,
    dhRecbto: cancelamento.quando,
    digVal: null,
  };
}

/** Parties without repeats; nobody is left out. */
export function participants(rows: readonly (readonly [Papel, Parte])[]): Participante[] {
  const seen = new Set<string>();
  return rows.flatMap(([papel, { cpfCnpj, nome }]) => {
    if (!cpfCnpj || seen.has(`${papel} ${cpfCnpj}`)) return [];
    seen.add(`${papel} ${cpfCnpj}`);
    return [{ papel, cpfCnpj, nome }];
  });
}

/** Date of the note, or a refusal with its path. */
export function judgeData(
  context: Contexto,
  root: XmlElement,
  data: DadosDaNota['data'],
  municipio: string | null,
): { ok: true; data: string } | Recusa {
  const { texto, hora = null, nome, ordem } = data;
  if (texto === null) {
    return refuseAt(
      context,
      'data_emissao_ausente',
      `Falta a data de emissão (${nome}). Envie o XML completo, como a prefeitura o gerou.`,
      { element: root, missing: nome },
    );
  }
  const read = readMunicipalDate({ texto, hora, municipio, ...(ordem ? { ordem } : {}) });
  return read
    ? { ok: true, data: read }
    : refuseAt(
        context,
        'data_emissao_invalida',
        `A data ${nome} "${texto.slice(0, 40)}" não é válida. Baixe o XML de novo, ou peça-o a quem o emitiu.`,
        { element: root, missing: nome },
      );
}

function judgeIdentidade(
  context: Contexto,
  root: XmlElement,
  dados: DadosDaNota,
): { ok: true; chave: Chave; numero: string; prestador: CpfCnpj } | Recusa {
  const numero = readNumeroNfse(dados.numero);
  if (!numero) {
    return refuseAt(
      context,
      'numero_nfse_invalido',
      dados.numero === null
        ? 'A NFS-e não traz o seu número. Envie o XML completo, como a prefeitura o gerou.'
        : `O número da NFS-e "${dados.numero.slice(0, 30)}" não é válido. Envie o XML como a prefeitura o gerou.`,
      { element: root },
    );
  }
  const { cpfCnpj: prestador } = dados.prestador;
  if (!prestador) {
    return refuseAt(
      context,
      'emitente_ausente',
      `A NFS-e nº ${numero} não traz o CNPJ ou CPF do prestador. Envie o XML completo, como a prefeitura o gerou.`,
      { element: root },
    );
  }
  const municipio = dados.municipio ?? MUNICIPIO_DESCONHECIDO;
  const serie = dados.serieDaNota ?? dados.inscricao ?? null;
  const parts = [serie, dados.municipio === null ? (dados.sistema ?? null) : null].filter(
    (part) => part !== null,
  );
  const numeradaPor = parts.length > 0 ? parts.join('.') : null;
  const chave = dados.chaveNacional ?? composeChave({ municipio, prestador, numero, numeradaPor });
  return chave
    ? { ok: true, chave, numero, prestador }
    : refuseAt(
        context,
        'chave_invalida',
        `A NFS-e nº ${numero} não dá uma chave: município ${municipio}, prestador ${prestador}. Envie o XML como a prefeitura o gerou.`,
        { element: root },
      );
}

/**
 * Judges what was read of a municipal note and makes the document of it.
 *
 * @param input.root element that the note is, for the paths of refusals
 * @param input.assinado element that its signature covers
 */
export function buildNota(
  context: Contexto,
  input: { root: XmlElement; assinado: XmlElement; dados: DadosDaNota },
): Leitura<Documento> {
  const { root, assinado, dados } = input;
  const identity = judgeIdentidade(context, root, dados);
  if (!identity.ok) return identity;
  context.chave = identity.chave;
  const date = judgeData(context, root, dados.data, dados.municipio);
  if (!date.ok) return date;
  const valor = readDecimal(dados.valor);
  const { cancelamento } = dados;
  const registro: Documento = {
    classe: 'documento',
    especie: ESPECIE.nfse,
    chave: identity.chave,
    modelo: 'NFSe',
    ambiente: dados.ambiente ?? 1,
    layout: dados.layout,
    serie: dados.serieDaNota ?? dados.serie ?? '',
    numero: identity.numero,
    dataEmissao: date.data,
    tpNF: null,
    natureza: dados.natureza,
    participantes: participants([
      [PAPEL.prestador, dados.prestador],
      [PAPEL.tomador, dados.tomador],
      [PAPEL.intermediario, dados.intermediario],
    ]),
    valor,
    finalidade: dados.substitui ? { codigo: '101', descricao: 'NFS-e de substituição' } : null,
    itens: [{ numero: 1, cfop: null, ncm: null, valor }],
    protocolo: cancelamento ? protocoloDeCancelamento(cancelamento) : null,
    statusProtocolo: cancelamento ? 'Cancelada' : 'Autorizada',
    digest: dados.digest,
    layoutNacional: false,
    municipioPrestacao: dados.municipioPrestacao ? Number(dados.municipioPrestacao) : null,
    avisos: [...dados.avisos, ...avisosDe(dados, date.data)],
    ...(dados.duvidas && dados.duvidas.length > 0
      ? { ressalva: { codigo: 'lido_com_duvida', mensagem: dados.duvidas.join(' ') } }
      : {}),
  };
  return { ok: true, registro, assinado };
}

function avisosDe(dados: DadosDaNota, dataEmissao: string): string[] {
  const avisos: string[] = [];
  const competencia = readMonth(dados.competencia ?? null);
  if (competencia !== null && competencia !== dataEmissao.slice(0, 7))
    avisos.push(
      `A competência é ${competencia.slice(5)}/${competencia.slice(0, 4)}, outra que o mês da emissão.`,
    );
  if (dados.municipio === null) avisos.push('A NFS-e não diz que município a gerou.');
  if (dados.substitui) avisos.push(`Esta NFS-e substitui a de número ${dados.substitui.slice(0, 20)}.`);
  if (dados.cancelamento) avisos.push(`${dados.cancelamento.motivo}.`);
  return avisos;
}
