import { Aleatorio } from './aleatorio.ts';
import type { Empresa, Pessoa } from './empresas.ts';
import { isEmpresa } from './partes.ts';
import { percentOf } from './xml.ts';

/** What somebody does for somebody else, and the figures of its note. */

interface Servico {
  /** Item of the list of Lei Complementar 116/2003, such as `17.19`. */
  item: string;
  /** National code, six digits. */
  cTribNac: string;
  /** Text of the national list. */
  nome: string;
  /** What the note says. */
  descricao: string;
  cnae: string;
  /** Price in cents. */
  precoMinimo: number;
  precoMaximo: number;
  /** ISS rate in percent. */
  aliquota: number;
}

const ROWS = `
01.07;010701;Suporte técnico em informática, inclusive instalação, configuração e manutenção de programas de computação e bancos de dados.;Suporte & manutenção de sistemas, mensalidade;6209100;250;2800;2
17.19;171901;Contabilidade, inclusive serviços técnicos e auxiliares.;Assessoria contábil & obrigações acessórias do mês;6920601;450;3900;2.5
14.01;140101;Lubrificação, limpeza, lustração, revisão, carga e recarga, conserto, restauração de objetos quaisquer.;Conserto de máquina com troca de rolamento, peças à parte;3314799;180;2400;5
07.10;071001;Limpeza, manutenção e conservação de vias e logradouros públicos, imóveis e congêneres.;Limpeza & conservação predial;8121400;900;7800;3
08.02;080201;Instrução, treinamento, orientação pedagógica e educacional, avaliação de conhecimentos de qualquer natureza.;Treinamento da equipe: segurança do trabalho (NR-10 < 40 h);8599604;600;5200;2
17.06;170601;Propaganda e publicidade, inclusive promoção de vendas, planejamento de campanhas ou sistemas de publicidade.;Campanha de divulgação – mídia & criação;7311400;800;9400;4
11.02;110201;Vigilância, segurança ou monitoramento de bens, pessoas e semoventes.;Monitoramento eletrônico 24 h;8020001;190;1600;5
`;

function parseRow(row: string): Servico {
  const [item = '', cTribNac = '', nome = '', descricao = '', cnae = '', low = '', high = '', rate = ''] =
    row.split(';');
  return {
    item,
    cTribNac,
    nome,
    descricao,
    cnae,
    precoMinimo: Number(low) * 100,
    precoMaximo: Number(high) * 100,
    aliquota: Number(rate),
  };
}

const SERVICOS: readonly Servico[] = ROWS.trim().split('\n').map(parseRow);

/** One service rendered, with its amounts in cents. */
export interface Prestacao {
  servico: Servico;
  vServ: number;
  /** Given before the service, and not taxed. */
  vDesc: number;
  vBC: number;
  vISS: number;
  /** The tomador pays the ISS. */
  issRetido: boolean;
  /** Federal withholding (IRRF). */
  vIRRF: number;
  /** What is paid. */
  vLiq: number;
  /** `AAAA-MM-DD` of the month that the service is of. */
  competencia: string;
}

/** Draws a service; companies withhold taxes now and then, people never do. */
export function generatePrestacao(
  random: Aleatorio,
  prestador: Empresa,
  tomador: Empresa | Pessoa | null,
  dhEmi: string,
): Prestacao {
  // A company renders one or two kinds of service, whatever the note.
  const own = new Aleatorio(`servicos/${prestador.id}`);
  const servico = random.pick([own.pick(SERVICOS), own.pick(SERVICOS)]);
  const vServ = random.integer(servico.precoMinimo, servico.precoMaximo);
  const vDesc = random.chance(0.1) ? percentOf(vServ, 5) : 0;
  const vBC = vServ - vDesc;
  const vISS = percentOf(vBC, servico.aliquota);
  const withholds = tomador !== null && isEmpresa(tomador) && prestador.crt === '3';
  const issRetido = withholds && random.chance(0.3);
  const vIRRF = withholds && random.chance(0.4) ? percentOf(vBC, 1.5) : 0;
  const vLiq = vBC - vIRRF - (issRetido ? vISS : 0);
  return { servico, vServ, vDesc, vBC, vISS, issRetido, vIRRF, vLiq, competencia: dhEmi.slice(0, 10) };
}

/** Municipal registration of a company; one for each. */
export function inscricaoMunicipal({ id }: Empresa): string {
  return new Aleatorio(`inscricao-municipal/${id}`).digits(8);
}
