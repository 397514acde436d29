/** Where events go, and in what envelope. */
import type { Ambiente, Chave } from '../../fiscal/tipos.ts';
import { ufByCode } from '../../fiscal/uf.ts';

const WSDL_NFE = 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeRecepcaoEvento4';
const WSDL_CTE = 'http://www.portalfiscal.inf.br/cte/wsdl/CTeRecepcaoEventoV4';
const SOAP = 'http://www.w3.org/2003/05/soap-envelope';

/** A request to a service of events. */
export interface MensagemDeEvento {
  url: string;
  /** With the action, as SOAP 1.2 wants it. */
  contentType: string;
  corpo: string;
}

/** @fonte Portal da NF-e, Relação de Serviços Web (Ambiente Nacional, NFeRecepcaoEvento4) */
const RECEPCAO_NFE: Readonly<Record<Ambiente, string>> = {
  1: 'https://www.nfe.fazenda.gov.br/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
  2: 'https://hom1.nfe.fazenda.gov.br/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
};

type Autorizador = 'MT' | 'MS' | 'MG' | 'PR' | 'SP' | 'SVRS';

/** @fonte Portal do CT-e, Relação de Serviços Web (CTeRecepcaoEventoV4) */
const RECEPCAO_CTE: Readonly<Record<Autorizador, Readonly<Record<Ambiente, string>>>> = {
  MT: {
    1: 'https://cte.sefaz.mt.gov.br/ctews2/services/CTeRecepcaoEventoV4',
    2: 'https://homologacao.sefaz.mt.gov.br/ctews2/services/CTeRecepcaoEventoV4',
  },
  MS: {
    1: 'https://producao.cte.ms.gov.br/ws/CTeRecepcaoEventoV4',
    2: 'https://homologacao.cte.ms.gov.br/ws/CTeRecepcaoEventoV4',
  },
  MG: {
    1: 'https://cte.fazenda.mg.gov.br/cte/services/CTeRecepcaoEventoV4',
    2: 'https://hcte.fazenda.mg.gov.br/cte/services/CTeRecepcaoEventoV4',
  },
  PR: {
    1: 'https://cte.fazenda.pr.gov.br/cte4/CTeRecepcaoEventoV4',
    2: 'https://homologacao.cte.fazenda.pr.gov.br/cte4/CTeRecepcaoEventoV4',
  },
  SP: {
    1: 'https://nfe.fazenda.sp.gov.br/CTeWS/WS/CTeRecepcaoEventoV4.asmx',
    2: 'https://homologacao.nfe.fazenda.sp.gov.br/CTeWS/WS/CTeRecepcaoEventoV4.asmx',
  },
  SVRS: {
    1: 'https://cte.svrs.rs.gov.br/ws/CTeRecepcaoEventoV4/CTeRecepcaoEventoV4.asmx',
    2: 'https://cte-homologacao.svrs.rs.gov.br/ws/CTeRecepcaoEventoV4/CTeRecepcaoEventoV4.asmx',
  },
};

/** States that do not authorise at SVRS. AP, PE and RR do at SVSP, which is SP's. @fonte Portal do CT-e, Relação de Serviços Web */
const AUTORIZADOR_DA_UF: Readonly<Record<string, Autorizador>> = {
  MT: 'MT',
  MS: 'MS',
  MG: 'MG',
  PR: 'PR',
  SP: 'SP',
  AP: 'SP',
  PE: 'SP',
  RR: 'SP',
};

/**
 * A lot of events of NF-e.
 * @param input.base of a service that stands in for the authority's host (a simulator); absent: the authority itself
 */
export function mensagemNfe(input: {
  lote: string;
  ambiente: Ambiente;
  base?: string | undefined;
}): MensagemDeEvento {
  return {
    url: at(RECEPCAO_NFE[input.ambiente], input.base),
    contentType: soapType(`${WSDL_NFE}/nfeRecepcaoEventoNF`),
    corpo: envelope(`<nfeDadosMsg xmlns="${WSDL_NFE}">${input.lote}</nfeDadosMsg>`),
  };
}

/** One event of a CT-e, to the authority that authorised it: the state of its key. `base` as in {@link mensagemNfe}. */
export function mensagemCte(input: {
  evento: string;
  chave: Chave;
  ambiente: Ambiente;
  base?: string | undefined;
}): MensagemDeEvento {
  const uf = ufByCode(input.chave.slice(0, 2))?.sigla ?? '';
  const url = RECEPCAO_CTE[AUTORIZADOR_DA_UF[uf] ?? 'SVRS'][input.ambiente];
  return {
    url: at(url, input.base),
    contentType: soapType(`${WSDL_CTE}/cteRecepcaoEvento`),
    corpo: envelope(`<cteDadosMsg xmlns="${WSDL_CTE}">${input.evento}</cteDadosMsg>`),
  };
}

function at(url: string, base: string | undefined): string {
  return base === undefined ? url : new URL(new URL(url).pathname, base).href;
}

function soapType(action: string): string {
  return `application/soap+xml; charset=utf-8; action="${action}"`;
}

function envelope(body: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><soap12:Envelope xmlns:soap12="${SOAP}"><soap12:Body>${body}</soap12:Body></soap12:Envelope>`;
}
