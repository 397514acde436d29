/** NFeDistribuicaoDFe and CTeDistribuicaoDFe of the Ambiente Nacional. @fonte NT 2014.002 §3; NT 2015.002 (CT-e) */
import { readUf } from '../../fiscal/uf.ts';
import type { ClienteDaCaptura } from './cliente.ts';
import { countOf, nsuOf, postSoap } from './soap.ts';
import type { Interessado, RespostaComNsu } from './tipos.ts';

const NSU_DIGITOS = 15;

interface Forma {
  endereco: 'nfe' | 'cte';
  versao: string;
  /** Namespace of the messages. */
  documentos: string;
  wsdl: string;
  operacao: string;
  dados: string;
}

const NFE: Forma = {
  endereco: 'nfe',
  versao: '1.01',
  documentos: 'http://www.portalfiscal.inf.br/nfe',
  wsdl: 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeDistribuicaoDFe',
  operacao: 'nfeDistDFeInteresse',
  dados: 'nfeDadosMsg',
};
const CTE: Forma = {
  endereco: 'cte',
  versao: '1.00',
  documentos: 'http://www.portalfiscal.inf.br/cte',
  wsdl: 'http://www.portalfiscal.inf.br/cte/wsdl/CTeDistribuicaoDFe',
  operacao: 'cteDistDFeInteresse',
  dados: 'cteDadosMsg',
};

/** What comes behind a number: at most 50 documents. @throws FalhaDeTransporte */
export function distNsu(
  cliente: ClienteDaCaptura,
  servico: 'nfe' | 'cte',
  input: Interessado & { ultNsu: number },
): Promise<RespostaComNsu> {
  return distribuir(cliente, servico, {
    ...input,
    pedido: `<distNSU><ultNSU>${nsu(input.ultNsu)}</ultNSU></distNSU>`,
  });
}

/** The document of one number. @throws FalhaDeTransporte */
export function consNsu(
  cliente: ClienteDaCaptura,
  servico: 'nfe' | 'cte',
  input: Interessado & { nsu: number },
): Promise<RespostaComNsu> {
  return distribuir(cliente, servico, {
    ...input,
    pedido: `<consNSU><NSU>${nsu(input.nsu)}</NSU></consNSU>`,
  });
}

/** The NF-e of one key, without its events. @throws FalhaDeTransporte */
export function consChNfe(
  cliente: ClienteDaCaptura,
  input: Interessado & { chave: string },
): Promise<RespostaComNsu> {
  return distribuir(cliente, 'nfe', {
    ...input,
    pedido: `<consChNFe><chNFe>${input.chave}</chNFe></consChNFe>`,
  });
}

function nsu(number: number): string {
  return String(number).padStart(NSU_DIGITOS, '0');
}

async function distribuir(
  cliente: ClienteDaCaptura,
  servico: 'nfe' | 'cte',
  input: Interessado & { pedido: string },
): Promise<RespostaComNsu> {
  const forma = servico === 'nfe' ? NFE : CTE;
  const { cpfCnpj, certificado, pedido } = input;
  const uf = readUf(input.uf);
  const quem = cpfCnpj.length === 11 ? `<CPF>${cpfCnpj}</CPF>` : `<CNPJ>${cpfCnpj}</CNPJ>`;
  const autor = uf ? `<cUFAutor>${uf.codigo}</cUFAutor>` : '';
  const message = `<distDFeInt versao="${forma.versao}" xmlns="${forma.documentos}"><tpAmb>${cliente.ambiente}</tpAmb>${autor}${quem}${pedido}</distDFeInt>`;
  const body = `<${forma.operacao} xmlns="${forma.wsdl}"><${forma.dados}>${message}</${forma.dados}></${forma.operacao}>`;
  const { texto, ...resposta } = await postSoap(cliente, {
    endereco: forma.endereco,
    action: `${forma.wsdl}/${forma.operacao}`,
    body,
    certificado,
  });
  return {
    ...resposta,
    ultNsu: nsuOf(texto, 'ultNSU'),
    maxNsu: nsuOf(texto, 'maxNSU'),
    documentos: countOf(texto, 'docZip'),
  };
}
