/**
 * What a recipient or tomador may say of a document, as law and layouts fix it. One table: the event's words, its term,
 * what it does, and what a person is told before it is sent.
 */
import { tabela } from '../../fiscal/tabela.ts';

/** Six digits of `tpEvento`. */
export type CodigoDeManifestacao = '210200' | '210210' | '210220' | '210240' | '610110';

export interface TipoDeManifestacao {
  codigo: CodigoDeManifestacao;
  documento: 'NFe' | 'CTe';
  /** Literal text of the layout, which the schema fixes. */
  descEvento: string;
  /** For people, pt-BR. */
  nome: string;
  /** Days from the authorisation; after them SEFAZ refuses it. */
  prazoDias: number;
  /** Settles the question: at most {@link CONCLUSIVAS_MAX} of them for one note, and the last one counts. */
  conclusiva: boolean;
  /** Wants a reason of 15 to 255 characters. */
  justificativa: boolean;
  /** Whether SEFAZ gives the whole note afterwards, where there was a summary. */
  liberaXml: boolean;
  /** What it means in law, for the person who is about to send it (pt-BR). */
  efeito: string;
}

/** @fonte NT 2020.001 v1.60: conclusive manifestations of one note */
export const CONCLUSIVAS_MAX = 2;

/**
 * @fonte NT 2020.001 v1.60; Ajuste SINIEF 7/2005, cláusula décima quinta-C, as changed by 44/20, 43/23 and 14/2026 (90 days);
 * CT-e: MOC CT-e 4.00, event 610110 (45 days)
 */
export const MANIFESTACOES: Readonly<Record<CodigoDeManifestacao, TipoDeManifestacao>> = {
  '210210': {
    codigo: '210210',
    documento: 'NFe',
    descEvento: 'Ciencia da Operacao',
    nome: 'Ciência da Operação',
    prazoDias: 10,
    conclusiva: false,
    justificativa: false,
    liberaXml: true,
    efeito:
      'Declara que o cliente sabe que a nota existe, sem dizer se a operação aconteceu. A SEFAZ passa a entregar o XML completo. Não substitui a manifestação conclusiva: sem ela, a operação é considerada confirmada depois de 90 dias da autorização.',
  },
  '210200': {
    codigo: '210200',
    documento: 'NFe',
    descEvento: 'Confirmacao da Operacao',
    nome: 'Confirmação da Operação',
    prazoDias: 90,
    conclusiva: true,
    justificativa: false,
    liberaXml: true,
    efeito:
      'Declara à SEFAZ, em nome do cliente, que a operação aconteceu como a nota descreve. Depois dela o emitente não pode mais cancelar a nota. Só pode ser corrigida por mais uma manifestação conclusiva, dentro de 90 dias da autorização; vale a última.',
  },
  '210220': {
    codigo: '210220',
    documento: 'NFe',
    descEvento: 'Desconhecimento da Operacao',
    nome: 'Desconhecimento da Operação',
    prazoDias: 90,
    conclusiva: true,
    justificativa: false,
    liberaXml: false,
    efeito:
      'Declara à SEFAZ, em nome do cliente, que ele não conhece esta operação: seu CNPJ foi usado sem que ele a tenha pedido. Avisa o Fisco de possível uso indevido e não libera o XML completo. Só pode ser corrigida por mais uma manifestação conclusiva, dentro de 90 dias da autorização; vale a última.',
  },
  '210240': {
    codigo: '210240',
    documento: 'NFe',
    descEvento: 'Operacao nao Realizada',
    nome: 'Operação não Realizada',
    prazoDias: 90,
    conclusiva: true,
    justificativa: true,
    liberaXml: true,
    efeito:
      'Declara à SEFAZ, em nome do cliente, que a operação foi pedida mas não se realizou (recusa, devolução na entrega, desistência). A justificativa fica registrada. Só pode ser corrigida por mais uma manifestação conclusiva, dentro de 90 dias da autorização; vale a última.',
  },
  '610110': {
    codigo: '610110',
    documento: 'CTe',
    descEvento: 'Prestacao do Servico em Desacordo',
    nome: 'Prestação do Serviço em Desacordo',
    prazoDias: 45,
    conclusiva: true,
    justificativa: true,
    liberaXml: false,
    efeito:
      'Declara à SEFAZ que autorizou o CT-e, em nome do cliente como tomador, que o serviço de transporte não está de acordo com o combinado. Permite que a transportadora emita um CT-e de substituição ou de anulação. A observação fica registrada.',
  },
};

const POR_CODIGO = tabela<TipoDeManifestacao>(MANIFESTACOES);

/** The manifestation of a code; null for any other code. */
export function manifestacaoDe(codigo: string): TipoDeManifestacao | null {
  return POR_CODIGO[codigo] ?? null;
}
