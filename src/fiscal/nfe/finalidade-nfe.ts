import { tabela } from '../tabela.ts';

/** Declared purpose of an NF-e. @fonte XSD TFinNFe, TTpNFDebito, TTpNFCredito */
const FIN_NFE: Readonly<Record<string, string>> = tabela({
  '1': 'NF-e normal',
  '2': 'NF-e complementar',
  '3': 'NF-e de ajuste',
  '4': 'Devolução ou retorno de mercadoria',
  '5': 'Nota de crédito',
  '6': 'Nota de débito',
});

const TP_NF_CREDITO: Readonly<Record<string, string>> = tabela({
  '01': 'multa e juros',
  '02': 'apropriação de crédito presumido de IBS na ZFM',
  '03': 'retorno por recusa na entrega ou por não localização do destinatário',
  '04': 'redução de valores',
  '05': 'transferência de crédito na sucessão',
  '06': 'retorno por recusa parcial na entrega',
});

const TP_NF_DEBITO: Readonly<Record<string, string>> = tabela({
  '01': 'transferência de créditos para cooperativas',
  '02': 'anulação de crédito por saídas imunes ou isentas',
  '03': 'débitos de notas não processadas na apuração',
  '04': 'multa e juros',
  '05': 'transferência de crédito na sucessão',
  '06': 'pagamento antecipado',
  '07': 'perda em estoque',
  '08': 'desenquadramento do Simples Nacional',
});

/** What finNFe says without the kind of debit or credit note; undefined of a code that is not known. */
export function textoDeFinNFe(codigo: string): string | undefined {
  return FIN_NFE[codigo];
}

/**
 * Text of finNFe, with the kind of debit or credit note where it is one.
 *
 * @returns null when the document declares none
 */
export function describeFinNFe(input: {
  finNFe: string | null;
  tpNFDebito: string | null;
  tpNFCredito: string | null;
}): { codigo: string; descricao: string } | null {
  const { finNFe } = input;
  if (!finNFe) return null;
  const kind =
    finNFe === '5'
      ? TP_NF_CREDITO[input.tpNFCredito ?? '']
      : finNFe === '6'
        ? TP_NF_DEBITO[input.tpNFDebito ?? '']
        : undefined;
  const base = FIN_NFE[finNFe] ?? `Finalidade ${finNFe}`;
  return { codigo: finNFe, descricao: kind ? `${base}: ${kind}` : base };
}
