import { Buffer } from 'node:buffer';
import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import { digestOf, signatureXml } from './assinatura.ts';
import { certificadoDe, SEMENTE_CERTIFICADOS } from './certificado.ts';
import type { Empresa } from './empresas.ts';
import { localIso } from './municipios.ts';
import { generateNProt, verAplicOf } from './protocolo.ts';
import { branch, DECLARACAO, idLeaf, leaf, NS_NFE } from './xml.ts';

/** Events whose text the official schema fixes. Any other code gets a `detEvento` with its description alone. */
const DESCRICAO_EVENTO: Readonly<Record<string, string>> = {
  '110110': 'Carta de Correção',
  '110111': 'Cancelamento',
  '110112': 'Cancelamento por substituicao',
  '210200': 'Confirmacao da Operacao',
  '210210': 'Ciencia da Operacao',
  '210220': 'Desconhecimento da Operacao',
  '210240': 'Operacao nao Realizada',
};

const MOTIVOS_EVENTO = {
  '135': 'Evento registrado e vinculado a NF-e',
  '136': 'Evento registrado, mas não vinculado a NF-e',
  '155': 'Cancelamento homologado fora de prazo',
  '573': 'Rejeição: Duplicidade de evento',
  '501': 'Rejeição: Prazo de cancelamento superior ao previsto na legislação',
} as const;

/** @fonte Ajuste SINIEF 7/2005, cláusula décima quarta-A; text fixed by e110110_v1.00.xsd */
const CONDICAO_DE_USO =
  'A Carta de Correção é disciplinada pelo § 1º-A do art. 7º do Convênio S/N, de 15 de dezembro de 1970 e pode ser utilizada para regularização de erro ocorrido na emissão de documento fiscal, desde que o erro não esteja relacionado com: I - as variáveis que determinam o valor do imposto tais como: base de cálculo, alíquota, diferença de preço, quantidade, valor da operação ou da prestação; II - a correção de dados cadastrais que implique mudança do remetente ou do destinatário; III - a data de emissão ou de saída.';

const JUSTIFICATIVAS = [
  'Erro de digitação na quantidade & no valor da mercadoria',
  'Cliente desistiu da compra antes da saída da mercadoria',
  'Emitida em duplicidade por falha no sistema',
  'Dados do destinatário informados incorretamente',
];
const CORRECOES = [
  'Onde se lê peso bruto 120,000 kg, leia-se 102,000 kg',
  'Corrigir o número do pedido do cliente para 4512 & o vendedor para 7',
  'Endereço de entrega: acrescentar o complemento Galpão 3',
];

interface EntradaEvento {
  semente: string;
  /** As in `EntradaNfe`. */
  sementeCertificados?: string;
  /** Six digits. */
  codigo: string;
  /** Key of the note it is about. */
  chave: Chave;
  /** Who signs: the issuer, or the recipient for 2102xx. */
  autor: Empresa;
  em: Date;
  /** 1 to 20; corrections count up. Default 1. */
  sequencia?: number;
  ambiente?: 1 | 2;
  /** Protocol number of the note, which cancellations quote. */
  nProt?: string | null;
  /** For 110112: key of the NFC-e that takes its place. */
  chaveSubstituta?: Chave;
  /** Recipient that the answer names. */
  destinatario?: CpfCnpj | null;
  /** Default 135; 573 and 501 are rejections. */
  cStat?: keyof typeof MOTIVOS_EVENTO;
}

interface EventoGerado {
  /** `Id` of infEvento without `ID`. */
  id: string;
  chave: Chave;
  codigo: string;
  sequencia: number;
  autor: CpfCnpj;
  dhEvento: string;
  registrado: boolean;
  nProt: string | null;
  digest: string;
  xml: string;
  bytes: Uint8Array;
}

function detailXml(random: Aleatorio, input: EntradaEvento): string {
  const { codigo } = input;
  const nProt = leaf(
    'nProt',
    input.nProt ?? generateNProt(random, input.chave.slice(0, 2), `20${input.chave.slice(2)}`),
  );
  const reason = leaf('xJust', random.pick(JUSTIFICATIVAS));
  const fields = [leaf('descEvento', DESCRICAO_EVENTO[codigo] ?? `Evento ${codigo}`)];
  if (codigo === '110111') fields.push(nProt, reason);
  if (codigo === '110110')
    fields.push(leaf('xCorrecao', random.pick(CORRECOES)), leaf('xCondUso', CONDICAO_DE_USO));
  if (codigo === '210240') fields.push(reason);
  if (codigo === '110112') {
    fields.push(
      leaf('cOrgaoAutor', input.chave.slice(0, 2)),
      leaf('tpAutor', 1),
      leaf('verAplic', input.autor.verProc.normalize('NFD').replace(/[^ -~]/g, '')),
      nProt,
      reason,
      leaf('chNFeRef', input.chaveSubstituta ?? null),
    );
  }
  return `<detEvento versao="1.00">${fields.join('')}</detEvento>`;
}

