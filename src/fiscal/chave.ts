import { partyId } from './cpf-cnpj.ts';
import type { Chave, CpfCnpj } from './tipos.ts';

/** 44 positions: letters are legal in the CNPJ part only. @fonte XSD TChNFe, TChDFe; MOC NF-e 7.0 Anexo I */
const CHAVE_44 = /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/;
/** 50 positions, national NFS-e. Wider than the XSD of August 2026, whose pattern is misaligned. @fonte XSD TSIdNFSe 1.01 */
const CHAVE_50 = /^[0-9]{9}[0-9A-Z]{12}[0-9]{29}$/;
/** Printable composed key of a municipal NFS-e, at most 64 characters, URL safe. @fonte ABRASF tcIdentificacaoNfse */
const CHAVE_COMPOSTA = /^NFSE-[0-9A-Z._~-]{1,59}$/;
/** Município, prestador, number and, where the city numbers by series, `~` and the series. */
const PARTES_DA_COMPOSTA = /^NFSE-([0-9]{7})-([0-9A-Z]{11,14})-([0-9A-Z.]+)(?:~([0-9A-Z.]+))?$/;
/**
 * Id of an inutilização without `ID`: cUF(2) ano(2) CNPJ(14) mod(2) serie(3) ini(9) fin(9); that of CT-e, 39
 * positions, has no ano.
 * @fonte docs/regras.md, answers; XSD inutCTeTiposBasico_v3.00
 */
const CHAVE_INUTILIZACAO = /^[0-9]{2}(?:[0-9]{2})?[0-9A-Z]{12}[0-9]{25}$/;

/** What the positions of a key say. */
interface PartesDaChave {
  cUF: string;
  /** AAMM of the issue date, local time of the issuer. */
  anoMes: string;
  /** CNPJ, or the CPF where it is left-padded with `000` and the series is a CPF one; null when all zeros. */
  emitente: CpfCnpj | null;
  modelo: string;
  /** Without leading zeros. */
  serie: string;
  /** Without leading zeros. */
  numero: string;
  tpEmis: string;
  /** cNF, cCT. */
  codigo: string;
  digito: string;
}

/**
 * Check digit of the first 43 (or 49) characters of an access key: values ASCII − 48, weights 2…9 from right to
 * left, remainder 0 or 1 gives 0.
 * @fonte MOC NF-e 7.0 Anexo I; XSD TSIdNFSe 1.01
 */
export function chaveCheckDigit(body: string): string {
  let sum = 0;
  let weight = 2;
  for (let i = body.length - 1; i >= 0; i--) {
    sum += (body.charCodeAt(i) - 48) * weight;
    weight = weight === 9 ? 2 : weight + 1;
  }
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}

/** Reads a key in any case; every form that can stand in a path. Null when it has none of them. */
export function parseChave(text: string): Chave | null {
  const chave = text.trim().toUpperCase();
  const known =
    CHAVE_44.test(chave) ||
    CHAVE_50.test(chave) ||
    CHAVE_INUTILIZACAO.test(chave) ||
    CHAVE_COMPOSTA.test(chave);
  return known ? (chave as Chave) : null;
}

/** Names that stand before a key in the Id of a document, and `ID` before that of an inutilização. */
const PREFIXO = /^(?:NFCOM|NF3E|NFAG|NFGAS|NFE?ABI|NFE|CTE|CFE|NFS|ID)(?=[0-9])/;

/**
 * Reads a key as people and programs hand it on: also with the prefix of its Id, and in groups with blanks or dots, as it
 * is printed. Null when it is none.
 */
export function lerChave(text: string): Chave | null {
  const exact = parseChave(text);
  if (exact) return exact;
  const bare = text.toUpperCase().replace(/[\s.]/g, '').replace(PREFIXO, '');
  const known = CHAVE_44.test(bare) || CHAVE_50.test(bare) || CHAVE_INUTILIZACAO.test(bare);
  return known ? (bare as Chave) : null;
}

