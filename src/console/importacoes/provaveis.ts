/**
 * Which of the companies in held documents are likely clients of the office. An office's files are its clients' files: in
 * all of them some client takes part, while suppliers and buyers come and go. So the fewest companies that explain all
 * documents are looked for: the one that takes part in most, then the one in most of the rest, and so on.
 */
import type { Db } from '../../banco/tabelas.ts';
import { parseCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import type { Papel } from '../../fiscal/tipos.ts';
import { findPartesDosRetidos } from './queries-importacoes.ts';

/** Documents that are looked at: what an office has on its first day. */
const OLHADOS = 5_000;
/** Who explains a single document may as well be the other party of it. */
const MINIMO = 2;
const PROVAVEIS_MAX = 300;
const DE_QUEM_EMITE: ReadonlySet<Papel> = new Set(['emitente', 'prestador']);
/** Parts of who has documents because they are its own, not because it carries or may read them. */
const DE_CLIENTE: ReadonlySet<Papel> = new Set([...DE_QUEM_EMITE, 'destinatario', 'tomador']);

export interface ParteDoRetido {
  documentoId: number;
  cpfCnpj: string;
  papel: Papel;
  nome: string | null;
}

interface Provavel {
  cpfCnpj: string;
  nome: string | null;
  emitidos: number;
  recebidos: number;
}

interface Empresa extends Provavel {
  documentos: Set<number>;
}

/** @param partes all parties of the documents in question */
export function provaveisClientes(partes: readonly ParteDoRetido[]): Provavel[] {
  const empresas = juntar(partes);
  const explicados = new Set<number>();
  const found: Provavel[] = [];
  while (found.length < PROVAVEIS_MAX) {
    const next = maior(empresas, explicados);
    if (!next) break;
    empresas.delete(next.cpfCnpj);
    for (const id of next.documentos) explicados.add(id);
    const { documentos: _documentos, ...provavel } = next;
    found.push(provavel);
  }
  return found;
}

function juntar(partes: readonly ParteDoRetido[]): Map<string, Empresa> {
  const empresas = new Map<string, Empresa>();
  for (const { documentoId, cpfCnpj, papel, nome } of partes) {
    if (!DE_CLIENTE.has(papel)) continue;
    let empresa = empresas.get(cpfCnpj);
    if (!empresa) {
      if (parseCpfCnpj(cpfCnpj) !== cpfCnpj) continue;
      empresa = { cpfCnpj, nome, emitidos: 0, recebidos: 0, documentos: new Set() };
      empresas.set(cpfCnpj, empresa);
    }
    empresa.nome ??= nome;
    empresa.documentos.add(documentoId);
    if (DE_QUEM_EMITE.has(papel)) empresa.emitidos++;
    else empresa.recebidos++;
  }
  for (const [cpfCnpj, { documentos }] of empresas) if (documentos.size < MINIMO) empresas.delete(cpfCnpj);
  return empresas;
}

/** Who explains most of what is not explained yet; of equals who issued more. Forgets documents that are. */
function maior(empresas: ReadonlyMap<string, Empresa>, explicados: ReadonlySet<number>): Empresa | null {
  let best: Empresa | null = null;
  let most = MINIMO - 1;
  for (const empresa of empresas.values()) {
    let size = 0;
    for (const id of empresa.documentos) if (!explicados.has(id)) size++;
    if (size > most || (best && size === most && empresa.emitidos > best.emitidos)) {
      best = empresa;
      most = size;
    }
  }
  return best;
}

/** The same for what an office holds. */
export async function provaveisDosRetidos(db: Db, { contadorId }: { contadorId: number }) {
  return { itens: provaveisClientes(await findPartesDosRetidos(db, { contadorId, limite: OLHADOS })) };
}
