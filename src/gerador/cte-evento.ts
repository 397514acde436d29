import { Buffer } from 'node:buffer';
import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import { digestOf, signatureXml } from './assinatura.ts';
import { certificadoDe, SEMENTE_CERTIFICADOS } from './certificado.ts';
import { LAYOUT_CTE, NS_CTE, verAplicDoCte } from './cte-partes.ts';
import type { Empresa } from './empresas.ts';
import { localIso } from './municipios.ts';
import { generateNProt } from './protocolo.ts';
import { branch, DECLARACAO, idLeaf, leaf } from './xml.ts';

const DESCRICAO = { '110110': 'Carta de Correção', '110111': 'Cancelamento' } as const;

const MOTIVOS = {
  '135': 'Evento registrado e vinculado a CT-e',
  '631': 'Rejeição: Duplicidade de evento',
} as const;

/** @fonte Convênio SINIEF 06/89, art. 58-B; text fixed by evCCeCTe_v4.00.xsd */
const CONDICAO_DE_USO =
  'A Carta de Correção é disciplinada pelo Art. 58-B do CONVÊNIO/SINIEF 06/89: Fica permitida a utilização de carta de correção, para regularização de erro ocorrido na emissão de documentos fiscais relativos à prestação de serviço de transporte, desde que o erro não esteja relacionado com: I - as variáveis que determinam o valor do imposto tais como: base de cálculo, alíquota, diferença de preço, quantidade, valor da prestação;II - a correção de dados cadastrais que implique mudança do emitente, tomador, remetente ou do destinatário;III - a data de emissão ou de saída.';

const JUSTIFICATIVAS = [
  'Coleta cancelada pelo remetente & mercadoria não embarcada',
  'Valor da prestação informado com erro de digitação',
  'Emitido em duplicidade por falha no sistema',
];
/** Group, field and new value of corrections. */
const CORRECOES = [
  ['compl', 'xObs', 'Entregar no Galpão 3 & avisar a portaria'],
  ['infQ', 'tpMed', 'PESO CUBADO'],
  ['infCarga', 'proPred', 'Peças & acessórios'],
] as const;

export interface EntradaEventoCte {
  semente: string;
  /** As in `EntradaNfe`. */
  sementeCertificados?: string;
  /** 110110 letter of correction, 110111 cancellation. */
  codigo: keyof typeof DESCRICAO;
  /** Key of the CT-e or CT-e OS. */
  chave: Chave;
  /** The carrier. */
  autor: Empresa;
  em: Date;
  /** 1 to 999; corrections count up. Default 1. */
  sequencia?: number;
  ambiente?: 1 | 2;
  /** Protocol number of the document, which cancellations quote. */
  nProt?: string | null;
  /** Default 135; 631 is a rejection. */
  cStat?: keyof typeof MOTIVOS;
}

interface EventoCteGerado {
  /** `Id` of infEvento without `ID`. */
  id: string;
  chave: Chave;
  codigo: keyof typeof DESCRICAO;
  sequencia: number;
  autor: CpfCnpj;
  dhEvento: string;
  registrado: boolean;
  digest: string;
  xml: string;
  bytes: Uint8Array;
}

function detailXml(random: Aleatorio, input: EntradaEventoCte): string {
  const description = leaf('descEvento', DESCRICAO[input.codigo]);
  if (input.codigo === '110111') {
    const nProt = input.nProt ?? generateNProt(random, input.chave.slice(0, 2), `20${input.chave.slice(2)}`);
    const reason = leaf('xJust', random.pick(JUSTIFICATIVAS));
    return branch('evCancCTe', description, leaf('nProt', nProt), reason);
  }
  const [grupo, campo, valor] = random.pick(CORRECOES);
  const correction = branch(
    'infCorrecao',
    leaf('grupoAlterado', grupo),
    leaf('campoAlterado', campo),
    leaf('valorAlterado', valor),
  );
  return branch('evCCeCTe', description, correction, leaf('xCondUso', CONDICAO_DE_USO));
}

function answerXml(random: Aleatorio, input: EntradaEventoCte, cOrgao: string): string {
  const { codigo, chave, autor, sequencia = 1, cStat = '135' } = input;
  const moment = localIso(new Date(input.em.getTime() + random.integer(1, 20) * 1_000), autor.uf);
  const fields = branch(
    'infEvento',
    leaf('tpAmb', input.ambiente ?? 1),
    leaf('verAplic', verAplicDoCte(autor.uf)),
    leaf('cOrgao', cOrgao),
    leaf('cStat', cStat),
    leaf('xMotivo', MOTIVOS[cStat]),
    leaf('chCTe', chave),
    leaf('tpEvento', codigo),
    leaf('xEvento', DESCRICAO[codigo]),
    leaf('nSeqEvento', sequencia),
    leaf('dhRegEvento', moment),
    cStat === '135' ? leaf('nProt', generateNProt(random, cOrgao, moment)) : '',
  );
  return `<retEventoCTe versao="${LAYOUT_CTE}">${fields}</retEventoCTe>`;
}

/**
 * Generates a signed `procEventoCTe` (layout 4.00) with the answer of SEFAZ.
 *
 * @throws RangeError for a sequence outside 1 to 999.
 * @fonte XSD eventoCTeTiposBasico_v4.00
 */
export function generateEventoCte(input: EntradaEventoCte): EventoCteGerado {
  const { codigo, chave, autor, sequencia = 1 } = input;
  if (!(Number.isInteger(sequencia) && sequencia >= 1 && sequencia <= 999))
    throw new RangeError(`nSeqEvento ${sequencia}`);
  const random = new Aleatorio(`evento-cte/${input.semente}`);
  const id = `${codigo}${chave}${String(sequencia).padStart(3, '0')}`;
  const cOrgao = chave.slice(0, 2);
  const dhEvento = localIso(input.em, autor.uf);
  const body = [
    leaf('cOrgao', cOrgao),
    leaf('tpAmb', input.ambiente ?? 1),
    idLeaf(autor.id),
    leaf('chCTe', chave),
    leaf('dhEvento', dhEvento),
    leaf('tpEvento', codigo),
    leaf('nSeqEvento', sequencia),
    `<detEvento versaoEvento="${LAYOUT_CTE}">${detailXml(random, input)}</detEvento>`,
  ].join('');
  const digest = digestOf(`<infEvento xmlns="${NS_CTE}" Id="ID${id}">${body}</infEvento>`);
  const certificado = certificadoDe(autor, input.sementeCertificados ?? SEMENTE_CERTIFICADOS, input.em);
  const signature = signatureXml(`ID${id}`, digest, certificado, autor.estilo);
  const evento = `<eventoCTe xmlns="${NS_CTE}" versao="${LAYOUT_CTE}"><infEvento Id="ID${id}">${body}</infEvento>${signature}</eventoCTe>`;
  const xml = `${DECLARACAO}<procEventoCTe xmlns="${NS_CTE}" versao="${LAYOUT_CTE}">${evento}${answerXml(random, input, cOrgao)}</procEventoCTe>`;
  return {
    id,
    chave,
    codigo,
    sequencia,
    autor: autor.id,
    dhEvento,
    registrado: (input.cStat ?? '135') === '135',
    digest,
    xml,
    bytes: Buffer.from(xml, 'utf8'),
  };
}
