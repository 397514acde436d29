import type { NomesDoDfe } from '../dfe/partes.ts';
import { NAMESPACE_CTE } from '../leitura.ts';

/** CT-e, CT-e Simplificado, CT-e OS and GTV-e: one namespace, one signed group, one protocol. @fonte docs/regras.md, kinds; XSD cteTiposBasico_v4.00 */
export const CTE: NomesDoDfe = {
  sigla: 'CT-e',
  namespace: NAMESPACE_CTE,
  documentos: ['CTe', 'CTeOS', 'CTeSimp', 'GTVe'],
  inf: 'infCte',
  protocolo: 'protCTe',
  chave: 'chCTe',
  numero: 'nCT',
  codigo: 'cCT',
  processado: 'cteProc',
  procEvento: 'procEventoCTe',
  layouts: ['1.02', '1.03', '1.04', '2.00', '3.00', '4.00'],
};

/** Wrappers that hold a document and its protocol. */
export const PROCESSADOS_CTE: readonly string[] = ['cteProc', 'cteOSProc', 'cteSimpProc', 'GTVeProc'];
