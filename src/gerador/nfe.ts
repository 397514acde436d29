import { Buffer } from 'node:buffer';
import { chaveCheckDigit } from '../fiscal/chave.ts';
import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import { digestOf, signatureXml } from './assinatura.ts';
import { certificadoDe, SEMENTE_CERTIFICADOS } from './certificado.ts';
import { type Empresa, generateCnpj, type Pessoa } from './empresas.ts';
import { generateItens, quantidadeDeItens, totalXml } from './itens.ts';
import { localIso } from './municipios.ts';
import { infNFeSuplXml } from './nfce.ts';
import { type CodigoOperacao, OPERACOES } from './operacoes.ts';
import * as partes from './partes.ts';
import { type ProtocoloGerado, protNFeXml, type ResultadoProtocolo } from './protocolo.ts';
import type { ContextoFiscal } from './tributos.ts';
import { branch, DECLARACAO, leaf, money, NS_NFE } from './xml.ts';

export interface EntradaNfe {
  /** Seed of this one document: the same input gives the same bytes. */
  semente: string;
  /** Seed of the certificates, one for a whole data set: each seed makes a new key for each company. */
  sementeCertificados?: string;
  emitente: Empresa;
  /** null only for a NFC-e sold to somebody who did not say who he is. */
  destinatario: Empresa | Pessoa | null;
  modelo: '55' | '65';
  /** 0 to 999; an issuer with CPF has 920 to 969. */
  serie: number;
  numero: number;
  emissao: Date;
  ambiente?: 1 | 2;
  layout?: partes.Layout;
  operacao?: CodigoOperacao;
  /** Number of items, 1 to 990; drawn by profile when absent. */
  itens?: number;
  /** Answer of SEFAZ; null leaves the note bare (root `NFe`, status Pendente). Default: authorised, cStat 100. */
  protocolo?: ResultadoProtocolo | null;
  /** `9`: off-line contingency, for NFC-e only. */
  tpEmis?: '1' | '9';
  /** Third parties that may fetch the note (`autXML`), at most 10. */
  autorizados?: readonly CpfCnpj[];
  transportador?: Empresa | null;
  /** Keys that the note refers to, for returns. */
  referencias?: readonly Chave[];
}

export interface NfeGerada {
  chave: Chave;
  /** nfeProc, or NFe without protocol, with declaration, in one line. */
  xml: string;
  bytes: Uint8Array;
  /** The `NFe` element alone, without declaration, for a lote. */
  nfe: string;
  modelo: '55' | '65';
  emitente: CpfCnpj;
  destinatario: CpfCnpj | null;
  serie: number;
  numero: number;
  /** As in `dhEmi`. */
  dhEmi: string;
  /** vNF, decimal text. */
  valor: string;
  itens: number;
  /** DigestValue, Base64. */
  digest: string;
  protocolo: ProtocoloGerado | null;
}

/** Puts an access key together. @fonte MOC NF-e 7.0 Anexo I */
export function assembleChave(partesDaChave: {
  cUF: string;
  /** ISO 8601 local date. */
  dhEmi: string;
  emitente: CpfCnpj;
  modelo: string;
  serie: number;
  numero: number;
  tpEmis: string;
  codigo: string;
}): Chave {
  const { cUF, dhEmi, emitente, modelo, serie, numero, tpEmis, codigo } = partesDaChave;
  const body =
    cUF +
    dhEmi.slice(2, 4) +
    dhEmi.slice(5, 7) +
    emitente.padStart(14, '0') +
    modelo +
    String(serie).padStart(3, '0') +
    String(numero).padStart(9, '0') +
    tpEmis +
    codigo;
  return (body + chaveCheckDigit(body)) as Chave;
}

function assertValid(input: EntradaNfe): void {
  const { emitente, destinatario, modelo, serie, numero, itens, tpEmis } = input;
  const fail = (reason: string): never => {
    throw new RangeError(`cannot generate this note: ${reason}`);
  };
  if (!destinatario && modelo === '55') fail('an NF-e needs a destinatário');
  if (!(Number.isInteger(serie) && serie >= 0 && serie <= 999)) fail(`série ${serie}`);
  if (!(Number.isInteger(numero) && numero >= 1 && numero <= 999_999_999)) fail(`número ${numero}`);
  if (itens !== undefined && !(Number.isInteger(itens) && itens >= 1 && itens <= 990)) fail(`${itens} itens`);
  if (emitente.id.length === 11 && (serie < 920 || serie > 969))
    fail('an issuer with CPF has série 920 to 969');
  if (tpEmis === '9' && modelo !== '65') fail('tpEmis 9 belongs to NFC-e');
  if ((input.autorizados?.length ?? 0) > 10) fail('more than 10 autXML');
}

