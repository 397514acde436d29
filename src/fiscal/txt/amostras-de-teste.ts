/** Notes in the TXT layout for the tests: invented companies, no signature to make. */
import { chaveDe, DESTINATARIO, EMITENTE, TRANSPORTADOR } from '../amostras-de-teste.ts';

export interface OpcoesDoTxt {
  /** Field Id of line A; '' by default. */
  id?: string;
  versao?: string;
  cNF?: string;
  modelo?: string;
  serie?: string;
  numero?: string;
  data?: string;
  tpAmb?: string;
  /** Replaces the whole line B. */
  b?: string;
  /** Replaces C02. */
  emitente?: string;
  i?: string;
  w02?: string;
  /** Lines behind the last one. */
  depois?: string;
}

/** Key that the fields of {@link notaTxt} make. */
export const CHAVE_TXT = chaveDe({ numero: '42', final: '112345678' });

/** One note, 4.00, in the local dialect, without the line NOTAFISCAL. Lines end with LF. */
export function notaTxt(options: OpcoesDoTxt = {}): string {
  const {
    versao = '4.00',
    cNF = '12345678',
    modelo = '55',
    serie = '1',
    numero = '42',
    tpAmb = '1',
  } = options;
  const data = options.data ?? '2026-03-10T09:30:00-03:00';
  return [
    `A|${versao}|${options.id ?? ''}|`,
    options.b ??
      `B|35|${cNF}|Venda de mercadoria|${modelo}|${serie}|${numero}|${data}||1|1|3550308|1|1|0|${tpAmb}|1|0|1|0|1.0|||`,
    'C|Padaria Aurora Ltda|Aurora|111111111111||||1|',
    options.emitente ?? `C02|${EMITENTE}|`,
    'C05|Rua A|1||Centro|3550308|Sao Paulo|SP|01001000|1058|BRASIL||',
    'E|Mercado Horizonte|1|222222222222||||',
    `E02|${DESTINATARIO}|`,
    'H|1||',
    options.i ??
      'I|P1|SEM GTIN|Pão de forma|19059090||1700700|5102|UN|10.0000|15.0000|150.00|SEM GTIN|UN|10.0000|15.0000|||||1||||',
    'W|',
    options.w02 ??
      'W02|150.00|27.00|0.00|0.00|0.00|0.00|0.00|0.00|150.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|0.00|150.00|30.00|',
    'X|0|',
    'X03|Transportes Ligeiro|||Sao Paulo|SP|',
    `X04|${TRANSPORTADOR}|`,
    'Z||Obrigado|',
    ...(options.depois === undefined ? [] : [options.depois]),
    '',
  ].join('\n');
}
