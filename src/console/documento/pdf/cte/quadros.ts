/** Blocks of a DACTE. Each returns where the next one begins. @fonte MOC CT-e 4.00, Anexo II */
import type { DadosDoDacte, ParteDoCte } from '../../dacte-dados.ts';
import { cpfCnpj, dinheiro, fone, quantidade } from '../base/formatos.ts';
import type { Campo, Papel } from '../base/papel.ts';

const valor = (rotulo: string, texto: string, mais: Partial<Campo> = {}): Campo => ({
  rotulo,
  valor: dinheiro(texto),
  alinha: 'right',
  ...mais,
});

export function prestacao(papel: Papel, dados: DadosDoDacte, topo: number): number {
  const y = papel.fila(topo, [
    { rotulo: 'Tipo do CT-e', valor: dados.tipo, tamanho: 8 },
    { rotulo: 'Tipo do serviço', valor: dados.servico, parte: 1.3, tamanho: 8 },
    { rotulo: 'Tomador do serviço', valor: dados.quemPaga, tamanho: 8 },
    { rotulo: 'CFOP - natureza da prestação', valor: dados.cfop, parte: 2.4, tamanho: 8 },
  ]);
  return papel.fila(y, [
    { rotulo: 'Início da prestação', valor: dados.inicio },
    { rotulo: 'Término da prestação', valor: dados.fim },
    { rotulo: 'Inscrição SUFRAMA do destinatário', valor: dados.suframa, parte: 0.6 },
  ]);
}

const ALTURA_DA_PARTE = 50;

export function partes(papel: Papel, dados: DadosDoDacte, topo: number): number {
  const metade = papel.largura / 2;
  const pares = [
    [
      ['Remetente', dados.remetente],
      ['Destinatário', dados.destinatario],
    ],
    [
      ['Expedidor', dados.expedidor],
      ['Recebedor', dados.recebedor],
    ],
  ] as const;
  let y = topo;
  for (const par of pares.filter((um) => um.some(([, pessoa]) => pessoa !== null))) {
    for (const [at, [rotulo, pessoa]] of par.entries())
      parte(papel, { x: papel.esquerda + at * metade, y, largura: metade }, { rotulo, pessoa });
    y += ALTURA_DA_PARTE;
  }
  parte(
    papel,
    { x: papel.esquerda, y, largura: papel.largura },
    { rotulo: 'Tomador', pessoa: dados.tomador },
  );
  return y + ALTURA_DA_PARTE;
}

function parte(
  papel: Papel,
  { x, y, largura }: { x: number; y: number; largura: number },
  { rotulo, pessoa }: { rotulo: string; pessoa: ParteDoCte | null },
): void {
  papel.moldura({ x, y, largura, altura: ALTURA_DA_PARTE });
  const lugar = pessoa && [pessoa.municipio, pessoa.uf].filter(Boolean).join(' - ');
  const linhas: readonly (readonly [string, string])[] = [
    [rotulo, pessoa?.nome ?? ''],
    ['Endereço', pessoa?.endereco ?? ''],
    [
      'Município',
      pessoa ? [lugar, pessoa.cep && `CEP ${pessoa.cep}`, pessoa.pais].filter(Boolean).join('  ') : '',
    ],
    [
      'CNPJ / CPF',
      pessoa
        ? [
            cpfCnpj(pessoa.cpfCnpj),
            pessoa.ie && `IE ${pessoa.ie}`,
            pessoa.fone && `Fone ${fone(pessoa.fone)}`,
          ]
            .filter(Boolean)
            .join('  ')
        : '',
    ],
  ];
  for (const [at, [nome, texto]] of linhas.entries()) {
    const top = y + 2 + at * 11.8;
    papel.texto(
      nome.toLocaleUpperCase('pt-BR'),
      { x: x + 3, y: top + 2, largura: 52, altura: 8 },
      { tamanho: 5.5 },
    );
    const { cortado } = papel.texto(
      texto,
      { x: x + 56, y: top, largura: largura - 59, altura: 11 },
      { tamanho: 8, minimo: 4.5, negrito: at === 0, meio: true },
    );
    if (cortado) papel.sobras.push({ rotulo: at === 0 ? rotulo : `${nome} (${rotulo})`, valor: texto });
  }
}

const QUANTIDADES_NUMA_FILA = 5;

export function carga(
  papel: Papel,
  { carga: levada, quantidades, modelo }: DadosDoDacte,
  topo: number,
): number {
  let y = papel.fila(topo, [
    {
      rotulo: modelo === '67' ? 'Serviço prestado' : 'Produto predominante',
      valor: levada.produto,
      parte: 2,
    },
    { rotulo: 'Outras características da carga', valor: levada.caracteristicas, parte: 2 },
    valor('Valor total da mercadoria', levada.valor),
  ]);
  const mostradas = quantidades.slice(0, QUANTIDADES_NUMA_FILA);
  if (mostradas.length > 0)
    y = papel.fila(
      y,
      mostradas.map((uma) => ({ rotulo: uma.nome, valor: quantidade(uma.valor), alinha: 'right' })),
    );
  const demais = quantidades.slice(QUANTIDADES_NUMA_FILA);
  if (demais.length > 0)
    papel.sobras.push({
      rotulo: 'Demais quantidades',
      valor: demais.map((uma) => `${uma.nome} ${quantidade(uma.valor)}`).join('; '),
    });
  return y;
}