function answerXml(random: Aleatorio, input: EntradaEvento, cOrgao: string): [string, string | null] {
  const cStat = input.cStat ?? '135';
  const isRejection = cStat === '573' || cStat === '501';
  const moment = localIso(new Date(input.em.getTime() + random.integer(1, 20) * 1_000), input.autor.uf);
  const nProt = isRejection ? null : generateNProt(random, cOrgao, moment);
  const { destinatario } = input;
  // The schema of 110112 has no recipient in the answer.
  const recipient = destinatario && input.codigo !== '110112' ? idLeaf(destinatario, 'Dest') : '';
  const fields = branch(
    'infEvento',
    leaf('tpAmb', input.ambiente ?? 1),
    leaf('verAplic', cOrgao === '91' ? 'AN_1.6.4' : verAplicOf(input.autor.uf)),
    leaf('cOrgao', cOrgao),
    leaf('cStat', cStat),
    leaf('xMotivo', MOTIVOS_EVENTO[cStat]),
    leaf('chNFe', input.chave),
    leaf('tpEvento', input.codigo),
    leaf('xEvento', DESCRICAO_EVENTO[input.codigo] ?? `Evento ${input.codigo}`),
    leaf('nSeqEvento', input.sequencia ?? 1),
    recipient,
    leaf('dhRegEvento', moment),
    leaf('nProt', nProt),
  );
  return [`<retEvento versao="1.00">${fields}</retEvento>`, nProt];
}

/**
 * Generates a signed `procEventoNFe` with the answer of SEFAZ.
 *
 * @throws RangeError for a code that is not six digits, a sequence outside 1 to 20, or a 110112 without substitute.
 * @fonte XSD leiauteEvento_v1.00
 */
export function generateEvento(input: EntradaEvento): EventoGerado {
  const { codigo, chave, autor, sequencia = 1 } = input;
  if (!/^[0-9]{6}$/.test(codigo)) throw new RangeError(`tpEvento ${codigo}`);
  if (!(Number.isInteger(sequencia) && sequencia >= 1 && sequencia <= 20))
    throw new RangeError(`nSeqEvento ${sequencia}`);
  if (codigo === '110112' && !input.chaveSubstituta) throw new RangeError('110112 needs chaveSubstituta');
  const random = new Aleatorio(`evento/${input.semente}`);
  const id = `${codigo}${chave}${String(sequencia).padStart(2, '0')}`;
  const cOrgao = codigo.startsWith('2') ? '91' : chave.slice(0, 2);
  const dhEvento = localIso(input.em, autor.uf);
  const body = [
    leaf('cOrgao', cOrgao),
    leaf('tpAmb', input.ambiente ?? 1),
    idLeaf(autor.id),
    leaf('chNFe', chave),
    leaf('dhEvento', dhEvento),
    leaf('tpEvento', codigo),
    leaf('nSeqEvento', sequencia),
    leaf('verEvento', '1.00'),
    detailXml(random, input),
  ].join('');
  const digest = digestOf(`<infEvento xmlns="${NS_NFE}" Id="ID${id}">${body}</infEvento>`);
  const certificado = certificadoDe(autor, input.sementeCertificados ?? SEMENTE_CERTIFICADOS, input.em);
  const signature = signatureXml(`ID${id}`, digest, certificado, autor.estilo);
  const signed = `<infEvento Id="ID${id}">${body}</infEvento>${signature}`;
  const [answer, nProt] = answerXml(random, input, cOrgao);
  const evento = `<evento xmlns="${NS_NFE}" versao="1.00">${signed}</evento>`;
  const xml = `${DECLARACAO}<procEventoNFe xmlns="${NS_NFE}" versao="1.00">${evento}${answer}</procEventoNFe>`;
  return {
    id,
    chave,
    codigo,
    sequencia,
    autor: autor.id,
    dhEvento,
    registrado: nProt !== null,
    nProt,
    digest,
    xml,
    bytes: Buffer.from(xml, 'utf8'),
  };
}
