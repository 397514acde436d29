/** Blocks of a DANFE between its head and its items. Each returns where the next one begins. @fonte MOC NF-e 7.0, Anexo II */
import { childrenNamed, type XmlElement } from '../../../../fiscal/xml/tree.ts';
import { descricaoDoCodigo } from '../../codigos.ts';
import { cep, cpfCnpj, dia, dinheiro, fone, hora, quantidade } from '../base/formatos.ts';
import type { Campo, Papel } from '../base/papel.ts';
import { enderecoDe } from './cabecalho.ts';
import { type Nota, temLeiauteRtc } from './nota.ts';

/** A block with the height that it takes; 0 where a note has nothing for it. */
interface Quadro {
  altura: (nota: Nota) => number;
  desenhar: (papel: Papel, nota: Nota, topo: number) => number;
}

const TITULO = 10;
const FILA = 20;

const valor = (rotulo: string, texto: string, mais: Partial<Campo> = {}): Campo => ({
  rotulo,
  valor: dinheiro(texto),
  alinha: 'right',
  tamanho: 8.5,
  ...mais,
});

function destinatario(papel: Papel, nota: Nota, topo: number): number {
  const em = (nome: string) => nota.de('dest', 'enderDest', nome);
  const { rua } = enderecoDe(nota, 'dest', 'enderDest');
  const saida = nota.de('ide', 'dhSaiEnt') || nota.de('ide', 'dSaiEnt');
  let y = papel.titulo(topo, 'Destinatário / remetente');
  y = papel.fila(y, [
    { rotulo: 'Nome / razão social', valor: nota.de('dest', 'xNome'), parte: 6 },
    { rotulo: 'CNPJ / CPF', valor: cpfCnpj(nota.quem(nota.parte('dest'))), parte: 2.4 },
    { rotulo: 'Data da emissão', valor: dia(nota.emissao), parte: 1.6, alinha: 'center' },
  ]);
  y = papel.fila(y, [
    { rotulo: 'Endereço', valor: rua, parte: 4.6 },
    { rotulo: 'Bairro / distrito', valor: em('xBairro'), parte: 2.6 },
    { rotulo: 'CEP', valor: cep(em('CEP')), parte: 1.2 },
    { rotulo: 'Data da saída / entrada', valor: dia(saida), parte: 1.6, alinha: 'center' },
  ]);
  return papel.fila(y, [
    { rotulo: 'Município', valor: em('xMun') + (em('UF') === 'EX' ? ` - ${em('xPais')}` : ''), parte: 3.8 },
    { rotulo: 'UF', valor: em('UF'), parte: 0.6, alinha: 'center' },
    { rotulo: 'Fone / fax', valor: fone(em('fone')), parte: 2 },
    { rotulo: 'Inscrição estadual', valor: nota.de('dest', 'IE'), parte: 2 },
    {
      rotulo: 'Hora da saída / entrada',
      valor: nota.de('ide', 'hSaiEnt') || hora(saida),
      parte: 1.6,
      alinha: 'center',
    },
  ]);
}

/** Where goods are fetched and brought, when that is elsewhere. @fonte NT 2018.005 */
function locais(papel: Papel, nota: Nota, topo: number): number {
  let y = topo;
  for (const [nome, rotulo] of [
    ['retirada', 'Informações do local de retirada'],
    ['entrega', 'Informações do local de entrega'],
  ] as const) {
    const parte = nota.parte(nome);
    if (!parte) continue;
    const em = (campo: string) => nota.em(parte, campo);
    const rua = [[em('xLgr'), em('nro')].filter(Boolean).join(', '), em('xCpl')].filter(Boolean).join(' - ');
    y = papel.titulo(y, rotulo);
    y = papel.fila(y, [
      { rotulo: 'Nome / razão social', valor: em('xNome'), parte: 5 },
      { rotulo: 'CNPJ / CPF', valor: cpfCnpj(nota.quem(parte)), parte: 2.4 },
      { rotulo: 'Inscrição estadual', valor: em('IE'), parte: 2 },
    ]);
    y = papel.fila(y, [
      { rotulo: 'Endereço', valor: rua, parte: 4 },
      { rotulo: 'Bairro / distrito', valor: em('xBairro'), parte: 2 },
      { rotulo: 'Município', valor: em('xMun'), parte: 2 },
      { rotulo: 'UF', valor: em('UF'), parte: 0.5, alinha: 'center' },
      { rotulo: 'CEP', valor: cep(em('CEP')), parte: 1 },
      { rotulo: 'Fone', valor: fone(em('fone')), parte: 1.3 },
    ]);
  }
  return y;
}

