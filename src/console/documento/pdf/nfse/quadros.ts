/** Blocks of a DANFSe: rows of captions and values. @fonte NT 008/2026 SE/CGNFS-e, Anexo I (DANFSe v2.0) */
import { childrenNamed, descend, type XmlElement } from '../../../../fiscal/xml/tree.ts';
import { cep, cpfCnpj, dia, dinheiro, fone, instante, quantidade } from '../base/formatos.ts';
import type { Campo } from '../base/papel.ts';
import type { NotaNacional } from './nota.ts';

export interface Quadro {
  titulo: string;
  filas: Campo[][];
  /** What stands there instead of rows. */
  frase?: string;
  /** A text over the whole width, as long as it is. */
  corrido?: { rotulo: string; valor: string };
}

/** @fonte documentation of the national NFS-e, cStat */
const SITUACOES: Readonly<Record<string, string>> = {
  '100': 'NFS-e gerada',
  '101': 'NFS-e de substituição gerada',
  '102': 'NFS-e de decisão judicial',
  '103': 'NFS-e avulsa',
  '107': 'NFS-e de MEI',
};
const FINALIDADES: Readonly<Record<string, string>> = {
  '0': 'NFS-e regular',
  '1': 'NFS-e de crédito',
  '2': 'NFS-e de débito',
};

const campo = (rotulo: string, valor: string, mais: Partial<Campo> = {}): Campo => ({
  rotulo,
  valor: valor === '' ? '-' : valor,
  tamanho: 7.5,
  ...mais,
});
const reais = (rotulo: string, valor: string, mais: Partial<Campo> = {}): Campo =>
  campo(rotulo, valor === '' ? '' : `R$ ${dinheiro(valor)}`, mais);
const porcento = (valor: string) => (valor === '' ? '' : `${quantidade(valor, 2)}%`);

/** Beside the QR code. */
export function identificacao(nota: NotaNacional): Campo[][] {
  return [
    [
      campo('Número da NFS-e', nota.de('nNFSe')),
      campo('Competência da NFS-e', dia(nota.daDps('dCompet'))),
      campo('Data e hora da emissão da NFS-e', instante(nota.de('dhProc'))),
    ],
    [
      campo('Número da DPS', nota.daDps('nDPS')),
      campo('Série da DPS', nota.daDps('serie')),
      campo('Data e hora da emissão da DPS', instante(nota.daDps('dhEmi'))),
    ],
    [
      campo('Emitente da NFS-e', nota.codigo('tpEmit', nota.daDps('tpEmit'))),
      campo('Situação da NFS-e', SITUACOES[nota.de('cStat')] ?? nota.de('cStat')),
      campo('Finalidade', FINALIDADES[nota.daDps('IBSCBS', 'finNFSe')] ?? nota.daDps('IBSCBS', 'finNFSe')),
    ],
  ];
}

export function quadrosDe(nota: NotaNacional): Quadro[] {
  return [
    prestador(nota),
    pessoa(nota, { elemento: descend(nota.dps, 'toma'), titulo: 'Tomador / adquirente' }),
    destinatario(nota),
    pessoa(nota, { elemento: descend(nota.dps, 'interm'), titulo: 'Intermediário da operação' }),
    servico(nota),
    issqn(nota),
    federais(nota),
    ibsCbs(nota),
    totais(nota),
    complementares(nota),
  ].filter((quadro) => quadro !== null);
}

function prestador(nota: NotaNacional): Quadro {
  const emit = descend(nota.inf, 'emit');
  const prest = descend(nota.dps, 'prest');
  const regime = (nome: string) => nota.codigo(nome, nota.em(prest, 'regTrib', nome));
  const filas = filasDaPessoa(nota, emit ?? prest);
  // The issuer is told as the system knows it; what was declared of it is told where it differs.
  const declarado = nota.em(prest, 'xNome');
  if (emit && declarado !== '' && declarado !== nota.em(emit, 'xNome'))
    filas.push([campo('Nome declarado na DPS', declarado)]);
  return {
    titulo: 'Prestador / fornecedor',
    filas: [
      ...filas,
      [
        campo('Simples Nacional na data de competência', regime('opSimpNac')),
        campo('Regime de apuração tributária pelo SN', regime('regApTribSN')),
      ],
    ],
  };
}

