/** `LEIA-ME.txt` of an exported ZIP: what was asked for, and what lies in it, counted while it was written. */
import { ehValida, SITUACOES, type Situacao } from './situacoes.ts';

/** What was asked for, in words for people. */
export interface DescricaoDoPedido {
  /** Such as `Padaria Sol Ltda, CNPJ 12.345.678/0001-90`; `Todos os clientes do escritório`. */
  cliente: string;
  /** Lines such as `Emissão: de 01/03/2026 a 31/03/2026`. */
  filtros: readonly string[];
  /** When it was asked for, `dd/mm/aaaa hh:mm`. */
  pedidaEm: string;
}

/** How many of what is in a ZIP, and what is not in it. */
export class Contagem {
  readonly #dentro = new Map<Situacao, number>();
  readonly #fora = new Map<Situacao, number>();
  readonly #eventos = new Map<string, number>();
  /** Documents whose bytes were deleted at the end of their term. */
  #excluidos = 0;
  #semPdf = 0;

  dentro(situacao: Situacao): void {
    add(this.#dentro, situacao);
  }

  fora(situacao: Situacao): void {
    add(this.#fora, situacao);
  }

  evento({ codigo, descricao }: { codigo: string; descricao: string }): void {
    add(this.#eventos, `${descricao} (${codigo})`);
  }

  excluido(): void {
    this.#excluidos++;
  }

  semPdf(): void {
    this.#semPdf++;
  }

  /** Paragraphs of what is in it, then of what is missing. */
  linhas({ comEventos }: { comEventos: boolean }): string[] {
    const dentro = SITUACOES.flatMap((situacao) => this.#linhaDe(this.#dentro, situacao));
    const fora = SITUACOES.flatMap((situacao) => this.#linhaDe(this.#fora, situacao));
    return [
      'O QUE HÁ NESTE ZIP',
      ...(dentro.length > 0 ? dentro : ['Nenhum documento.']),
      ...this.#linhasDosEventos(comEventos),
      ...(fora.length > 0
        ? ['', 'DEIXADOS DE FORA, COMO FOI PEDIDO (o manifest.csv os lista)', ...fora]
        : []),
      ...(this.#excluidos > 0
        ? ['', quantos(this.#excluidos, 'documento sem arquivo', 'documentos sem arquivo') + EXCLUIDO]
        : []),
      ...(this.#semPdf > 0
        ? ['', quantos(this.#semPdf, 'documento sem PDF', 'documentos sem PDF') + SEM_PDF]
        : []),
    ];
  }

  #linhaDe(mapa: ReadonlyMap<Situacao, number>, situacao: Situacao): string[] {
    const n = mapa.get(situacao);
    if (n === undefined) return [];
    const onde = mapa === this.#fora ? '' : ehValida(situacao) ? '' : `, à parte na pasta ${situacao.pasta}`;
    return [`${quantos(n, situacao.um, situacao.muitos)}${onde}.`];
  }

  #linhasDosEventos(comEventos: boolean): string[] {
    if (!comEventos) return ['Nenhum evento: foram deixados de fora, como foi pedido.'];
    const total = [...this.#eventos.values()].reduce((sum, n) => sum + n, 0);
    if (total === 0) return ['Nenhum evento: os documentos não têm nenhum.'];
    return [
      `${quantos(total, 'evento', 'eventos')}, cada um ao lado do seu documento (o mesmo nome, com código e sequência no fim):`,
      ...[...this.#eventos].sort().map(([nome, n]) => `    ${n.toLocaleString('pt-BR')} × ${nome}`),
    ];
  }
}

const EXCLUIDO = ': o conteúdo foi excluído ao fim do prazo de guarda (o manifest.csv os lista).';
const SEM_PDF = ': o XML está completo (o manifest.csv diz quais e por quê).';

/** For Windows' own editor: its line ends, and the mark by which it knows UTF-8. */
export function textoDoLeiaMe(
  descricao: DescricaoDoPedido,
  input: { contagem: Contagem; comEventos: boolean },
): string {
  const { cliente, filtros, pedidaEm } = descricao;
  const linhas = [
    'EXPORTAÇÃO DE DOCUMENTOS FISCAIS',
    '',
    cliente,
    ...filtros,
    `Pedida em ${pedidaEm} (horário de Brasília). A situação é a que se conhecia ao exportar.`,
    'Um documento entre dois clientes do escritório está nas pastas de cada um, e conta em cada um.',
    '',
    ...input.contagem.linhas(input),
    '',
    'O manifest.csv tem uma linha por arquivo, com o SHA-256 de cada XML.',
  ];
  return `\ufeff${linhas.join('\r\n')}\r\n`;
}

function add<K>(mapa: Map<K, number>, key: K): void {
  mapa.set(key, (mapa.get(key) ?? 0) + 1);
}

const quantos = (n: number, um: string, muitos: string) =>
  `${n.toLocaleString('pt-BR')} ${n === 1 ? um : muitos}`;
