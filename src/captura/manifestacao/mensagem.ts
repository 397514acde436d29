/** What an event is put into, and where it goes. */
import type { Ambiente, Chave } from '../../fiscal/tipos.ts';
import { ufByCode } from '../../fiscal/uf.ts';

const WSDL_NFE = 'http://www.portalfiscal.inf.br/nfe/wsdl/NFeRecepcaoEvento4';
const WSDL_CTE = 'http://www.portalfiscal.inf.br/cte/wsdl/CTeRecepcaoEventoV4';

/** Content of a SOAP body, and the operation that it is for. */
interface MensagemDeEvento {
  action: string;
  body: string;
}

/** A lot of events of NF-e, directly in the body. @fonte WSDL NFeRecepcaoEvento4 */
export function mensagemNfe(lote: string): MensagemDeEvento {
  return {
    action: `${WSDL_NFE}/nfeRecepcaoEventoNF`,
    body: `<nfeDadosMsg xmlns="${WSDL_NFE}">${lote}</nfeDadosMsg>`,
  };
}

/** One event of a CT-e. @fonte WSDL CTeRecepcaoEventoV4 */
export function mensagemCte(evento: string): MensagemDeEvento {
  return {
    action: `${WSDL_CTE}/cteRecepcaoEvento`,
    body: `<cteDadosMsg xmlns="${WSDL_CTE}">${evento}</cteDadosMsg>`,
  };
}

type Autorizador = 'MT' | 'MS' | 'MG' | 'PR' | 'SP';

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
 * Where an event of a CT-e goes: to the authority that authorised it, which the state of its key tells.
 * @param input.svrs the address of SVRS, which serves most states @param input.proprio one that the operator named instead
 */
export function enderecoDoCte(input: {
  chave: Chave;
  ambiente: Ambiente;
  svrs: string;
  proprio: string;
}): string {
  if (input.proprio !== input.svrs) return input.proprio;
  const uf = ufByCode(input.chave.slice(0, 2))?.sigla ?? '';
  const autorizador = AUTORIZADOR_DA_UF[uf];
  return autorizador ? RECEPCAO_CTE[autorizador][input.ambiente] : input.svrs;
}