/** Everything decided about a note before its text is written. */
interface Nota {
  input: EntradaNfe;
  random: Aleatorio;
  ctx: ContextoFiscal;
  chave: Chave;
  dhEmi: string;
  ambiente: 1 | 2;
  tpEmis: string;
}

function prepare(input: EntradaNfe): Nota {
  const { emitente, destinatario, modelo, layout = '4.00', tpEmis = '1' } = input;
  const random = new Aleatorio(`nfe/${input.semente}`);
  const dhEmi = localIso(input.emissao, emitente.uf);
  const chave = assembleChave({
    cUF: emitente.endereco.municipio.codigo.slice(0, 2),
    dhEmi,
    emitente: emitente.id,
    modelo,
    serie: input.serie,
    numero: input.numero,
    tpEmis,
    codigo: random.digits(8),
  });
  const isRetail = modelo === '65' || !destinatario;
  const contribuinte = !isRetail && partes.isEmpresa(destinatario);
  const ctx: ContextoFiscal = {
    emitente,
    ufDestino: isRetail ? emitente.uf : destinatario.endereco.municipio.uf,
    contribuinte,
    consumidorFinal: !contribuinte,
    operacao: OPERACOES[input.operacao ?? 'venda'],
    layout,
    comIbsCbs: layout === '4.00' && emitente.crt === '3' && dhEmi >= '2026',
  };
  return { input, random, ctx, chave, dhEmi, ambiente: input.ambiente ?? 1, tpEmis };
}

function ideXml(nota: Nota): string {
  const { input, ctx, chave, dhEmi } = nota;
  const { emitente, modelo } = input;
  const { municipio } = emitente.endereco;
  const is400 = ctx.layout === '4.00';
  const isNfce = modelo === '65';
  const presence = isNfce ? '1' : nota.random.pick(['1', '2', '9']);
  const leavesLater = !isNfce && nota.random.chance(0.5);
  const exit = localIso(
    new Date(input.emissao.getTime() + nota.random.integer(5, 180) * 60_000),
    emitente.uf,
  );
  const offline =
    nota.tpEmis === '9' ? leaf('dhCont', dhEmi) + leaf('xJust', 'Sem conexão com a internet & SEFAZ') : '';
  return branch(
    'ide',
    leaf('cUF', municipio.codigo.slice(0, 2)),
    leaf('cNF', chave.slice(35, 43)),
    leaf('natOp', isNfce ? 'Venda ao consumidor' : ctx.operacao.natOp),
    is400 ? '' : leaf('indPag', 0),
    leaf('mod', modelo),
    leaf('serie', input.serie),
    leaf('nNF', input.numero),
    leaf('dhEmi', dhEmi),
    leavesLater ? leaf('dhSaiEnt', exit) : '',
    leaf('tpNF', ctx.operacao.tpNF),
    leaf('idDest', ctx.ufDestino === emitente.uf ? 1 : 2),
    leaf('cMunFG', municipio.codigo),
    leaf('tpImp', isNfce ? 4 : 1),
    leaf('tpEmis', nota.tpEmis),
    leaf('cDV', chave.slice(43)),
    leaf('tpAmb', nota.ambiente),
    leaf('finNFe', ctx.operacao.finNFe),
    leaf('indFinal', ctx.consumidorFinal ? 1 : 0),
    leaf('indPres', presence),
    is400 && (presence === '2' || presence === '9') ? leaf('indIntermed', 0) : '',
    leaf('procEmi', 0),
    leaf('verProc', emitente.verProc),
    offline,
    partes.referenciasXml(input.referencias ?? []),
  );
}

/** Whose articles the note lists: a return and an entry list those of the other side. */
function articlesOf(nota: Nota): Empresa['produtos'] {
  const { emitente, destinatario } = nota.input;
  const isOfOtherSide = nota.ctx.operacao.finNFe === '4' || nota.ctx.operacao.tpNF === '0';
  return isOfOtherSide && destinatario && partes.isEmpresa(destinatario)
    ? destinatario.produtos
    : emitente.produtos;
}

