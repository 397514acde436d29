/** Where the services are. @fonte Portal da NF-e and of the CT-e, "Relação de Serviços Web"; manuals of the ADN and of the SAE-NFC-e */
import type { Ambiente } from '../../banco/tabelas-captura.ts';
import type { NomeDoEndereco } from './tipos.ts';

const PRODUCAO: Readonly<Record<NomeDoEndereco, string>> = {
  nfe: 'https://www1.nfe.fazenda.gov.br/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx',
  nfe_eventos: 'https://www.nfe.fazenda.gov.br/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
  cte: 'https://www1.cte.fazenda.gov.br/CTeDistribuicaoDFe/CTeDistribuicaoDFe.asmx',
  cte_eventos: 'https://cte.svrs.rs.gov.br/ws/CTeRecepcaoEventoV4/CTeRecepcaoEventoV4.asmx',
  adn: 'https://adn.nfse.gov.br/contribuintes',
  sefin: 'https://sefin.nfse.gov.br/SefinNacional',
  sae_chaves: 'https://nfce.fazenda.sp.gov.br/ws/NFCeListagemChaves.asmx',
  sae_download: 'https://nfce.fazenda.sp.gov.br/ws/NFCeDownloadXML.asmx',
  convenio: 'https://adn.nfse.gov.br/parametrizacao',
};

const HOMOLOGACAO: Readonly<Record<NomeDoEndereco, string>> = {
  nfe: 'https://hom1.nfe.fazenda.gov.br/NFeDistribuicaoDFe/NFeDistribuicaoDFe.asmx',
  nfe_eventos: 'https://hom1.nfe.fazenda.gov.br/NFeRecepcaoEvento4/NFeRecepcaoEvento4.asmx',
  cte: 'https://hom1.cte.fazenda.gov.br/CTeDistribuicaoDFe/CTeDistribuicaoDFe.asmx',
  cte_eventos: 'https://cte-homologacao.svrs.rs.gov.br/ws/CTeRecepcaoEventoV4/CTeRecepcaoEventoV4.asmx',
  adn: 'https://adn.producaorestrita.nfse.gov.br/contribuintes',
  sefin: 'https://sefin.producaorestrita.nfse.gov.br/SefinNacional',
  sae_chaves: 'https://homologacao.nfce.fazenda.sp.gov.br/ws/NFCeListagemChaves.asmx',
  sae_download: 'https://homologacao.nfce.fazenda.sp.gov.br/ws/NFCeDownloadXML.asmx',
  convenio: 'https://adn.producaorestrita.nfse.gov.br/parametrizacao',
};

export const NOMES_DE_ENDERECOS = Object.keys(PRODUCAO) as NomeDoEndereco[];

/** @param proprios addresses that the operator named instead */
export function enderecosDe(
  ambiente: Ambiente,
  proprios: Readonly<Partial<Record<NomeDoEndereco, string>>> = {},
): (nome: NomeDoEndereco) => string {
  const nossos = ambiente === 1 ? PRODUCAO : HOMOLOGACAO;
  return (nome) => proprios[nome] ?? nossos[nome];
}