const DUPLICATAS_NUMA_FILA = 6;
/** More of them are told in the additional information. */
const FILAS_DE_DUPLICATAS = 4;

function fatura(papel: Papel, nota: Nota, topo: number): number {
  const cobr = nota.parte('cobr');
  const fat = nota.parte('cobr', 'fat');
  const duplicatas = childrenNamed(cobr, 'dup');
  if (!fat && duplicatas.length === 0) return pagamentos(papel, nota, topo);
  let y = papel.titulo(topo, 'Fatura / duplicatas');
  if (fat)
    y = papel.fila(y, [
      { rotulo: 'Número da fatura', valor: nota.em(fat, 'nFat'), parte: 2 },
      valor('Valor original', nota.em(fat, 'vOrig')),
      valor('Valor do desconto', nota.em(fat, 'vDesc')),
      valor('Valor líquido', nota.em(fat, 'vLiq')),
    ]);
  const escrita = (dup: XmlElement) => ({
    numero: nota.em(dup, 'nDup'),
    vence: dia(nota.em(dup, 'dVenc')),
    valor: dinheiro(nota.em(dup, 'vDup')),
  });
  const cabem = DUPLICATAS_NUMA_FILA * FILAS_DE_DUPLICATAS;
  for (let de = 0; de < Math.min(cabem, duplicatas.length); de += DUPLICATAS_NUMA_FILA) {
    const fila = Array.from({ length: DUPLICATAS_NUMA_FILA }, (_, at) => duplicatas[de + at]);
    y = papel.fila(
      y,
      fila.map((dup) => {
        if (!dup) return { rotulo: '', valor: '' };
        const { numero, vence, valor: quanto } = escrita(dup);
        return {
          rotulo: `Nº ${numero}  venc. ${vence}`,
          valor: `R$ ${quanto}`,
          alinha: 'right',
          tamanho: 8.5,
        };
      }),
      { altura: 19 },
    );
  }
  const restantes = duplicatas.slice(cabem).map(escrita);
  if (restantes.length > 0)
    papel.sobras.push({
      rotulo: 'Demais duplicatas',
      valor: restantes.map((uma) => `${uma.numero} venc. ${uma.vence} R$ ${uma.valor}`).join('; '),
    });
  return y;
}

function pagamentos(papel: Papel, nota: Nota, topo: number): number {
  const pagos = [...childrenNamed(nota.parte('pag'), 'detPag'), ...childrenNamed(nota.inf, 'pag')]
    .filter((pago) => nota.em(pago, 'tPag') !== '')
    .slice(0, DUPLICATAS_NUMA_FILA);
  if (pagos.length === 0) return topo;
  const campos = pagos.map((pago): Campo => {
    const forma = nota.em(pago, 'tPag');
    const nome = descricaoDoCodigo('tPag', forma, 'detPag') ?? `forma ${forma}`;
    return {
      rotulo: nota.em(pago, 'xPag') || nome,
      valor: `R$ ${dinheiro(nota.em(pago, 'vPag'))}`,
      alinha: 'right',
    };
  });
  return papel.fila(papel.titulo(topo, 'Pagamento'), campos, { altura: 19 });
}