/**
 * Generates one signed NF-e or NFC-e, valid against the official XSD of its layout.
 *
 * @throws RangeError when the input asks for a note that cannot exist (series, number, model).
 * @fonte XSD leiauteNFe_v4.00; MOC NF-e 7.0 Anexo I; XMLDSig Core
 */
export function generateNfe(input: EntradaNfe): NfeGerada {
  assertValid(input);
  const nota = prepare(input);
  const { random, ctx, ambiente } = nota;
  const { emitente, destinatario, modelo } = input;
  const transportador = modelo === '55' ? (input.transportador ?? null) : null;
  const comFrete = transportador !== null && random.chance(0.5);
  const itens = generateItens(random.fork('itens'), ctx, {
    produtos: articlesOf(nota),
    quantidade: input.itens ?? quantidadeDeItens(random, emitente.perfil, modelo),
    ambiente,
    modelo,
    comFrete,
  });
  const { operacao, layout } = ctx;
  const { emissao } = input;
  const charge = { modelo, layout, operacao, vNF: itens.vNF, emissao, emitente };
  const { cobr, pag } = partes.cobrancaXml(random, charge);
  const body = [
    ideXml(nota),
    partes.emitXml(emitente),
    destinatario ? partes.destXml(destinatario, modelo, ambiente) : '',
    partes.autXml(input.autorizados ?? []),
    itens.xml,
    totalXml(itens, ctx),
    partes.transpXml(random, transportador, comFrete, layout),
    cobr,
    pag,
    partes.infAdicXml(random),
    layout === '4.00' && random.chance(0.5)
      ? partes.infRespTecXml(generateCnpj(new Aleatorio(emitente.verProc)))
      : '',
  ].join('');
  return finish(nota, body, itens);
}

function finish(nota: Nota, body: string, itens: ReturnType<typeof generateItens>): NfeGerada {
  const { input, ctx, chave, ambiente, dhEmi, tpEmis } = nota;
  const { emitente, destinatario, modelo } = input;
  const { layout } = ctx;
  const { estilo } = emitente;
  const id = `NFe${chave}`;
  const digest = digestOf(`<infNFe xmlns="${NS_NFE}" Id="${id}" versao="${layout}">${body}</infNFe>`);
  const certificado = certificadoDe(
    emitente,
    input.sementeCertificados ?? SEMENTE_CERTIFICADOS,
    input.emissao,
  );
  const attributes = estilo.versaoPrimeiro
    ? `versao="${layout}" Id="${id}"`
    : `Id="${id}" versao="${layout}"`;
  const supplement =
    modelo === '65'
      ? infNFeSuplXml({
          chave,
          emitente,
          ambiente,
          layout,
          tpEmis,
          dhEmi,
          consumidor: destinatario?.id ?? null,
          vNF: itens.vNF,
          vICMS: itens.totais.vICMS,
          digest,
        })
      : '';
  const signature = signatureXml(id, digest, certificado, estilo);
  const nfe = `<NFe xmlns="${NS_NFE}"><infNFe ${attributes}>${body}</infNFe>${supplement}${signature}</NFe>`;
  const resultado = input.protocolo === undefined ? { cStat: '100' as const } : input.protocolo;
  const answer =
    resultado &&
    protNFeXml(nota.random.fork('protocolo'), {
      ...resultado,
      chave,
      ambiente,
      layout,
      uf: emitente.uf,
      emissao: input.emissao,
      digest,
    });
  const xml = answer
    ? `${DECLARACAO}<nfeProc xmlns="${NS_NFE}" versao="${layout}">${nfe}${answer.xml}</nfeProc>`
    : DECLARACAO + nfe;
  return {
    chave,
    xml,
    bytes: Buffer.from(xml, 'utf8'),
    nfe,
    modelo,
    emitente: emitente.id,
    destinatario: destinatario?.id ?? null,
    serie: input.serie,
    numero: input.numero,
    dhEmi,
    valor: money(itens.vNF),
    itens: itens.quantidade,
    digest,
    protocolo: answer ? answer.protocolo : null,
  };
}
