/** Documents that no client has, by the companies that could be registered for them. */
import type { Db } from '../../banco/tabelas.ts';
import { parseCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import { instanteDe } from '../tempo.ts';
import * as queries from './queries-importacoes.ts';

/** A page of companies, those with most documents first. @returns `proximo`: where the next page begins, null behind the last */
export async function listRetidos(
  db: Db,
  input: { contadorId: number; depois: queries.LugarDoRetido | null; tamanho: number },
) {
  const { depois, tamanho } = input;
  const rows = await queries.findRetidos(db, { ...input, limite: tamanho + 1 });
  const shown = rows.slice(0, tamanho);
  const last = rows.length > tamanho ? shown.at(-1) : undefined;
  const [first] = rows;
  return {
    itens: shown.filter(podeSerCliente).map((row) => ({
      cpfCnpj: row.cpf_cnpj,
      nome: row.nome,
      documentos: row.documentos,
      papeis: [...new Set(row.papeis.split(','))],
      primeiraEmissao: instanteDe(row.primeiro),
      ultimaEmissao: instanteDe(row.ultimo),
    })),
    total: depois === null ? (first?.empresas ?? 0) : null,
    proximo: last ? `${last.documentos}.${last.cpf_cnpj}` : null,
    limitado: (first?.olhados ?? 0) >= queries.RETIDOS_MAX,
  };
}

/** A number with wrong check digits is nobody's: there is nothing to register. */
const podeSerCliente = ({ cpf_cnpj }: { cpf_cnpj: string }) => parseCpfCnpj(cpf_cnpj) === cpf_cnpj;

/** Documents that are counted; more are told as "or more". */
const CONTADOS = 1_000;

/** How many documents wait for a client. */
export async function resumoDosRetidos(db: Db, { contadorId }: { contadorId: number }) {
  const documentos = await queries.countRetidos(db, { contadorId, limite: CONTADOS + 1 });
  return { documentos: Math.min(documentos, CONTADOS), haMais: documentos > CONTADOS };
}
