/** Makes of something true what somebody would like to be true: each kind is a way in which anybody can write a file. */
import { createHash } from 'node:crypto';
import { idOf } from '../../src/fiscal/leitura.ts';
import { canonicalize } from '../../src/fiscal/xml/c14n.ts';
import { scanXml } from '../../src/fiscal/xml/scan.ts';
import { walk } from '../../src/fiscal/xml/tree.ts';
import type { Aleatorio } from '../../src/gerador/aleatorio.ts';
import { signatureXml } from '../../src/gerador/assinatura.ts';
import { certificadoDe, SEMENTE_DE_ESTRANHOS } from '../../src/gerador/certificado.ts';
import { ESTRANHO, type Genuino } from './genuinos.ts';

export type Forja = (genuino: Genuino, random: Aleatorio) => string | null;

const digits = (random: Aleatorio, count: number) => random.digits(count);
const valor = (random: Aleatorio) => `${random.integer(1, 99_999)}.${random.digits(2)}`;

/** Another value in the signed content; what the signature and the protocol claim stays as it was. */
function alterada({ documento }: Genuino, random: Aleatorio): string {
  const novo = documento.replace(
    /<(vNF|vTPrest|vServ|vLiq|vCFe|ValorServicos)>[^<]*</g,
    (_all, tag) => `<${tag}>${valor(random)}<`,
  );
  return novo === documento
    ? documento.replace(/<xNome>[^<]*</, `<xNome>FORJADA ${digits(random, 6)}<`)
    : novo;
}

const comProtocolo = (xml: string, cStat: string, random: Aleatorio) =>
  xml
    .replace(/<cStat>100</, `<cStat>${cStat}<`)
    .replace(/(<infProt[^>]*>.*?<nProt>)\d+(<\/nProt>)/, `$1${digits(random, 15)}$2`);

const semAssinatura = (xml: string) => xml.replace(/<Signature .*?<\/Signature>/, '');

/** Which element a family signs, and how its protocol names it. */
function assinado({ familia, nome }: Genuino): { elemento: string; prot: string; chave: string } | null {
  if (nome === null) return null;
  return { elemento: familia === 'cte' ? 'infCte' : `inf${nome}`, prot: `prot${nome}`, chave: `ch${nome}` };
}

/** What only these two were ever answered with. */
const ehNota = ({ familia }: Genuino) => familia === 'nfe' || familia === 'nfce';

/** Signs altered content anew with a certificate of its own, and lets the protocol be about it. */
function reassinada(
  genuino: Genuino,
  random: Aleatorio,
  semente: string,
  outro = (xml: string) => xml,
): string | null {
  const de = assinado(genuino);
  if (!de) return null;
  const bare = outro(semAssinatura(alterada(genuino, random)));
  const scan = scanXml(Buffer.from(bare));
  if (!scan.ok) throw new Error('the forgery is no XML');
  for (const element of walk(scan.tree.root)) {
    if (element.localName !== de.elemento) continue;
    const form = canonicalize(scan.tree, element, { exclusive: false, withComments: false });
    const digest = createHash('sha1').update(form).digest('base64');
    const certificado = certificadoDe(ESTRANHO, semente, new Date('2026-03-10T13:00:00Z'));
    const id = idOf(element) ?? '';
    const signature = signatureXml(id, digest, certificado, { autoFechado: false });
    return bare
      .replace(`</${de.elemento}>`, `</${de.elemento}>${signature}`)
      .replace(/<digVal>[^<]*</, `<digVal>${digest}<`);
  }
  return null;
}

