import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import { PAPEL } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import * as partesDoCte from './cte-partes.ts';
import { LAYOUT_CTE, type Parte, type Participacao } from './cte-partes.ts';
import { type Empresa, generateCnpj } from './empresas.ts';
import { localIso } from './municipios.ts';
import { assembleChave } from './nfe.ts';
import { autXml, infRespTecXml, isEmpresa } from './partes.ts';
import type { ProtocoloGerado } from './protocolo.ts';
import { branch, leaf, money, moneyLeaf, percentOf } from './xml.ts';

/** Which of the parties pays for the transport. */
type PapelDoTomador = 'remetente' | 'expedidor' | 'recebedor' | 'destinatario';

export interface EntradaCte {
  /** Seed of this one document. */
  semente: string;
  /** As in `EntradaNfe`. */
  sementeCertificados?: string;
  /** The carrier; a company with CNPJ. */
  emitente: Empresa;
  remetente: Parte;
  destinatario: Parte;
  expedidor?: Parte | null;
  recebedor?: Parte | null;
  /** One of the parties (`toma3`), or somebody else (`toma4`). Default `destinatario`. */
  tomador?: PapelDoTomador | Parte;
  /** 0 to 999. */
  serie: number;
  numero: number;
  emissao: Date;
  ambiente?: 1 | 2;
  /** Keys of the NF-e that travel, and what the cargo is worth in cents. */
  carga: { notas: readonly Chave[]; valor: number };
  /** Third parties that may fetch the document (`autXML`), at most 10. */
  autorizados?: readonly CpfCnpj[];
  /** false leaves the document bare (root `CTe`, status Pendente). Default true. */
  autorizado?: boolean;
}

export interface CteGerado {
  chave: Chave;
  modelo: '57' | '67';
  /** cteProc, or CTe without protocol, with declaration, in one line. */
  xml: string;
  bytes: Uint8Array;
  emitente: CpfCnpj;
  participantes: Participacao[];
  serie: number;
  numero: number;
  /** As in `dhEmi`. */
  dhEmi: string;
  cfop: string;
  /** vTPrest, decimal text. */
  valor: string;
  /** DigestValue, Base64. */
  digest: string;
  protocolo: ProtocoloGerado | null;
}

const CODIGO_DO_TOMADOR: Record<PapelDoTomador, number> = {
  remetente: 0,
  expedidor: 1,
  recebedor: 2,
  destinatario: 3,
};
const PRODUTOS = ['Mercadorias diversas', 'Alimentos & bebidas', 'Peças automotivas', 'Móveis e utensílios'];
const OBSERVACOES = [
  'Transporte sujeito a conferência no ato da entrega; avarias & faltas devem constar no verso.',
  'Seguro da carga por conta do transportador. Não há direito a crédito de ICMS neste serviço.',
  'Entregar no horário comercial, das 8h às 18h; agendar com a portaria.',
];

/** Everything decided about a transport before its text is written. */
interface Transporte {
  input: EntradaCte;
  random: Aleatorio;
  trajeto: partesDoCte.Trajeto;
  tomador: Parte;
  origem: Parte;
  destino: Parte;
  cfop: string;
  chave: Chave;
  ambiente: 1 | 2;
}

/** Finds who pays; throws where the input names a party that is not there. */
function payerOf(input: EntradaCte): Parte {
  const { tomador = 'destinatario' } = input;
  const payer = typeof tomador === 'string' ? input[tomador] : tomador;
  if (!payer) throw new RangeError(`cannot generate this CT-e: there is no ${String(tomador)}`);
  return payer;
}

function prepare(input: EntradaCte): Transporte {
  partesDoCte.assertNumeravel(input);
  const { emitente, remetente, destinatario, carga } = input;
  if (!(Number.isInteger(carga.valor) && carga.valor >= 0)) throw new RangeError(`cargo of ${carga.valor}`);
  const tomador = payerOf(input);
  const random = new Aleatorio(`cte/${input.semente}`);
  const dhEmi = localIso(input.emissao, emitente.uf);
  const origem = input.expedidor ?? remetente;
  const destino = input.recebedor ?? destinatario;
  const trajeto = {
    emitente,
    tomador,
    ufInicio: origem.endereco.municipio.uf,
    ufFim: destino.endereco.municipio.uf,
    dhEmi,
  };
  const chave = assembleChave({
    cUF: emitente.endereco.municipio.codigo.slice(0, 2),
    dhEmi,
    emitente: emitente.id,
    modelo: '57',
    serie: input.serie,
    numero: input.numero,
    tpEmis: '1',
    codigo: random.digits(8),
  });
  const cfop = partesDoCte.cfopDoTransporte(trajeto);
  return { input, random, trajeto, tomador, origem, destino, cfop, chave, ambiente: input.ambiente ?? 1 };
}

function tomadorXml({ input, tomador, ambiente }: Transporte): string {
  const { tomador: said = 'destinatario' } = input;
  if (typeof said === 'string') return branch('toma3', leaf('toma', CODIGO_DO_TOMADOR[said]));
  const data = partesDoCte.dadosDaParte(tomador, { endereco: 'enderToma', ambiente, fantasia: true });
  return branch('toma4', leaf('toma', 4), data);
}

