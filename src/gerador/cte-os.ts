import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { PAPEL } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import type { CteGerado } from './cte.ts';
import * as partesDoCte from './cte-partes.ts';
import { LAYOUT_CTE, type Parte, type Trajeto } from './cte-partes.ts';
import type { Empresa } from './empresas.ts';
import { localIso } from './municipios.ts';
import { assembleChave } from './nfe.ts';
import { autXml, isEmpresa } from './partes.ts';
import { branch, leaf, money, moneyLeaf, percentOf } from './xml.ts';

interface EntradaCteOs {
  /** As in `EntradaCte`. */
  semente: string;
  sementeCertificados?: string;
  /** The carrier; a company with CNPJ. */
  emitente: Empresa;
  /** Who hires it. */
  tomador: Parte;
  serie: number;
  numero: number;
  emissao: Date;
  ambiente?: 1 | 2;
  autorizados?: readonly CpfCnpj[];
  /** As in `EntradaCte`. */
  autorizado?: boolean;
}

const SERVICOS = ['Fretamento de funcionários', 'Excursões & eventos', 'Passageiros por turno'];

function ideXml(input: EntradaCteOs, trajeto: Trajeto, chave: Chave): string {
  const { emitente, tomador } = input;
  return branch(
    'ide',
    leaf('cUF', chave.slice(0, 2)),
    leaf('cCT', chave.slice(35, 43)),
    leaf('CFOP', partesDoCte.cfopDoTransporte(trajeto)),
    leaf('natOp', 'Transporte de passageiros'),
    leaf('mod', '67'),
    leaf('serie', input.serie),
    leaf('nCT', input.numero),
    leaf('dhEmi', trajeto.dhEmi),
    leaf('tpImp', 1),
    leaf('tpEmis', 1),
    leaf('cDV', chave.slice(43)),
    leaf('tpAmb', input.ambiente ?? 1),
    leaf('tpCTe', 0),
    leaf('procEmi', 0),
    leaf('verProc', emitente.verProc),
    partesDoCte.municipioDeEnvio(emitente),
    leaf('modal', '01'),
    leaf('tpServ', 6),
    leaf('indIEToma', isEmpresa(tomador) ? 1 : 9),
    partesDoCte.municipioDoTrajeto('Ini', emitente),
    partesDoCte.municipioDoTrajeto('Fim', tomador),
  );
}

function serviceXml(random: Aleatorio): string {
  const service = branch(
    'infServico',
    leaf('xDescServ', random.pick(SERVICOS)),
    branch('infQ', leaf('qCarga', `${random.integer(8, 44)}.0000`)),
  );
  const insurance = branch('seg', leaf('respSeg', 4), leaf('xSeg', 'Seguradora Fictícia S.A.'));
  const road = branch('rodoOS', leaf('TAF', random.digits(12)));
  return branch('infCTeNorm', service, insurance, `<infModal versaoModal="${LAYOUT_CTE}">${road}</infModal>`);
}

/**
 * Generates one signed CT-e OS (model 67, layout 4.00, people by road), valid against the official XSD.
 *
 * @throws RangeError when series, number or carrier cannot be those of a CT-e OS.
 * @fonte XSD cteTiposBasico_v4.00; MOC CT-e 4.00; XMLDSig Core
 */
export function generateCteOs(input: EntradaCteOs): CteGerado {
  partesDoCte.assertNumeravel(input);
  const { emitente, tomador, emissao, ambiente = 1, autorizados = [] } = input;
  const random = new Aleatorio(`cteos/${input.semente}`);
  const dhEmi = localIso(emissao, emitente.uf);
  const trajeto = { emitente, tomador, ufInicio: emitente.uf, ufFim: tomador.endereco.municipio.uf, dhEmi };
  const chave = assembleChave({
    cUF: emitente.endereco.municipio.codigo.slice(0, 2),
    dhEmi,
    emitente: emitente.id,
    modelo: '67',
    serie: input.serie,
    numero: input.numero,
    tpEmis: '1',
    codigo: random.digits(8),
  });
  const price = partesDoCte.vPrestXml([['FRETAMENTO', random.integer(35_000, 980_000)]]);
  const federal = branch(
    'infTribFed',
    moneyLeaf('vPIS', percentOf(price.total, 0.65)),
    moneyLeaf('vCOFINS', percentOf(price.total, 3)),
  );
  const body = [
    ideXml(input, trajeto, chave),
    branch('compl', leaf('xObs', 'Lista de passageiros à disposição da fiscalização & do contratante.')),
    partesDoCte.emitenteXml(emitente),
    branch('toma', partesDoCte.dadosDaParte(tomador, { endereco: 'enderToma', ambiente, fantasia: true })),
    price.xml,
    partesDoCte.impostosXml(random.fork('impostos'), trajeto, price.total, federal),
    serviceXml(random),
    autXml(autorizados),
  ].join('');
  const finished = partesDoCte.finishCte({ elemento: 'CTeOS', chave, body, random, input });
  return {
    chave,
    modelo: '67',
    ...finished,
    emitente: emitente.id,
    participantes: [
      { papel: PAPEL.emitente, cpfCnpj: emitente.id },
      { papel: PAPEL.tomador, cpfCnpj: tomador.id },
      ...autorizados.map((cpfCnpj) => ({ papel: PAPEL.autorizado, cpfCnpj })),
    ],
    serie: input.serie,
    numero: input.numero,
    dhEmi,
    cfop: partesDoCte.cfopDoTransporte(trajeto),
    valor: money(price.total),
  };
}
