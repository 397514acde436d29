/** The extract of a CF-e SAT, as the till prints it. @fonte Especificação de Requisitos do SAT, 2.19, extrato do CF-e */
import { cutTexto } from '../../../../fiscal/limites-de-texto.ts';
import { childrenNamed, descend, type XmlElement, type XmlTree } from '../../../../fiscal/xml/tree.ts';
import { descricaoDoCodigo } from '../../codigos.ts';
import { cep, chaveEmGrupos, cpfCnpj, dia, dinheiro, hora, quantidade } from '../base/formatos.ts';
import { mm } from '../base/papel.ts';
import { Rolo } from '../base/rolo.ts';
import { Textos } from '../base/textos.ts';
import { type ContextoDoPdf, marcasDe } from '../marcas.ts';

const QR = mm(42);
const BARRAS = 26;
/** @fonte leiaute do CF-e: up to 500 items, 10 means of payment, 10 observations */
const ITENS_MAX = 500;
const LINHAS_MAX = 20;

interface CupomSat {
  textos: Textos;
  inf: XmlElement;
}

/** The coupon of a tree; null when there is none. */
export function cupomSatDe(tree: XmlTree): CupomSat | null {
  const inf = descend(tree.root.localName === 'CFe' ? tree.root : descend(tree.root, 'CFe'), 'infCFe');
  return inf ? { textos: new Textos(tree), inf } : null;
}

export function drawExtrato(cupom: CupomSat, contexto: ContextoDoPdf): Promise<Uint8Array> {
  const chave = chaveDe(cupom);
  const rolo = new Rolo();
  cabecalho(rolo, cupom);
  itens(rolo, cupom);
  totais(rolo, cupom);
  observacoes(rolo, cupom);
  rodape(rolo, cupom, chave);
  return rolo.acabar({ titulo: `CF-e SAT ${chave}`, marcas: marcasDe(contexto) });
}

const chaveDe = ({ inf }: CupomSat) => cutTexto((inf.attributeValue('Id') ?? '').replace(/^CFe/, ''), 60);

/** Text at the end of a path below `infCFe`. */
const de = ({ textos, inf }: CupomSat, ...nomes: string[]) => textos.em(inf, ...nomes);

function cabecalho(rolo: Rolo, cupom: CupomSat): void {
  const emit = (...nomes: string[]) => de(cupom, 'emit', ...nomes);
  const lugar = (nome: string) => emit('enderEmit', nome);
  rolo.centro(emit('xFant'), { tamanho: 9, negrito: true });
  rolo.centro(emit('xNome'), { negrito: true });
  rolo.centro(
    [
      [lugar('xLgr'), lugar('nro')].filter(Boolean).join(', '),
      lugar('xCpl'),
      lugar('xBairro'),
      lugar('xMun'),
      lugar('CEP') && `CEP ${cep(lugar('CEP'))}`,
    ]
      .filter(Boolean)
      .join(', '),
  );
  const inscricoes = [
    `CNPJ ${cpfCnpj(emit('CNPJ'))}`,
    emit('IE') && `IE ${emit('IE')}`,
    emit('IM') && `IM ${emit('IM')}`,
  ];
  rolo.centro(inscricoes.filter(Boolean).join('  '));
  rolo.traco();
  rolo.centro(`Extrato nº ${de(cupom, 'ide', 'nCFe')}`, { tamanho: 9, negrito: true });
  rolo.centro('CUPOM FISCAL ELETRÔNICO - SAT', { tamanho: 9, negrito: true });
  if (de(cupom, 'ide', 'tpAmb') === '2') rolo.centro('= T E S T E =', { negrito: true });
  rolo.traco();
  const dest = descend(cupom.inf, 'dest');
  const quem = cupom.textos.um(dest, 'CNPJ', 'CPF');
  rolo.texto(`CPF/CNPJ do consumidor: ${quem === '' ? 'não informado' : cpfCnpj(quem)}`);
  const nome = cupom.textos.em(dest, 'xNome');
  if (nome !== '') rolo.texto(`Razão social / nome: ${nome}`);
  rolo.traco();
}