function pessoa(
  nota: NotaNacional,
  { elemento, titulo }: { elemento: XmlElement | null; titulo: string },
): Quadro {
  if (!elemento) return { titulo, filas: [], frase: `${titulo} não identificado na NFS-e` };
  return { titulo, filas: filasDaPessoa(nota, elemento) };
}

function destinatario(nota: NotaNacional): Quadro | null {
  const grupo = descend(nota.dps, 'IBSCBS');
  if (!grupo) return null;
  const titulo = 'Destinatário da operação';
  const dest = descend(grupo, 'dest');
  return dest
    ? { titulo, filas: filasDaPessoa(nota, dest) }
    : { titulo, filas: [], frase: 'O destinatário é o próprio tomador / adquirente da operação' };
}

function filasDaPessoa(nota: NotaNacional, parte: XmlElement | null): Campo[][] {
  const em = (...nomes: string[]) => nota.em(parte, ...nomes);
  // The issuer's address stands alone; those of the DPS have streets and city apart, abroad too.
  const lugar = descend(parte, 'enderNac') ?? descend(parte, 'end');
  const rua = (nome: string) => nota.em(lugar, nome);
  const nacional = descend(lugar, 'endNac') ?? lugar;
  const exterior = descend(lugar, 'endExt');
  const municipio = exterior
    ? [nota.em(exterior, 'xCidade'), nota.em(exterior, 'xEstProvReg'), nota.em(exterior, 'cPais')]
        .filter(Boolean)
        .join(' / ')
    : nota.cidade(nota.em(nacional, 'cMun'));
  const codigos = exterior
    ? nota.em(exterior, 'cEndPost')
    : [nota.em(nacional, 'cMun'), cep(nota.em(nacional, 'CEP'))].filter(Boolean).join(' / ');
  return [
    [
      campo('CNPJ / CPF / NIF', cpfCnpj(em('CNPJ') || em('CPF') || em('NIF'))),
      campo('Indicador municipal (inscrição)', em('IM')),
      campo('Telefone', fone(em('fone'))),
    ],
    [
      campo('Nome / nome empresarial', em('xNome'), { parte: 2 }),
      campo('Município / UF', municipio),
      campo('Código IBGE / CEP', codigos),
    ],
    [
      campo(
        'Endereço',
        [[rua('xLgr'), rua('nro')].filter(Boolean).join(', '), rua('xCpl'), rua('xBairro')]
          .filter(Boolean)
          .join(' - '),
        { parte: 2 },
      ),
      campo('E-mail', em('email'), { parte: 2 }),
    ],
  ];
}

function servico(nota: NotaNacional): Quadro {
  const serv = descend(nota.dps, 'serv');
  const c = (nome: string) => nota.em(serv, 'cServ', nome);
  return {
    titulo: 'Serviço prestado',
    filas: [
      [
        campo(
          'Código de tributação nacional / municipal',
          [c('cTribNac').replace(/^(\d{2})(\d{2})(\d{2})$/, '$1.$2.$3'), c('cTribMun')]
            .filter(Boolean)
            .join(' / '),
        ),
        campo('Código da NBS', c('cNBS')),
        campo(
          'Local da prestação / país',
          [nota.de('xLocPrestacao'), nota.em(serv, 'locPrest', 'cPaisPrestacao')].filter(Boolean).join(' / '),
        ),
      ],
      [campo('Descrição da tributação', nota.de('xTribMun') || nota.de('xTribNac'))],
    ],
    corrido: { rotulo: 'Descrição do serviço', valor: c('xDescServ') },
  };
}