function imposto(papel: Papel, nota: Nota, topo: number): number {
  const t = (nome: string) => nota.de('total', 'ICMSTot', nome);
  let y = papel.titulo(topo, 'Cálculo do imposto');
  y = papel.fila(y, [
    valor('Base cálc. do ICMS', t('vBC')),
    valor('Valor do ICMS', t('vICMS')),
    valor('Base cálc. ICMS ST', t('vBCST')),
    valor('Valor do ICMS ST', t('vST')),
    valor('V. imp. importação', t('vII')),
    valor('V. ICMS UF remet.', t('vICMSUFRemet'), { parte: 0.9 }),
    valor('V. FCP UF dest.', t('vFCPUFDest'), { parte: 0.9 }),
    valor('Valor do PIS', t('vPIS'), { parte: 0.9 }),
    valor('V. total produtos', t('vProd'), { parte: 1.15 }),
  ]);
  y = papel.fila(y, [
    valor('Valor do frete', t('vFrete')),
    valor('Valor do seguro', t('vSeg')),
    valor('Desconto', t('vDesc')),
    valor('Outras despesas', t('vOutro')),
    valor('Valor total do IPI', t('vIPI')),
    valor('V. ICMS UF dest.', t('vICMSUFDest'), { parte: 0.9 }),
    valor('V. tot. tributos', t('vTotTrib'), { parte: 0.9 }),
    valor('Valor da COFINS', t('vCOFINS'), { parte: 0.9 }),
    valor('V. total da nota', t('vNF'), { parte: 1.15, negrito: true }),
  ]);
  return temLeiauteRtc(nota) ? ibsCbsIs(papel, nota, y) : y;
}

/** @fonte NT 2026.010 v1.00: campos W33, W41, W46, W56, W58, W59, W59a, W59b */
function ibsCbsIs(papel: Papel, nota: Nota, topo: number): number {
  const t = (...nomes: string[]) => nota.de('total', 'IBSCBSTot', ...nomes);
  const y = papel.titulo(topo, 'Total do IBS / CBS / IS');
  return papel.fila(y, [
    valor('Valor da CBS', t('gCBS', 'vCBS')),
    valor('Valor do IBS UF', t('gIBS', 'gIBSUF', 'vIBSUF')),
    valor('Valor do IBS Mun.', t('gIBS', 'gIBSMun', 'vIBSMun')),
    valor('Valor do IS', nota.de('total', 'ISTot', 'vIS')),
    valor('IBS monofásico', t('gMono', 'vIBSMono')),
    valor('CBS monofásica', t('gMono', 'vCBSMono')),
    valor('IBS monof. retenção', t('gMono', 'vIBSMonoReten')),
    valor('CBS monof. retenção', t('gMono', 'vCBSMonoReten')),
  ]);
}

/** @fonte XSD modFrete, NT 2016.002 */
const FRETE: Readonly<Record<string, string>> = {
  '0': '0 - Remetente (CIF)',
  '1': '1 - Destinatário (FOB)',
  '2': '2 - Terceiros',
  '3': '3 - Próprio, remetente',
  '4': '4 - Próprio, destinatário',
  '9': '9 - Sem transporte',
};

function transporte(papel: Papel, nota: Nota, topo: number): number {
  const em = (...nomes: string[]) => nota.de('transp', ...nomes);
  const frete = em('modFrete');
  let y = papel.titulo(topo, 'Transportador / volumes transportados');
  y = papel.fila(y, [
    { rotulo: 'Nome / razão social', valor: em('transporta', 'xNome'), parte: 3.7 },
    { rotulo: 'Frete por conta', valor: FRETE[frete] ?? frete, parte: 1.9, tamanho: 8 },
    { rotulo: 'Código ANTT', valor: em('veicTransp', 'RNTC'), parte: 1.2 },
    { rotulo: 'Placa do veículo', valor: em('veicTransp', 'placa'), parte: 1.1 },
    { rotulo: 'UF', valor: em('veicTransp', 'UF'), parte: 0.5, alinha: 'center' },
    { rotulo: 'CNPJ / CPF', valor: cpfCnpj(nota.quem(nota.parte('transp', 'transporta'))), parte: 2 },
  ]);
  y = papel.fila(y, [
    { rotulo: 'Endereço', valor: em('transporta', 'xEnder'), parte: 4.6 },
    { rotulo: 'Município', valor: em('transporta', 'xMun'), parte: 3.3 },
    { rotulo: 'UF', valor: em('transporta', 'UF'), parte: 0.5, alinha: 'center' },
    { rotulo: 'Inscrição estadual', valor: em('transporta', 'IE'), parte: 2 },
  ]);
  return volumes(papel, nota, y);
}