/** Reads a 44-character key; null for anything else. */
export function parseChave44(text: string): Chave | null {
  if (CHAVE_44.test(text)) return text as Chave;
  const chave = text.trim().toUpperCase();
  return CHAVE_44.test(chave) ? (chave as Chave) : null;
}

/** Reads the 50-character key of a national NFS-e; null for anything else. */
export function parseChave50(text: string): Chave | null {
  const chave = text.trim().toUpperCase();
  return CHAVE_50.test(chave) ? (chave as Chave) : null;
}

/** Whether the last character is the check digit of the others. */
export function hasValidCheckDigit(chave: string): boolean {
  return chaveCheckDigit(chave.slice(0, -1)) === chave.slice(-1);
}

/** `007` → `7`, `000` → `0`. */
export function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=.)/, '');
}

/**
 * Key of a national NFS-e: cMun(7) ambGer(1) tpInsc(1: 1 CPF, 2 CNPJ) inscrição(14) nNFSe(13) AAMM(4) cNum(9) DV.
 * The series is of the DPS, and not in the key.
 * @fonte XSD TSIdNFSe 1.01
 */
function splitChave50(chave: Chave): PartesDaChave {
  const id = chave.slice(9, 23);
  return {
    cUF: chave.slice(0, 2),
    anoMes: chave.slice(36, 40),
    emitente: partyId(chave.slice(8, 9) === '1' ? id.slice(3) : id),
    modelo: 'NFSe',
    serie: '',
    numero: withoutLeadingZeros(chave.slice(23, 36)),
    tpEmis: '1',
    codigo: chave.slice(40, 49),
    digito: chave.slice(49),
  };
}

/** A composed key has no month, code or check digit. @fonte ABRASF tcIdentificacaoNfse */
function splitChaveComposta(chave: Chave): PartesDaChave {
  const [, municipio = '', prestador = '', numero = '', serie = ''] = PARTES_DA_COMPOSTA.exec(chave) ?? [];
  return {
    cUF: municipio.slice(0, 2),
    anoMes: '',
    emitente: partyId(prestador),
    modelo: 'NFSe',
    serie,
    numero,
    tpEmis: '1',
    codigo: '',
    digito: '',
  };
}

/**
 * Takes an access key apart, whatever its form; of 44 characters: CF-e (59) has another layout of series and number.
 * A CPF issuer stands as `000` + CPF: series 920–969, or tpEmis 3 (NFF) with any series, 910–919 for NFA-e.
 * @fonte NT 2023.002 (series bands); MOC NF-e 7.0 Anexo I
 */
export function splitChave(chave: Chave): PartesDaChave {
  if (CHAVE_50.test(chave)) return splitChave50(chave);
  if (CHAVE_COMPOSTA.test(chave)) return splitChaveComposta(chave);
  const modelo = chave.slice(20, 22);
  const isCfe = modelo === '59';
  const serie = isCfe ? chave.slice(22, 31) : chave.slice(22, 25);
  const numero = isCfe ? chave.slice(31, 37) : chave.slice(25, 34);
  const tpEmis = isCfe ? '1' : chave.slice(34, 35);
  const id = chave.slice(6, 20);
  const serieNumber = Number(serie);
  const cpfSeries =
    (serieNumber >= 910 && serieNumber <= 919) ||
    (serieNumber >= 920 && serieNumber <= 969) ||
    tpEmis === '3';
  const isCpf = !isCfe && cpfSeries && id.startsWith('000');
  return {
    cUF: chave.slice(0, 2),
    anoMes: chave.slice(2, 6),
    emitente: partyId(isCpf ? id.slice(3) : id),
    modelo,
    serie: withoutLeadingZeros(serie),
    numero: withoutLeadingZeros(numero),
    tpEmis,
    codigo: isCfe ? chave.slice(37, 43) : chave.slice(35, 43),
    digito: chave.slice(43),
  };
}
