import type { Chave, CpfCnpj } from '../fiscal/tipos.ts';
import type { Aleatorio } from './aleatorio.ts';
import type { Empresa, Endereco, Pessoa } from './empresas.ts';
import { localIso } from './municipios.ts';
import type { Operacao } from './operacoes.ts';
import { branch, idLeaf, leaf, moneyLeaf } from './xml.ts';

/** The parts of a note that surround its items: parties, transport, charging, payment, texts. */

export type Layout = '4.00' | '3.10';

const HOMOLOGACAO_NOME = 'NF-E EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL';

export function isEmpresa(parte: Empresa | Pessoa): parte is Empresa {
  return 'perfil' in parte;
}

function addressXml(nome: string, endereco: Endereco): string {
  const { municipio } = endereco;
  return branch(
    nome,
    leaf('xLgr', endereco.logradouro),
    leaf('nro', endereco.numero),
    leaf('xCpl', endereco.complemento),
    leaf('xBairro', endereco.bairro),
    leaf('cMun', municipio.codigo),
    leaf('xMun', municipio.nome),
    leaf('UF', municipio.uf),
    leaf('CEP', endereco.cep),
    leaf('cPais', '1058'),
    leaf('xPais', 'BRASIL'),
    leaf('fone', endereco.fone),
  );
}

export function emitXml(emitente: Empresa): string {
  return branch(
    'emit',
    idLeaf(emitente.id),
    leaf('xNome', emitente.nome),
    leaf('xFant', emitente.fantasia),
    addressXml('enderEmit', emitente.endereco),
    leaf('IE', emitente.ie),
    leaf('CRT', emitente.crt),
  );
}

/** `dest`; on a NFC-e the consumer gives the CPF alone. */
export function destXml(dest: Empresa | Pessoa, modelo: '55' | '65', ambiente: 1 | 2): string {
  const nome = ambiente === 2 ? HOMOLOGACAO_NOME : dest.nome;
  if (modelo === '65') return branch('dest', idLeaf(dest.id), leaf('xNome', nome), leaf('indIEDest', 9));
  const isTaxpayer = isEmpresa(dest);
  return branch(
    'dest',
    idLeaf(dest.id),
    leaf('xNome', nome),
    addressXml('enderDest', dest.endereco),
    leaf('indIEDest', isTaxpayer ? 1 : 9),
    isTaxpayer ? leaf('IE', dest.ie) : '',
    leaf('email', dest.email),
  );
}

export function autXml(autorizados: readonly CpfCnpj[]): string {
  return autorizados.map((id) => branch('autXML', idLeaf(id))).join('');
}

export function referenciasXml(chaves: readonly Chave[]): string {
  return chaves.map((chave) => branch('NFref', leaf('refNFe', chave))).join('');
}

function vehicleXml(random: Aleatorio, uf: string, layout: Layout): string {
  const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';
  // Mercosul plates (letter in the fifth place) came after layout 3.10.
  const isOld = layout === '3.10' || random.chance(0.4);
  const fifth = isOld ? random.digits(1) : random.text(1, letters);
  const placa = `${random.text(3, letters)}${random.digits(1)}${fifth}${random.digits(2)}`;
  return branch('veicTransp', leaf('placa', placa), leaf('UF', uf), leaf('RNTC', random.digits(8)));
}

export function transpXml(
  random: Aleatorio,
  transportador: Empresa | null,
  comFrete: boolean,
  layout: Layout,
): string {
  if (!transportador) return branch('transp', leaf('modFrete', 9));
  const weight = random.integer(800, 2_400_000);
  const volumes = branch(
    'vol',
    leaf('qVol', random.integer(1, 60)),
    leaf('esp', random.pick(['Volumes', 'Caixas', 'Paletes', 'Caixas & Sacos'])),
    leaf('pesoL', (weight / 1_000).toFixed(3)),
    leaf('pesoB', ((weight * 1.04) / 1_000).toFixed(3)),
  );
  const carrier = branch(
    'transporta',
    idLeaf(transportador.id),
    leaf('xNome', transportador.nome),
    leaf('IE', transportador.ie),
    leaf('xEnder', transportador.endereco.logradouro),
    leaf('xMun', transportador.municipio),
    leaf('UF', transportador.uf),
  );
  const vehicle = random.chance(0.4) ? vehicleXml(random, transportador.uf, layout) : '';
  return branch('transp', leaf('modFrete', comFrete ? 0 : 1), carrier, vehicle, volumes);
}

interface Cobranca {
  cobr: string;
  pag: string;
}