/** An answer of SEFAZ by itself. */
function resposta(genuino: Genuino, random: Aleatorio, cStat: string): string | null {
  const de = assinado(genuino);
  if (!de) return null;
  const { prot, chave } = de;
  const ns = genuino.nome?.toLowerCase();
  const digVal = random.chance(0.5) ? `<digVal>${genuino.digest}</digVal>` : '';
  const nProt = random.chance(0.5) ? `<nProt>${digits(random, 15)}</nProt>` : '';
  const motivo = `<xMotivo>forja ${digits(random, 6)}</xMotivo>`;
  return (
    `<${prot} versao="4.00" xmlns="http://www.portalfiscal.inf.br/${ns}"><infProt><tpAmb>1</tpAmb>` +
    `<${chave}>${genuino.chave}</${chave}><dhRecbto>2026-03-10T10:00:00-03:00</dhRecbto>` +
    `${nProt}${digVal}<cStat>${cStat}</cStat>${motivo}</infProt></${prot}>`
  );
}

function consulta(genuino: Genuino, random: Aleatorio): string | null {
  const protocolo = resposta(genuino, random, '101');
  if (protocolo === null || !ehNota(genuino)) return null;
  return (
    '<retConsSitNFe versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><tpAmb>1</tpAmb><cStat>101</cStat>' +
    `<chNFe>${genuino.chave}</chNFe>${protocolo}</retConsSitNFe>`
  );
}

function cancelamentoAntigo(genuino: Genuino, random: Aleatorio): string | null {
  if (!ehNota(genuino)) return null;
  const { chave } = genuino;
  const nProt = digits(random, 15);
  return (
    '<procCancNFe versao="1.07" xmlns="http://www.portalfiscal.inf.br/nfe"><cancNFe versao="1.07">' +
    `<infCanc Id="ID${chave}"><tpAmb>1</tpAmb><xServ>CANCELAR</xServ><chNFe>${chave}</chNFe><nProt>${nProt}</nProt>` +
    '<xJust>forjado por alguém</xJust></infCanc></cancNFe><retCancNFe versao="1.07"><infCanc><tpAmb>1</tpAmb>' +
    `<cStat>101</cStat><xMotivo>Cancelamento</xMotivo><chNFe>${chave}</chNFe><dhRecbto>2026-03-10T12:00:00-03:00</dhRecbto>` +
    `<nProt>${nProt}</nProt></infCanc></retCancNFe></procCancNFe>`
  );
}

/** An NFS-e as a city would write it, under the national key. */
function daCidade({ familia, chave }: Genuino, random: Aleatorio): string | null {
  if (familia !== 'nfse') return null;
  return (
    '<NFe xmlns=""><Assinatura>x</Assinatura><ChaveNFe><InscricaoPrestador>12345678</InscricaoPrestador>' +
    `<NumeroNFe>${random.integer(1, 9_999)}</NumeroNFe><CodigoVerificacao>ABCD1234</CodigoVerificacao>` +
    `<ChaveNotaNacional>${chave}</ChaveNotaNacional></ChaveNFe><DataEmissaoNFe>2026-03-10T10:00:00</DataEmissaoNFe>` +
    `<CPFCNPJPrestador><CNPJ>${chave.slice(9, 23)}</CNPJ></CPFCNPJPrestador><RazaoSocialPrestador>X</RazaoSocialPrestador>` +
    `<StatusNFe>C</StatusNFe><ValorServicos>${valor(random)}</ValorServicos></NFe>`
  );
}

const outraChave = (xml: string, chave: string) =>
  xml.replace(`Id="ID110111${chave}`, `Id="ID110111${chave.slice(0, 25)}999999999${chave.slice(34)}`);

/** What SEFAZ's place to try things out would say of it. */
const deHomologacao = (xml: string, grupo: RegExp) =>
  xml.replace(grupo, (resposta) => resposta.replace('<tpAmb>1<', '<tpAmb>2<'));

/** The answer to a cancellation, put into the note's own file. */
function canceladaDentro(genuino: Genuino, random: Aleatorio): string | null {
  if (!ehNota(genuino)) return null;
  const { documento, chave } = genuino;
  const resposta =
    `<retCancNFe versao="2.00"><infCanc><tpAmb>1</tpAmb><cStat>101</cStat><chNFe>${chave}</chNFe>` +
    `<nProt>${digits(random, 15)}</nProt></infCanc></retCancNFe>`;
  return documento.replace('</nfeProc>', `${resposta}</nfeProc>`);
}