/** One row of them; the sheet has no room for more, and tells of those elsewhere. */
function volumes(papel: Papel, nota: Nota, y: number): number {
  const todos = childrenNamed(nota.parte('transp'), 'vol');
  const campos = (vol: XmlElement | undefined) => {
    const em = (nome: string) => (vol ? nota.em(vol, nome) : '');
    return {
      quantidade: quantidade(em('qVol')),
      especie: em('esp'),
      marca: em('marca'),
      numeracao: em('nVol'),
      bruto: quantidade(em('pesoB')),
      liquido: quantidade(em('pesoL')),
    };
  };
  const primeiro = campos(todos[0]);
  const demais = todos.slice(1).map((vol) => Object.values(campos(vol)).filter(Boolean).join(' '));
  if (demais.length > 0) papel.sobras.push({ rotulo: 'Demais volumes', valor: demais.join('; ') });
  return papel.fila(y, [
    { rotulo: 'Quantidade', valor: primeiro.quantidade, alinha: 'right' },
    { rotulo: 'Espécie', valor: primeiro.especie, parte: 1.5 },
    { rotulo: 'Marca', valor: primeiro.marca, parte: 1.5 },
    { rotulo: 'Numeração', valor: primeiro.numeracao, parte: 1.5 },
    { rotulo: 'Peso bruto (kg)', valor: primeiro.bruto, alinha: 'right' },
    { rotulo: 'Peso líquido (kg)', valor: primeiro.liquido, alinha: 'right' },
  ]);
}

const alturaDaFatura = (nota: Nota): number => {
  const filas = Math.ceil(childrenNamed(nota.parte('cobr'), 'dup').length / DUPLICATAS_NUMA_FILA);
  return TITULO + FILA + Math.min(filas, FILAS_DE_DUPLICATAS) * FILA;
};

/** In the order in which they follow the head of the first page. */
export const QUADROS: readonly Quadro[] = [
  { altura: () => TITULO + 3 * FILA, desenhar: destinatario },
  {
    altura: (nota) => (nota.parte('retirada') ? 50 : 0) + (nota.parte('entrega') ? 50 : 0),
    desenhar: locais,
  },
  { altura: alturaDaFatura, desenhar: fatura },
  { altura: (nota) => TITULO + 2 * FILA + (temLeiauteRtc(nota) ? TITULO + FILA : 0), desenhar: imposto },
  { altura: () => TITULO + 3 * FILA, desenhar: transporte },
];

/** The block of services, between items and additional information. */
export const ISSQN: Quadro = {
  altura: (nota) => (nota.parte('total', 'ISSQNtot') ? TITULO + FILA : 0),
  desenhar: issqn,
};

function issqn(papel: Papel, nota: Nota, topo: number): number {
  const t = (nome: string) => nota.de('total', 'ISSQNtot', nome);
  return papel.fila(papel.titulo(topo, 'Cálculo do ISSQN'), [
    { rotulo: 'Inscrição municipal', valor: nota.de('emit', 'IM') },
    valor('Valor total dos serviços', t('vServ')),
    valor('Base de cálculo do ISSQN', t('vBC')),
    valor('Valor do ISSQN', t('vISS')),
  ]);
}