function installments(random: Aleatorio, vNF: number, emissao: Date, uf: string): string {
  const count = random.integer(1, 3);
  let left = vNF;
  let xml = '';
  for (let n = 1; n <= count; n++) {
    const value = n === count ? left : Math.floor(vNF / count);
    left -= value;
    const due = localIso(new Date(emissao.getTime() + n * 30 * 86_400_000), uf).slice(0, 10);
    xml += branch(
      'dup',
      leaf('nDup', String(n).padStart(3, '0')),
      leaf('dVenc', due),
      moneyLeaf('vDup', value),
    );
  }
  return xml;
}

/** Card group, with an invented acquirer authorisation. */
function cardXml(random: Aleatorio): string {
  return branch(
    'card',
    leaf('tpIntegra', 2),
    leaf('tBand', random.pick(['01', '02', '03', '04'])),
    leaf('cAut', random.digits(6)),
  );
}

function retailPayment(random: Aleatorio, layout: Layout, vNF: number): Cobranca {
  const tPag = random.pick(layout === '4.00' ? ['01', '03', '04', '17', '17'] : ['01', '03', '04']);
  const card = tPag === '03' || tPag === '04' ? cardXml(random) : '';
  if (layout === '3.10')
    return { cobr: '', pag: branch('pag', leaf('tPag', tPag), moneyLeaf('vPag', vNF), card) };
  const change = tPag === '01' && random.chance(0.5) ? random.integer(1, 20) * 100 : 0;
  const paid = branch('detPag', leaf('indPag', 0), leaf('tPag', tPag), moneyLeaf('vPag', vNF + change), card);
  return { cobr: '', pag: branch('pag', paid, change > 0 ? moneyLeaf('vTroco', change) : '') };
}

/** Payment, and invoice with instalments where the sale is on credit. */
export function cobrancaXml(
  random: Aleatorio,
  nota: {
    modelo: '55' | '65';
    layout: Layout;
    operacao: Operacao;
    vNF: number;
    emissao: Date;
    emitente: Empresa;
  },
): Cobranca {
  const { modelo, layout, operacao, vNF, emissao, emitente } = nota;
  if (modelo === '65') return retailPayment(random, layout, vNF);
  const payment = (...fields: string[]) =>
    layout === '4.00' ? branch('pag', branch('detPag', ...fields)) : '';
  if (!operacao.onerosa) return { cobr: '', pag: payment(leaf('tPag', '90'), moneyLeaf('vPag', 0)) };
  if (random.chance(0.35)) {
    return { cobr: '', pag: payment(leaf('indPag', 0), leaf('tPag', '17'), moneyLeaf('vPag', vNF)) };
  }
  const fat = branch('fat', leaf('nFat', random.digits(6)), moneyLeaf('vOrig', vNF), moneyLeaf('vLiq', vNF));
  return {
    cobr: branch('cobr', fat, installments(random, vNF, emissao, emitente.uf)),
    pag: payment(leaf('indPag', 1), leaf('tPag', '15'), moneyLeaf('vPag', vNF)),
  };
}

const CPL_TEXTS = [
  'Documento emitido por ME ou EPP optante pelo Simples Nacional. Não gera direito a crédito fiscal de IPI.',
  'Mercadoria conferida no ato da entrega. Trocas & devoluções em até 7 dias com esta nota.',
  'Valor aproximado dos tributos federais, estaduais e municipais conforme a Lei 12.741/2012; fonte: IBPT.',
  'Pedido faturado conforme condições comerciais; favor conferir os dados antes da circulação da mercadoria.',
  'Base de cálculo reduzida nos termos do RICMS. Pagamento em atraso sujeito a multa & juros de mora.',
];

/** `infAdic`: complement, and now and then fields for the buyer and for the Fisco. */
export function infAdicXml(random: Aleatorio): string {
  if (random.chance(0.2)) return '';
  const fisco = random.chance(0.08) ? leaf('infAdFisco', 'ICMS recolhido antecipadamente por ST') : '';
  const text = `${random.pick(CPL_TEXTS)} Pedido nº ${random.digits(5)}; vendedor ${random.integer(1, 40)}.`;
  const field = random.chance(0.15)
    ? `<obsCont xCampo="Rota">${leaf('xTexto', `Rota ${random.integer(1, 30)} - ${random.pick(['Norte', 'Sul'])}`)}</obsCont>`
    : '';
  return branch('infAdic', fisco, leaf('infCpl', text), field);
}

/** Who answers for the invoicing program. */
export function infRespTecXml(id: CpfCnpj): string {
  return branch(
    'infRespTec',
    leaf('CNPJ', id),
    leaf('xContato', 'Suporte Fiscal'),
    leaf('email', 'suporte@programa.example'),
    leaf('fone', '1133334444'),
  );
}