function issqn(nota: NotaNacional): Quadro {
  const mun = descend(nota.dps, 'valores', 'trib', 'tribMun');
  const em = (...nomes: string[]) => nota.em(mun, ...nomes);
  const v = (nome: string) => nota.de('valores', nome);
  const daDps = (...nomes: string[]) => nota.daDps('valores', ...nomes);
  return {
    titulo: 'Tributação municipal (ISSQN)',
    filas: [
      [
        campo('Tipo de tributação do ISSQN', nota.codigo('tribISSQN', em('tribISSQN'))),
        campo('Município de incidência', nota.de('xLocIncid') || nota.cidade(nota.de('cLocIncid'))),
        campo(
          'Regime especial de tributação',
          nota.codigo('regEspTrib', nota.daDps('prest', 'regTrib', 'regEspTrib')),
        ),
        campo('Tipo de imunidade', nota.codigo('tpImunidade', em('tpImunidade'))),
      ],
      [
        campo('Suspensão da exigibilidade', nota.codigo('tpSusp', em('exigSusp', 'tpSusp'))),
        campo('Número do processo da suspensão', em('exigSusp', 'nProcesso')),
        campo('Benefício municipal', v('tpBM') || em('BM', 'nBM')),
        reais('Cálculo do benefício municipal', v('vCalcBM')),
      ],
      [
        reais('Total de deduções / reduções', v('vCalcDR') || daDps('vDedRed', 'vDR')),
        reais('Desconto incondicionado', daDps('vDescCondIncond', 'vDescIncond')),
        reais('Base de cálculo do ISSQN', v('vBC')),
        campo('Alíquota aplicada', porcento(v('pAliqAplic') || em('pAliq'))),
      ],
      [
        campo('Retenção do ISSQN', nota.codigo('tpRetISSQN', em('tpRetISSQN'))),
        reais('Valor do ISSQN', v('vISSQN'), { negrito: true }),
      ],
    ],
  };
}

function federais(nota: NotaNacional): Quadro {
  const em = (...nomes: string[]) => nota.daDps('valores', 'trib', 'tribFed', ...nomes);
  return {
    titulo: 'Tributação federal (exceto CBS)',
    filas: [
      [
        reais('IRRF', em('vRetIRRF')),
        reais('Contribuição previdenciária retida', em('vRetCP')),
        reais('Contribuições sociais retidas (CSLL)', em('vRetCSLL')),
      ],
      [
        reais('PIS, débito de apuração própria', em('piscofins', 'vPis')),
        reais('COFINS, débito de apuração própria', em('piscofins', 'vCofins')),
        campo(
          'Retenção de PIS, COFINS e CSLL',
          nota.codigo('tpRetPisCofins', em('piscofins', 'tpRetPisCofins')),
        ),
      ],
    ],
  };
}

function ibsCbs(nota: NotaNacional): Quadro | null {
  const grupo = descend(nota.inf, 'IBSCBS');
  if (!grupo) return null;
  const em = (...nomes: string[]) => nota.em(grupo, ...nomes);
  const v = (...nomes: string[]) => em('valores', ...nomes);
  const t = (...nomes: string[]) => em('totCIBS', ...nomes);
  const declarado = (nome: string) => nota.daDps('IBSCBS', 'valores', 'trib', 'gIBSCBS', nome);
  const juntos = (...partes: string[]) => partes.map((um) => um || '-').join(' / ');
  return {
    titulo: 'Tributação do IBS / CBS',
    filas: [
      [
        campo('CST / classificação tributária', juntos(declarado('CST'), declarado('cClassTrib'))),
        campo('Indicador da operação', nota.daDps('IBSCBS', 'cIndOp')),
        campo('Município de incidência', em('xLocalidadeIncid') || nota.cidade(em('cLocalidadeIncid'))),
        reais('Exclusões e reduções da base', v('vCalcReeRepRes')),
      ],
      [
        reais('Base de cálculo após exclusões', v('vBC')),
        campo(
          'Redução das alíquotas IBS UF / IBS mun. / CBS',
          juntos(
            porcento(v('uf', 'pRedAliqUF')),
            porcento(v('mun', 'pRedAliqMun')),
            porcento(v('fed', 'pRedAliqCBS')),
          ),
        ),
        campo(
          'Alíquota IBS UF / municipal',
          juntos(porcento(v('uf', 'pIBSUF')), porcento(v('mun', 'pIBSMun'))),
        ),
        campo('Alíquota da CBS', porcento(v('fed', 'pCBS'))),
      ],
      [
        campo('Alíquota efetiva IBS UF', porcento(v('uf', 'pAliqEfetUF'))),
        reais('Valor do IBS UF', t('gIBS', 'gIBSUFTot', 'vIBSUF')),
        campo('Alíquota efetiva IBS mun.', porcento(v('mun', 'pAliqEfetMun'))),
        reais('Valor do IBS municipal', t('gIBS', 'gIBSMunTot', 'vIBSMun')),
      ],
      [
        reais('Valor total do IBS', t('gIBS', 'vIBSTot'), { negrito: true }),
        campo('Alíquota efetiva da CBS', porcento(v('fed', 'pAliqEfetCBS'))),
        reais('Valor total da CBS', t('gCBS', 'vCBS'), { negrito: true }),
      ],
    ],
  };
}

