/** What a sheet says of a note that was issued in contingency. @fonte MOC NF-e 7.0, Anexo II e Anexo VII; NT 2014.001 (EPEC) */
import { instante } from '../base/formatos.ts';
import type { Nota } from './nota.ts';

interface Contingencia {
  texto: string;
  /** Instead of the protocol, where the note has none yet. */
  semProtocolo: string;
}

const IMPRESSO = 'DANFE em contingência - impresso em decorrência de problemas técnicos';

const POR_FORMA: Readonly<Record<string, Contingencia>> = {
  '2': { texto: IMPRESSO, semProtocolo: 'Contingência em formulário de segurança (FS)' },
  '4': {
    texto: 'DANFE impresso em contingência - EPEC regularmente recebido pela Receita Federal do Brasil',
    semProtocolo: 'Contingência EPEC',
  },
  '5': { texto: IMPRESSO, semProtocolo: 'Contingência em formulário de segurança (FS-DA)' },
  '9': { texto: 'EMITIDA EM CONTINGÊNCIA', semProtocolo: 'Pendente de autorização' },
};

/** Forms in which the old layouts called EPEC by the name of its forerunner. */
const COM_DPEC = /^[12]\./;

/** null where it was issued as usual, or by an authority that stood in for another. */
export function contingenciaDe(nota: Nota): Contingencia | null {
  const achada = POR_FORMA[nota.de('ide', 'tpEmis')];
  if (!achada) return null;
  const quando = nota.de('ide', 'dhCont');
  const motivo = nota.de('ide', 'xJust');
  const antigo = COM_DPEC.test(nota.inf.attributeValue('versao') ?? '');
  const texto = antigo ? achada.texto.replace('EPEC', 'DPEC') : achada.texto;
  const desde = quando === '' ? '' : `, desde ${instante(quando)}`;
  return { ...achada, texto: `${texto}${desde}${motivo === '' ? '' : `. Motivo: ${motivo}`}` };
}

/**
 * The second barcode of notes on security paper: 36 digits. null for other notes.
 * @fonte MOC NF-e 7.0, Anexo II, "dados da NF-e": cUF, tpEmis, CNPJ, vNF, ICMS próprio, ICMS ST, dia, dígito
 */
export function dadosDaContingencia(nota: Nota): string | null {
  const forma = nota.de('ide', 'tpEmis');
  if (forma !== '2' && forma !== '5') return null;
  const total = (nome: string) => nota.de('total', 'ICMSTot', nome);
  const tem = (valor: string) => (Number(valor) > 0 ? '1' : '2');
  const [inteiro = '', centavos = ''] = total('vNF').split('.');
  const quem = nota.um(nota.parte('dest'), 'CNPJ', 'CPF');
  const corpo = [
    nota.de('ide', 'cUF').padStart(2, '0'),
    forma,
    quem.padStart(14, '0'),
    `${inteiro}${centavos.padEnd(2, '0').slice(0, 2)}`.padStart(14, '0'),
    tem(total('vICMS')),
    tem(total('vST')),
    nota.emissao.slice(8, 10),
  ].join('');
  return /^\d{35}$/.test(corpo) ? `${corpo}${digito(corpo)}` : null;
}

/** Modulo 11 with weights 2 to 9 from the right. */
function digito(corpo: string): string {
  let soma = 0;
  for (const [at, algarismo] of [...corpo].reverse().entries()) soma += Number(algarismo) * (2 + (at % 8));
  const resto = soma % 11;
  return String(resto < 2 ? 0 : 11 - resto);
}
