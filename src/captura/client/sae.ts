/** SAE-NFC-e of São Paulo: an issuer's own NFC-e, by lists of keys and one by one. @fonte Manual SAE-NFC-e 1.0.0, SEFAZ-SP */
import type { ClienteDaCaptura } from './cliente.ts';
import { countOf, postSoap, textOf, textsOf } from './soap.ts';
import type { CertificadoDeCliente, Resposta, RespostaComChaves } from './tipos.ts';

const NFE = 'http://www.portalfiscal.inf.br/nfe';

/** Keys of NFC-e that were issued from a minute on, at most 2,000. @throws FalhaDeTransporte */
export async function listChaves(
  cliente: ClienteDaCaptura,
  input: { desde: string; certificado: CertificadoDeCliente },
): Promise<RespostaComChaves> {
  const message = `<nfceListagemChaves versao="1.00" xmlns="${NFE}"><tpAmb>${cliente.ambiente}</tpAmb><dataHoraInicial>${input.desde}</dataHoraInicial></nfceListagemChaves>`;
  const { texto, ...resposta } = await post(cliente, 'sae_chaves', message, input.certificado);
  return {
    ...resposta,
    chaves: textsOf(texto, 'chNFCe').filter((chave) => /^[0-9A-Z]{44}$/.test(chave)),
    ultimaData: minuteOf(textOf(texto, 'dhEmisUltNfce')),
  };
}

/** One NFC-e with its events. @throws FalhaDeTransporte */
export async function downloadNfce(
  cliente: ClienteDaCaptura,
  input: { chave: string; certificado: CertificadoDeCliente },
): Promise<Resposta & { documentos: number }> {
  const message = `<nfceDownloadXML versao="1.00" xmlns="${NFE}"><tpAmb>${cliente.ambiente}</tpAmb><chNFCe>${input.chave}</chNFCe></nfceDownloadXML>`;
  const { texto, ...resposta } = await post(cliente, 'sae_download', message, input.certificado);
  return { ...resposta, documentos: countOf(texto, 'nfeProc') + countOf(texto, 'procEventoNFe') };
}

const SERVICOS = {
  sae_chaves: { wsdl: `${NFE}/wsdl/NFCeListagemChaves`, operacao: 'nfceListagemChaves' },
  sae_download: { wsdl: `${NFE}/wsdl/NFCeDownloadXML`, operacao: 'nfceDownloadXML' },
} as const;

function post(
  cliente: ClienteDaCaptura,
  endereco: keyof typeof SERVICOS,
  message: string,
  certificado: CertificadoDeCliente,
) {
  const { wsdl, operacao } = SERVICOS[endereco];
  return postSoap(cliente, {
    endereco,
    action: `${wsdl}/${operacao}`,
    body: `<nfeDadosMsg xmlns="${wsdl}">${message}</nfeDadosMsg>`,
    certificado,
  });
}

/** The service takes minutes (`AAAA-MM-DDThh:mm`) and answers seconds with or without an offset. */
function minuteOf(text: string | null): string | null {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.exec(text ?? '')?.[0] ?? null;
}
