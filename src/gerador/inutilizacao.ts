import { Buffer } from 'node:buffer';
import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import { digestOf, signatureXml } from './assinatura.ts';
import { certificadoDe, SEMENTE_CERTIFICADOS } from './certificado.ts';
import type { Empresa } from './empresas.ts';
import { localIso } from './municipios.ts';
import type { Layout } from './partes.ts';
import { generateNProt, verAplicOf } from './protocolo.ts';
import { branch, DECLARACAO, leaf, NS_NFE } from './xml.ts';

interface EntradaInutilizacao {
  semente: string;
  /** As in `EntradaNfe`. */
  sementeCertificados?: string;
  /** A company with CNPJ: the national layout has no CPF here. */
  emitente: Empresa;
  modelo: '55' | '65';
  serie: number;
  numeroInicial: number;
  numeroFinal: number;
  em: Date;
  ambiente?: 1 | 2;
  layout?: Layout;
  /** Default 102; 563 is a rejection (already asked for). */
  cStat?: '102' | '563';
}

interface InutilizacaoGerada {
  /** The Id without `ID`. */
  chave: Chave;
  emitente: CpfCnpj;
  dhRecbto: string;
  homologada: boolean;
  nProt: string | null;
  digest: string;
  /** `ProcInutNFe`. */
  xml: string;
  bytes: Uint8Array;
  /** `retInutNFe` alone, with declaration. */
  resposta: { xml: string; bytes: Uint8Array };
}

const MOTIVOS_INUT = {
  '102': 'Inutilização de número homologado',
  '563': 'Rejeição: Já existe pedido de inutilização com a mesma faixa',
} as const;

/**
 * Generates a signed request that gives numbers up, with the answer of SEFAZ.
 *
 * @throws RangeError for an issuer with CPF or a range that is empty or outside 1 to 999,999,999.
 * @fonte XSD leiauteInutNFe_v4.00
 */
export function generateInutilizacao(input: EntradaInutilizacao): InutilizacaoGerada {
  const { emitente, modelo, serie, numeroInicial, numeroFinal, layout = '4.00', ambiente = 1 } = input;
  if (emitente.id.length !== 14) throw new RangeError('only an issuer with CNPJ gives numbers up');
  if (!(numeroInicial >= 1 && numeroFinal >= numeroInicial && numeroFinal <= 999_999_999)) {
    throw new RangeError(`range ${numeroInicial} to ${numeroFinal}`);
  }
  const random = new Aleatorio(`inutilizacao/${input.semente}`);
  const iso = localIso(input.em, emitente.uf);
  const cUF = emitente.endereco.municipio.codigo.slice(0, 2);
  const ano = iso.slice(2, 4);
  const pad = (n: number, size: number) => String(n).padStart(size, '0');
  const chave =
    `${cUF}${ano}${emitente.id}${modelo}${pad(serie, 3)}${pad(numeroInicial, 9)}${pad(numeroFinal, 9)}` as Chave;
  const range = [
    leaf('cUF', cUF),
    leaf('ano', ano),
    leaf('CNPJ', emitente.id),
    leaf('mod', modelo),
    leaf('serie', serie),
    leaf('nNFIni', numeroInicial),
    leaf('nNFFin', numeroFinal),
  ].join('');
  const reason = leaf('xJust', 'Falha na sequência de numeração do sistema emissor');
  const body = leaf('tpAmb', ambiente) + leaf('xServ', 'INUTILIZAR') + range + reason;
  const digest = digestOf(`<infInut xmlns="${NS_NFE}" Id="ID${chave}">${body}</infInut>`);
  const certificado = certificadoDe(emitente, input.sementeCertificados ?? SEMENTE_CERTIFICADOS, input.em);
  const signature = signatureXml(`ID${chave}`, digest, certificado, emitente.estilo);
  const request = `<inutNFe xmlns="${NS_NFE}" versao="${layout}"><infInut Id="ID${chave}">${body}</infInut>${signature}</inutNFe>`;

  const cStat = input.cStat ?? '102';
  const nProt = cStat === '102' ? generateNProt(random, cUF, iso) : null;
  const answer = branch(
    'infInut',
    leaf('tpAmb', ambiente),
    leaf('verAplic', verAplicOf(emitente.uf)),
    leaf('cStat', cStat),
    leaf('xMotivo', MOTIVOS_INUT[cStat]),
    range,
    leaf('dhRecbto', iso),
    leaf('nProt', nProt),
  );
  const wrapped = `<ProcInutNFe xmlns="${NS_NFE}" versao="${layout}">${request}<retInutNFe versao="${layout}">${answer}</retInutNFe></ProcInutNFe>`;
  const xml = DECLARACAO + wrapped;
  const alone = `${DECLARACAO}<retInutNFe xmlns="${NS_NFE}" versao="${layout}">${answer}</retInutNFe>`;
  return {
    chave,
    emitente: emitente.id,
    dhRecbto: iso,
    homologada: nProt !== null,
    nProt,
    digest,
    xml,
    bytes: Buffer.from(xml, 'utf8'),
    resposta: { xml: alone, bytes: Buffer.from(alone, 'utf8') },
  };
}
