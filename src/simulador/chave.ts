/** What is wrong with a key, as the national environment tells it. @fonte NT 2014.002, 3.11 */
import { chaveCheckDigit } from '../fiscal/chave.ts';
import { isCnpj, isCpf } from '../fiscal/cpf-cnpj.ts';
import { ufByCode } from '../fiscal/uf.ts';

/** @returns cStat, or null for a key that an NF-e may have */
export function faultOfChave(chave: string, agora: number): string | null {
  const [ano, mes] = [Number(chave.slice(2, 4)), Number(chave.slice(4, 6))];
  const emitente = chave.slice(6, 20);
  if (!ufByCode(chave.slice(0, 2))) return '614';
  if (ano < 5 || ano > new Date(agora).getUTCFullYear() % 100) return '615';
  if (mes < 1 || mes > 12) return '616';
  if (!isCnpj(emitente) && !isCpf(emitente.slice(3))) return '617';
  if (chave.slice(20, 22) !== '55') return '618';
  if (Number(chave.slice(25, 34)) === 0) return '619';
  return chaveCheckDigit(chave.slice(0, 43)) === chave.slice(43) ? null : '236';
}