const COLUNAS = 3;
const PASSO = 9.5;
/** Rows of components that the first page has room for; the sum is that of all. */
const LINHAS_MAX = 7;

export function valores(papel: Papel, dados: DadosDoDacte, topo: number): number {
  const y = papel.titulo(topo, 'Componentes do valor da prestação do serviço');
  const linhas = Math.min(LINHAS_MAX, Math.max(3, Math.ceil(dados.componentes.length / COLUNAS)));
  const altura = linhas * PASSO + 14;
  const listas = papel.largura * 0.76;
  const largura = listas / COLUNAS;
  for (let coluna = 0; coluna < COLUNAS; coluna++) {
    const x = papel.esquerda + coluna * largura;
    papel.moldura({ x, y, largura, altura });
    const em = { x: x + 3, largura: largura - 6, altura: 8 };
    papel.texto('NOME', { ...em, y: y + 1 }, { tamanho: 5.5 });
    papel.texto('VALOR', { ...em, y: y + 1 }, { tamanho: 5.5, alinha: 'right' });
    const suas = dados.componentes.slice(coluna * linhas, (coluna + 1) * linhas);
    for (const [at, uma] of suas.entries()) {
      const top = y + 10 + at * PASSO;
      papel.texto(uma.nome, { ...em, largura: largura * 0.6, y: top }, { tamanho: 7.5, minimo: 4 });
      papel.texto(dinheiro(uma.valor), { ...em, y: top }, { tamanho: 7.5, alinha: 'right' });
    }
  }
  const demais = dados.componentes.slice(linhas * COLUNAS);
  if (demais.length > 0)
    papel.sobras.push({
      rotulo: 'Demais componentes',
      valor: demais.map((uma) => `${uma.nome} ${dinheiro(uma.valor)}`).join('; '),
    });
  const total = { x: papel.esquerda + listas, largura: papel.largura - listas, altura: altura / 2 };
  papel.caixa(
    { ...total, y },
    valor('Valor total da prestação', dados.total, { negrito: true, tamanho: 10 }),
  );
  papel.caixa(
    { ...total, y: y + altura / 2 },
    valor('Valor a receber', dados.aReceber, { negrito: true, tamanho: 10 }),
  );
  return impostos(papel, dados, y + altura);
}

function impostos(papel: Papel, { imposto, ibsCbs }: DadosDoDacte, topo: number): number {
  let y = papel.titulo(topo, 'Informações relativas ao imposto');
  y = papel.fila(y, [
    { rotulo: 'Situação tributária', valor: imposto.situacao, parte: 2.6, tamanho: 8 },
    valor('Base de cálculo', imposto.base),
    { rotulo: 'Alíq. ICMS', valor: quantidade(imposto.aliquota, 2), parte: 0.7, alinha: 'right' },
    valor('Valor do ICMS', imposto.valor),
    { rotulo: '% red. BC', valor: quantidade(imposto.reducao, 2), parte: 0.7, alinha: 'right' },
    valor('ICMS ST', imposto.st),
  ]);
  if (!ibsCbs) return y;
  return papel.fila(y, [
    valor('Base de cálculo IBS / CBS', ibsCbs.base),
    { rotulo: 'Alíq. IBS UF / IBS mun. / CBS', valor: ibsCbs.aliquotas, alinha: 'center', parte: 1.4 },
    valor('Valor do IBS UF', ibsCbs.ibsUf),
    valor('Valor do IBS mun.', ibsCbs.ibsMun),
    valor('Valor da CBS', ibsCbs.cbs),
    valor('Valor total do documento', ibsCbs.total),
  ]);
}

const CAMPOS_NUMA_FILA = 5;

/** Height of the rows of the modal, and of what is the issuer's and the tax authority's own below them. */
export const alturaDoModal = ({ doModal }: DadosDoDacte): number =>
  10 + Math.max(1, Math.ceil(doModal.length / CAMPOS_NUMA_FILA)) * 20 + 28;

export function modal(papel: Papel, dados: DadosDoDacte, topo: number): number {
  let y = papel.titulo(topo, `Dados específicos do modal ${dados.modal}`);
  const campos = dados.doModal.length > 0 ? dados.doModal : [{ rotulo: '', valor: '' }];
  for (let de = 0; de < campos.length; de += CAMPOS_NUMA_FILA)
    y = papel.fila(y, campos.slice(de, de + CAMPOS_NUMA_FILA));
  return papel.fila(
    y,
    [
      { rotulo: 'Uso exclusivo do emissor do CT-e', valor: '' },
      { rotulo: 'Reservado ao fisco', valor: dados.aoFisco, tamanho: 7 },
    ],
    { altura: 28 },
  );
}