function ideXml(transporte: Transporte): string {
  const { input, chave, tomador, trajeto } = transporte;
  const { emitente } = input;
  return branch(
    'ide',
    leaf('cUF', chave.slice(0, 2)),
    leaf('cCT', chave.slice(35, 43)),
    leaf('CFOP', transporte.cfop),
    leaf('natOp', 'Prestação de serviço de transporte'),
    leaf('mod', '57'),
    leaf('serie', input.serie),
    leaf('nCT', input.numero),
    leaf('dhEmi', trajeto.dhEmi),
    leaf('tpImp', 1),
    leaf('tpEmis', 1),
    leaf('cDV', chave.slice(43)),
    leaf('tpAmb', transporte.ambiente),
    leaf('tpCTe', 0),
    leaf('procEmi', 0),
    leaf('verProc', emitente.verProc),
    partesDoCte.municipioDeEnvio(emitente),
    leaf('modal', '01'),
    leaf('tpServ', 0),
    partesDoCte.municipioDoTrajeto('Ini', transporte.origem),
    partesDoCte.municipioDoTrajeto('Fim', transporte.destino),
    leaf('retira', 1),
    leaf('indIEToma', isEmpresa(tomador) ? 1 : 9),
    tomadorXml(transporte),
  );
}

function partiesXml({ input, ambiente }: Transporte): string {
  const party = (nome: string, endereco: string, parte: Parte | null | undefined, fantasia = false) =>
    parte ? branch(nome, partesDoCte.dadosDaParte(parte, { endereco, ambiente, fantasia })) : '';
  return [
    partesDoCte.emitenteXml(input.emitente),
    party('rem', 'enderReme', input.remetente, true),
    party('exped', 'enderExped', input.expedidor),
    party('receb', 'enderReceb', input.recebedor),
    party('dest', 'enderDest', input.destinatario),
  ].join('');
}

function cargoXml({ input, random, trajeto }: Transporte): string {
  const { notas, valor } = input.carga;
  const weight = (random.integer(50_000, 270_000_000) / 10_000).toFixed(4);
  const carried =
    notas.length > 0
      ? notas.map((chave) => branch('infNFe', leaf('chave', chave))).join('')
      : branch(
          'infOutros',
          leaf('tpDoc', '99'),
          leaf('descOutros', 'Declaração de conteúdo'),
          leaf('nDoc', random.digits(6)),
          leaf('dEmi', trajeto.dhEmi.slice(0, 10)),
          moneyLeaf('vDocFisc', valor),
        );
  const cargo = branch(
    'infCarga',
    moneyLeaf('vCarga', valor),
    leaf('proPred', random.pick(PRODUTOS)),
    branch('infQ', leaf('cUnid', '01'), leaf('tpMed', 'PESO BRUTO'), leaf('qCarga', weight)),
    branch(
      'infQ',
      leaf('cUnid', '03'),
      leaf('tpMed', 'VOLUMES'),
      leaf('qCarga', `${random.integer(1, 90)}.0000`),
    ),
  );
  const road = `<infModal versaoModal="${LAYOUT_CTE}">${branch('rodo', leaf('RNTRC', random.digits(8)))}</infModal>`;
  return branch('infCTeNorm', cargo, branch('infDoc', carried), road);
}

/** Freight by value of the cargo, insurance and tolls, in cents. */
function priceOf(random: Aleatorio, cargo: number): [string, number][] {
  const freight = Math.max(4_500, percentOf(cargo, random.integer(2, 7)));
  const price: [string, number][] = [
    ['FRETE PESO', freight],
    ['GRIS & SEGURO', percentOf(cargo, 0.3) + 150],
  ];
  return random.chance(0.5) ? [...price, ['PEDÁGIO', random.integer(300, 18_000)]] : price;
}

function participantsOf({ input, tomador }: Transporte): Participacao[] {
  const rows: [Participacao['papel'], { id: CpfCnpj } | null | undefined][] = [
    [PAPEL.emitente, input.emitente],
    [PAPEL.destinatario, input.destinatario],
    [PAPEL.tomador, tomador],
    [PAPEL.remetente, input.remetente],
    [PAPEL.expedidor, input.expedidor],
    [PAPEL.recebedor, input.recebedor],
    ...(input.autorizados ?? []).map((id): [Participacao['papel'], { id: CpfCnpj }] => [
      PAPEL.autorizado,
      { id },
    ]),
  ];
  return rows.flatMap(([papel, who]) => (who ? [{ papel, cpfCnpj: who.id }] : []));
}

/**
 * Generates one signed CT-e (model 57, layout 4.00, road), valid against the official XSD.
 *
 * @throws RangeError when the input asks for a CT-e that cannot exist (series, number, carrier, payer).
 * @fonte XSD cteTiposBasico_v4.00; MOC CT-e 4.00; XMLDSig Core
 */
export function generateCte(input: EntradaCte): CteGerado {
  const transporte = prepare(input);
  const { random, chave, trajeto, cfop } = transporte;
  const { emitente, autorizados = [] } = input;
  const price = partesDoCte.vPrestXml(priceOf(random.fork('preco'), input.carga.valor));
  const body = [
    ideXml(transporte),
    random.chance(0.7) ? branch('compl', leaf('xObs', random.pick(OBSERVACOES))) : '',
    partiesXml(transporte),
    price.xml,
    partesDoCte.impostosXml(random.fork('impostos'), trajeto, price.total),
    cargoXml(transporte),
    autXml(autorizados),
    random.chance(0.5) ? infRespTecXml(generateCnpj(new Aleatorio(emitente.verProc))) : '',
  ].join('');
  const finished = partesDoCte.finishCte({ elemento: 'CTe', chave, body, random, input });
  return {
    chave,
    modelo: '57',
    ...finished,
    emitente: emitente.id,
    participantes: participantsOf(transporte),
    serie: input.serie,
    numero: input.numero,
    dhEmi: trajeto.dhEmi,
    cfop,
    valor: money(price.total),
  };
}
