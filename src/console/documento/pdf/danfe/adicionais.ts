/** The additional information at the foot of a DANFE: what the note says besides, and what did not fit its boxes. */
import { cutTexto } from '../../../../fiscal/limites-de-texto.ts';
import { childrenNamed } from '../../../../fiscal/xml/tree.ts';
import { chaveEmGrupos } from '../base/formatos.ts';
import { ENTRELINHA, quebrar } from '../base/letras.ts';
import type { Papel } from '../base/papel.ts';
import { contingenciaDe } from './contingencia.ts';
import type { Nota } from './nota.ts';

const TAMANHO = 7;
const PASSO = TAMANHO * ENTRELINHA;
/** Share of the width; the rest is the tax authority's own. */
const PARTE = 0.7;
/** Title and caption above the lines, and the edge below them. */
const EM_VOLTA = 10 + 9 + 3;
/** Of all of it: a dozen pages. */
const CARACTERES_MAX = 60_000;
/** Fields of the issuer's own, and references: the most that a layout allows. */
const LINHAS_MAX = 500;

/** Lines of the text that stands in the frame, as wide as it is on this paper. */
export function linhasAdicionais(papel: Papel, nota: Nota): string[] {
  const largura = papel.largura * PARTE - 6;
  return quebrar(textoAdicional(papel, nota), {
    fonte: { familia: papel.familia },
    tamanho: TAMANHO,
    largura,
  });
}

function textoAdicional(papel: Papel, nota: Nota): string {
  const inf = nota.parte('infAdic');
  const observacoes = [...childrenNamed(inf, 'obsCont'), ...childrenNamed(inf, 'obsFisco')]
    .slice(0, LINHAS_MAX)
    .map((uma) => `${uma.attributeValue('xCampo') ?? ''}: ${nota.em(uma, 'xTexto')}`.slice(0, 300));
  const aoFisco = nota.em(inf, 'infAdFisco');
  const partes = [
    nota.haMaisItens,
    contingenciaDe(nota)?.texto ?? '',
    nota.em(inf, 'infCpl'),
    ...observacoes,
    aoFisco && `Informações de interesse do fisco: ${aoFisco}`,
    ...referencias(nota),
    compra(nota),
    ...papel.sobras.map(({ rotulo, valor }) => `${rotulo}: ${valor}`),
  ];
  const texto = partes.filter(Boolean).join('\n');
  return texto.length <= CARACTERES_MAX
    ? texto
    : `${cutTexto(texto, CARACTERES_MAX)}\nO restante está no XML.`;
}

function referencias(nota: Nota): string[] {
  const todas = childrenNamed(nota.parte('ide'), 'NFref').slice(0, LINHAS_MAX);
  return todas.flatMap((uma) => {
    const [nfe, cte] = [nota.em(uma, 'refNFe'), nota.em(uma, 'refCTe')];
    if (nfe !== '') return [`NF-e referenciada: ${chaveEmGrupos(nfe)}`];
    if (cte !== '') return [`CT-e referenciado: ${chaveEmGrupos(cte)}`];
    const papel = nota.em(uma, 'refNF', 'nNF') || nota.em(uma, 'refNFP', 'nNF');
    const serie = nota.em(uma, 'refNF', 'serie') || nota.em(uma, 'refNFP', 'serie');
    const cupom = nota.em(uma, 'refECF', 'nCOO');
    if (papel !== '') return [`Nota fiscal referenciada: número ${papel}, série ${serie}`];
    return cupom === '' ? [] : [`Cupom fiscal referenciado: COO ${cupom}`];
  });
}

function compra(nota: Nota): string {
  const [empenho, pedido, contrato] = ['xNEmp', 'xPed', 'xCont'].map((nome) => nota.de('compra', nome));
  return [
    empenho && `Nota de empenho: ${empenho}`,
    pedido && `Pedido: ${pedido}`,
    contrato && `Contrato: ${contrato}`,
  ]
    .filter(Boolean)
    .join('  ');
}

/** Height of a frame for so many lines. */
export const alturaDe = (linhas: number): number => EM_VOLTA + Math.max(linhas, 4) * PASSO;
/** Lines that a frame of such a height holds. */
export const cabemEm = (altura: number): number => Math.max(0, Math.floor((altura - EM_VOLTA) / PASSO));

/** Draws the frame of a page, with some of the lines. */
export function adicionais(
  papel: Papel,
  onde: { y: number; altura: number; linhas: readonly string[]; continua?: boolean },
): void {
  const { y: topo, altura, linhas, continua = false } = onde;
  const y = papel.titulo(topo, continua ? 'Dados adicionais (continuação)' : 'Dados adicionais');
  const [x, alta, largura] = [papel.esquerda, altura - 10, papel.largura * PARTE];
  papel.caixa({ x, y, largura, altura: alta }, { rotulo: 'Informações complementares', valor: '' });
  papel.caixa(
    { x: x + largura, y, largura: papel.largura - largura, altura: alta },
    { rotulo: 'Reservado ao fisco', valor: '' },
  );
  papel.linhas({ linhas: [...linhas], tamanho: TAMANHO }, { x: x + 3, y: y + 9, largura: largura - 6 });
}