function totais(nota: NotaNacional): Quadro {
  const v = (...nomes: string[]) => nota.daDps('valores', ...nomes);
  const comIbsCbs = nota.de('IBSCBS', 'totCIBS', 'vTotNF');
  return {
    titulo: 'Valor total da NFS-e',
    filas: [
      [
        reais('Valor da operação / serviço', v('vServPrest', 'vServ')),
        reais('Desconto incondicionado', v('vDescCondIncond', 'vDescIncond')),
        reais('Desconto condicionado', v('vDescCondIncond', 'vDescCond')),
        reais('Total das retenções', nota.de('valores', 'vTotalRet')),
      ],
      [
        reais('Valor líquido da NFS-e', nota.de('valores', 'vLiq'), { negrito: true, tamanho: 9 }),
        ...(comIbsCbs === ''
          ? []
          : [reais('Valor líquido da NFS-e + IBS / CBS', comIbsCbs, { negrito: true, tamanho: 9 })]),
      ],
    ],
  };
}

/** Documents that a service refers to; a layout allows a thousand. */
const REFERIDOS_MAX = 50;

function complementares(nota: NotaNacional): Quadro {
  const serv = (...nomes: string[]) => nota.daDps('serv', ...nomes);
  const total = (nome: string) => nota.daDps('valores', 'trib', 'totTrib', 'vTotTrib', nome);
  const itens = childrenNamed(descend(nota.dps, 'serv', 'infoCompl', 'gItemPed'), 'xItemPed');
  const aproximados = ['vTotTribFed', 'vTotTribEst', 'vTotTribMun'].map(total);
  const linhas = [
    ['Informações', serv('infoCompl', 'xInfComp')],
    ['NFS-e substituída', nota.daDps('subst', 'chSubstda')],
    ['Documento de referência', serv('infoCompl', 'docRef')],
    ['Código da obra', serv('obra', 'cObra')],
    ['Inscrição imobiliária', serv('obra', 'inscImobFisc')],
    ['Evento', serv('atvEvento', 'idAtvEvt')],
    ['Documento técnico', serv('infoCompl', 'idDocTec')],
    ['Pedido', serv('infoCompl', 'xPed')],
    [
      'Itens do pedido',
      itens
        .slice(0, REFERIDOS_MAX)
        .map((um) => nota.em(um))
        .join(', '),
    ],
    ['Outras informações', nota.de('xOutInf')],
  ]
    .filter(([, valor]) => valor !== '')
    .map(([rotulo, valor]) => `${rotulo}: ${valor}`);
  const lei = aproximados.some((um) => um !== '')
    ? [
        `Totais aproximados dos tributos conforme a Lei nº 12.741/2012: federais ${reaisOu(aproximados[0])}; ` +
          `estaduais ${reaisOu(aproximados[1])}; municipais ${reaisOu(aproximados[2])}`,
      ]
    : [];
  return {
    titulo: 'Informações complementares',
    filas: [],
    corrido: { rotulo: '', valor: [...linhas, ...lei].join('\n') },
  };
}

const reaisOu = (valor = '') => (valor === '' ? '-' : `R$ ${dinheiro(valor)}`);
