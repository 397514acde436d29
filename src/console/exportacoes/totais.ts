/**
 * The sheet of sums. They follow the filter of the sheet of documents: each of its rows says by SUBTOTAL whether it is shown,
 * and the sums take those that are. What is cancelled or denied stands in rows of its own, never among the valid.
 */
import { STATUS_DOCUMENTO } from '../../fiscal/tipos.ts';
import { Soma } from '../../fiscal/valores/decimal.ts';
import { COLUNAS_QUE_SOMAM, CONTA_NA_SOMA } from './colunas-da-planilha.ts';
import type { DescricaoDoPedido } from './leia-me.ts';
import type { LinhaDeDocumento } from './linhas.ts';
import { nomeDoStatus } from './palavras.ts';
import { type Aba, type ColunaDaAba, type Formula, letra } from './xlsx.ts';

/** Title of the column that is 1 where the filter shows the row. */
export const VISIVEL = 'Visível';

interface Classe {
  nome: string;
  /** Whether a row belongs to it, and the same as titles of columns and what stands in them. */
  tem(linha: LinhaDeDocumento): boolean;
  criterios: readonly (readonly [string, string])[];
}

const NAO_E_TESTE = ['Homologação', '"Não"'] as const;

/** A direction is of one client at most: no note is added twice, also where it is between two clients. */
const daDirecao = (nome: string, direcao: 'Entrada' | 'Saída'): Classe => ({
  nome,
  tem: (linha) => linha.direcao === direcao && ehDe(linha, STATUS_DOCUMENTO.autorizada),
  criterios: [['Situação', '"Autorizada"'], ['Direção', `"${direcao}"`], [VISIVEL, '1'], NAO_E_TESTE],
});

const doStatus = (nome: string, status: string): Classe => ({
  nome,
  tem: (linha) => linha.conta && ehDe(linha, status),
  criterios: [['Situação', `"${nomeDoStatus(status)}"`], [CONTA_NA_SOMA, '1'], NAO_E_TESTE],
});

const ehDe = ({ documento }: LinhaDeDocumento, status: string) =>
  documento.status === status && !documento.homologacao;

const CLASSES: readonly Classe[] = [
  daDirecao('Entradas autorizadas', 'Entrada'),
  daDirecao('Saídas autorizadas', 'Saída'),
  doStatus('Autorizadas, cada uma contada uma vez', STATUS_DOCUMENTO.autorizada),
  doStatus('Canceladas', STATUS_DOCUMENTO.cancelada),
  doStatus('Denegadas', STATUS_DOCUMENTO.denegada),
  doStatus('Sem protocolo', STATUS_DOCUMENTO.pendente),
];

const AVISOS = [
  'As somas seguem o filtro da aba Documentos. Canceladas, denegadas e sem protocolo não entram nas autorizadas.',
  'Uma nota entre dois clientes do escritório tem uma linha de cada um: é saída de um e entrada do outro, e só uma das linhas conta nas somas sem direção.',
  'Quem só transporta, entrega, intermedeia ou recebe cópia não tem entrada nem saída.',
];

export const COLUNAS_DOS_TOTAIS: readonly ColunaDaAba[] = [
  { titulo: 'O que soma', tipo: 'texto', largura: 40 },
  { titulo: 'Documentos', tipo: 'inteiro', largura: 12 },
  ...COLUNAS_QUE_SOMAM.map(({ titulo }) => ({ titulo, tipo: 'formula' as const })),
];

/** Adds up what the sums show before anything is filtered: programs that work nothing out show them too. */
export class Totais {
  readonly #porClasse = CLASSES.map((classe) => ({
    classe,
    quantos: 0,
    somas: COLUNAS_QUE_SOMAM.map(() => new Soma()),
  }));

  add(linha: LinhaDeDocumento): void {
    for (const total of this.#porClasse) {
      if (!total.classe.tem(linha)) continue;
      total.quantos++;
      for (const [index, soma] of total.somas.entries()) {
        const valor = COLUNAS_QUE_SOMAM[index]?.valor(linha);
        soma.add(typeof valor === 'string' ? valor : null);
      }
    }
  }

  /** Writes the rows of the sheet. @param input.documentos the sheet that is added up, ended */
  async write(aba: Aba, input: { documentos: Aba; descricao: DescricaoDoPedido }): Promise<void> {
    const { documentos, descricao } = input;
    for (const { classe, quantos, somas } of this.#porClasse) {
      const onde = classe.criterios
        .map(([titulo, valor]) => `${faixa(documentos, titulo)},${valor}`)
        .join(',');
      const conta: Formula = { formula: `COUNTIFS(${onde})`, valor: quantos };
      const formulas = COLUNAS_QUE_SOMAM.map(
        ({ titulo }, index): Formula => ({
          formula: `SUMIFS(${faixa(documentos, titulo)},${onde})`,
          valor: somas[index]?.valor ?? '0',
        }),
      );
      await aba.add([classe.nome, conta, ...formulas]);
    }
    const { cliente, filtros, pedidaEm } = descricao;
    for (const texto of [
      '',
      ...AVISOS,
      '',
      cliente,
      ...filtros,
      `Pedida em ${pedidaEm} (horário de Brasília).`,
    ])
      await aba.add([texto]);
  }
}

/** All cells of a column of the documents, below its head. */
function faixa({ nome, colunas, linhas }: Aba, titulo: string): string {
  const coluna = letra(colunas.findIndex((each) => each.titulo === titulo));
  return `${nome}!$${coluna}$2:$${coluna}$${Math.max(linhas, 2)}`;
}
