import { Buffer } from 'node:buffer';
import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import { assinar, digestOf, FORMA_CLASSICA } from './assinatura.ts';
import { certificadoDe, SEMENTE_CERTIFICADOS } from './certificado.ts';
import type { Empresa } from './empresas.ts';
import { localIso } from './municipios.ts';
import type { LayoutNfse } from './nfse.ts';
import { certificadoDoSistema, ESTILO_DO_SISTEMA, formaDoSistema, NS_NFSE } from './nfse-sistema.ts';
import { branch, DECLARACAO, idLeaf, leaf } from './xml.ts';

const CANCELAMENTO = '101101';
const DESCRICAO = 'Cancelamento de NFS-e';
/** Reason codes of the layout with words for each. */
const MOTIVOS = [
  ['1', 'Erro na emissão: valor do serviço & retenções informados a maior'],
  ['2', 'Serviço não prestado: contrato encerrado antes do início'],
  ['9', 'Cancelada a pedido do tomador, que pediu nova nota'],
] as const;

interface EntradaEventoNfse {
  semente: string;
  /** As in `EntradaNfe`. */
  sementeCertificados?: string;
  /** Key of the note. */
  chave: Chave;
  /** The prestador. */
  autor: Empresa;
  em: Date;
  ambiente?: 1 | 2;
  /** Default 1.01. */
  layout?: LayoutNfse;
}

interface EventoNfseGerado {
  /** `Id` of infEvento without `EVT`. */
  id: string;
  chave: Chave;
  codigo: typeof CANCELAMENTO;
  sequencia: 1;
  autor: CpfCnpj;
  dhEvento: string;
  /** DigestValue of the outer signature, Base64. */
  digest: string;
  xml: string;
  bytes: Uint8Array;
}

/** The signed request, as it stands in the event and as C14N writes it there. */
function requestXml(
  random: Aleatorio,
  input: EntradaEventoNfse,
  dhEvento: string,
): { xml: string; canonica: string } {
  const { chave, autor, layout = '1.01', ambiente = 1 } = input;
  const [codigo, motivo] = random.pick(MOTIVOS);
  // 1.00 numbers the requests; 1.01 does not.
  const id = `PRE${chave}${CANCELAMENTO}${layout === '1.00' ? '001' : ''}`;
  const body = [
    leaf('tpAmb', ambiente),
    leaf('verAplic', autor.verProc.slice(0, 20)),
    leaf('dhEvento', dhEvento),
    idLeaf(autor.id, 'Autor'),
    leaf('chNFSe', chave),
    layout === '1.00' ? leaf('nPedRegEvento', 1) : '',
    branch(`e${CANCELAMENTO}`, leaf('xDesc', DESCRICAO), leaf('cMotivo', codigo), leaf('xMotivo', motivo)),
  ].join('');
  const digest = digestOf(`<infPedReg xmlns="${NS_NFSE}" Id="${id}">${body}</infPedReg>`);
  const certificado = certificadoDe(autor, input.sementeCertificados ?? SEMENTE_CERTIFICADOS, input.em);
  const signature = assinar(id, digest, certificado, { estilo: autor.estilo, forma: FORMA_CLASSICA });
  const inf = `<infPedReg Id="${id}">${body}</infPedReg>`;
  return {
    xml: `<pedRegEvento xmlns="${NS_NFSE}" versao="${layout}">${inf}${signature.xml}</pedRegEvento>`,
    canonica: `<pedRegEvento versao="${layout}">${inf}${signature.canonica}</pedRegEvento>`,
  };
}

/**
 * Generates the cancellation (e101101) of a national NFS-e as the system registered it: signed around the signed
 * request.
 * @fonte XSD tiposEventos 1.01; XMLDSig Core
 */
export function generateEventoNfse(input: EntradaEventoNfse): EventoNfseGerado {
  const { chave, autor, em, layout = '1.01', sementeCertificados = SEMENTE_CERTIFICADOS } = input;
  const random = new Aleatorio(`evento-nfse/${input.semente}`);
  const id = `${chave}${CANCELAMENTO}001`;
  const dhEvento = localIso(em, autor.uf);
  const request = requestXml(random, input, dhEvento);
  const head = [
    leaf('verAplic', 'SefinNacional_1.6.0'),
    leaf('ambGer', 2),
    leaf('nSeqEvento', 1),
    leaf('dhProc', localIso(new Date(em.getTime() + random.integer(1, 9) * 1_000), autor.uf)),
    leaf(layout === '1.00' ? 'nDFe' : 'nDFSe', random.integer(1, 999_999)),
  ].join('');
  const forma = formaDoSistema(layout);
  const canonical = `<infEvento xmlns="${NS_NFSE}" Id="EVT${id}">${head}${request.canonica}</infEvento>`;
  const digest = digestOf(canonical, forma.hash);
  const signature = assinar(`EVT${id}`, digest, certificadoDoSistema(sementeCertificados, em), {
    estilo: ESTILO_DO_SISTEMA,
    forma,
  });
  const inf = `<infEvento Id="EVT${id}">${head}${request.xml}</infEvento>`;
  const xml = `${DECLARACAO}<evento xmlns="${NS_NFSE}" versao="${layout}">${inf}${signature.xml}</evento>`;
  return {
    id,
    chave,
    codigo: CANCELAMENTO,
    sequencia: 1,
    autor: autor.id,
    dhEvento,
    digest,
    xml,
    bytes: Buffer.from(xml, 'utf8'),
  };
}