function itens(rolo: Rolo, cupom: CupomSat): void {
  const { textos, inf } = cupom;
  rolo.par('#  Código  Descrição', '', { tamanho: 6.5, negrito: true });
  rolo.par('Qtde  UN  x  Vl unit. R$', 'Vl item R$', { tamanho: 6.5, negrito: true });
  const todos = childrenNamed(inf, 'det');
  for (const [at, det] of todos.slice(0, ITENS_MAX).entries()) {
    const prod = (nome: string) => textos.em(det, 'prod', nome);
    rolo.texto([String(at + 1).padStart(3, '0'), prod('cProd'), prod('xProd')].filter(Boolean).join('  '));
    rolo.par(
      `${quantidade(prod('qCom'))} ${prod('uCom')} x ${quantidade(prod('vUnCom'), 2)}`,
      dinheiro(prod('vProd')),
    );
    for (const [rotulo, valor] of [
      ['desconto sobre item', prod('vDesc')],
      ['acréscimo sobre item', prod('vOutro')],
      ['rateio de desconto sobre subtotal', prod('vRatDesc')],
      ['rateio de acréscimo sobre subtotal', prod('vRatAcr')],
    ] as const)
      if (/[1-9]/.test(valor)) rolo.par(`    ${rotulo}`, dinheiro(valor), { tamanho: 6.5 });
  }
  const mais = todos.length - ITENS_MAX;
  if (mais > 0) rolo.texto(`Há mais itens (${mais}), que estão no XML.`, { negrito: true });
  rolo.traco();
}

function totais(rolo: Rolo, cupom: CupomSat): void {
  const t = (...nomes: string[]) => de(cupom, 'total', ...nomes);
  const linha = (rotulo: string, valor: string) => {
    if (/[1-9]/.test(valor)) rolo.par(rotulo, dinheiro(valor));
  };
  linha('Total bruto de itens', t('ICMSTot', 'vProd'));
  linha('Total de descontos sobre item', t('ICMSTot', 'vDesc'));
  linha('Total de acréscimos sobre item', t('ICMSTot', 'vOutro'));
  linha('Desconto sobre subtotal', t('DescAcrEntr', 'vDescSubtot'));
  linha('Acréscimo sobre subtotal', t('DescAcrEntr', 'vAcresSubtot'));
  rolo.par('TOTAL R$', dinheiro(t('vCFe')), { tamanho: 10, negrito: true });
  rolo.espaco(2);
  for (const pago of childrenNamed(descend(cupom.inf, 'pgto'), 'MP').slice(0, LINHAS_MAX)) {
    const meio = cupom.textos.em(pago, 'cMP');
    rolo.par(descricaoDoCodigo('cMP', meio, 'MP') ?? `Meio ${meio}`, dinheiro(cupom.textos.em(pago, 'vMP')));
  }
  linha('Troco R$', de(cupom, 'pgto', 'vTroco'));
  rolo.traco();
}

function observacoes(rolo: Rolo, cupom: CupomSat): void {
  const { textos, inf } = cupom;
  for (const uma of childrenNamed(descend(inf, 'infAdic'), 'obsFisco').slice(0, LINHAS_MAX))
    rolo.texto(`${cutTexto(uma.attributeValue('xCampo') ?? '', 60)}: ${textos.em(uma, 'xTexto')}`, {
      tamanho: 7,
    });
  rolo.texto(de(cupom, 'infAdic', 'infCpl'), { tamanho: 7 });
  const tributos = de(cupom, 'total', 'vCFeLei12741');
  if (tributos !== '')
    rolo.texto(
      `Valor aproximado dos tributos deste cupom (Lei Federal 12.741/2012): R$ ${dinheiro(tributos)}`,
    );
  rolo.traco();
}

function rodape(rolo: Rolo, cupom: CupomSat, chave: string): void {
  const ide = (nome: string) => de(cupom, 'ide', nome);
  rolo.centro(`SAT nº ${ide('nserieSAT').replaceAll(/(\d{3})(?=\d)/g, '$1.')}`, { negrito: true });
  rolo.centro([dia(ide('dEmi')), hora(ide('hEmi'))].filter(Boolean).join(' - '), { negrito: true });
  rolo.centro(chaveEmGrupos(chave), { tamanho: 7 });
  if (!/^[0-9A-Z]{44}$/.test(chave)) return;
  rolo.barras(chave.slice(0, 22), BARRAS);
  rolo.barras(chave.slice(22), BARRAS);
  const assinatura = ide('assinaturaQRCODE');
  if (assinatura === '') return;
  const { textos, inf } = cupom;
  const quem = textos.um(descend(inf, 'dest'), 'CNPJ', 'CPF');
  const quando = `${ide('dEmi')}${ide('hEmi')}`;
  rolo.qr([chave, quando, de(cupom, 'total', 'vCFe'), quem, assinatura].join('|'), QR);
}