/** A cancellation of its own code or sequence, so that no genuine one takes its place. */
function outroCancelamento(genuino: Genuino, random: Aleatorio): string | null {
  const xml = FORJAS.eventoSemAssinatura?.(genuino, random);
  if (!xml || genuino.nome === null) return null;
  return random.chance(0.5) || !ehNota(genuino)
    ? xml.replaceAll('<nSeqEvento>1<', `<nSeqEvento>${random.integer(2, 20)}<`)
    : xml.replaceAll('110111', '110112');
}

export const FORJAS: Readonly<Record<string, Forja>> = {
  alterada,
  alteradaECancelada: (genuino, random) => comProtocolo(alterada(genuino, random), '101', random),
  semAssinatura: (genuino, random) => semAssinatura(alterada(genuino, random)),
  assinadaPorEstranho: (genuino, random) => reassinada(genuino, random, 'forjas'),
  assinadaPorSiMesmo: (genuino, random) => reassinada(genuino, random, `${SEMENTE_DE_ESTRANHOS}/forjas`),
  /** Who signs says that he is the issuer, and only the key names another. */
  sobChaveAlheia: (genuino, random) =>
    reassinada(genuino, random, 'forjas', (xml) =>
      xml.replace(`<emit><CNPJ>${genuino.emitente.id}<`, `<emit><CNPJ>${ESTRANHO.id}<`),
    ),
  protocoloDeOutraNota: (genuino, random) =>
    reassinada(genuino, random, 'forjas')?.replace(/<digVal>[^<]*</, `<digVal>${genuino.digest}<`) ?? null,
  outroCStat: (genuino, random) =>
    assinado(genuino) && comProtocolo(genuino.documento, random.pick(['101', '110', '301', '302']), random),
  pendenteAlterada: (genuino, random) =>
    genuino.pendente && alterada({ ...genuino, documento: genuino.pendente }, random),
  respostaCancelada: (genuino, random) => resposta(genuino, random, '101'),
  respostaDenegada: (genuino, random) => resposta(genuino, random, random.pick(['110', '301', '302'])),
  consultaCancelada: consulta,
  eventoSemAssinatura: (genuino, random) =>
    semAssinatura(
      genuino.cancelamentoDe(genuino.emitente, { estranho: true, semente: digits(random, 8) }),
    ).replace(/<Signature .*?<\/Signature>/g, ''),
  eventoDeSiMesmo: (genuino, random) =>
    genuino.cancelamentoDe(genuino.emitente, { estranho: true, semente: digits(random, 8) }),
  eventoDeEstranho: (genuino, random) =>
    genuino.nome === null
      ? null
      : genuino.cancelamentoDe(ESTRANHO, { estranho: false, semente: digits(random, 8) }),
  eventoDeOutraChave: (genuino, random) =>
    genuino.nome === null
      ? null
      : outraChave(
          genuino.cancelamentoDe(genuino.emitente, { estranho: true, semente: digits(random, 8) }),
          genuino.chave,
        ),
  cancelamentoAntigo,
  canceladaDentro,
  outroCancelamento,
  protocoloDeHomologacao: (genuino, random) =>
    assinado(genuino) &&
    deHomologacao(
      comProtocolo(genuino.documento, random.pick(['100', '101', '302']), random),
      /<infProt.*<\/infProt>/,
    ),
  eventoDeHomologacao: (genuino, random) =>
    assinado(genuino) &&
    deHomologacao(
      genuino.cancelamentoDe(genuino.emitente, { estranho: random.chance(0.5), semente: digits(random, 8) }),
      /<retEvento.*<\/retEvento\w*>/,
    ),
  daCidade,
  /** He who has nothing to do with it says it, in his own name. */
  manifestacaoDeEstranho: (genuino, random) => genuino.manifestacaoDe?.(ESTRANHO, digits(random, 8)) ?? null,
  cupomDeSiMesmo: (genuino) => genuino.outroConteudo?.() ?? null,
};
