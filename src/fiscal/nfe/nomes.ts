import type { NomesDoDfe } from '../dfe/partes.ts';
import { NAMESPACE_NFE } from '../leitura.ts';

/** @fonte docs/regras.md, kinds; XSD leiauteNFe_v4.00 */
export const NFE: NomesDoDfe = {
  sigla: 'NF-e',
  namespace: NAMESPACE_NFE,
  documentos: ['NFe'],
  inf: 'infNFe',
  protocolo: 'protNFe',
  chave: 'chNFe',
  numero: 'nNF',
  codigo: 'cNF',
  processado: 'nfeProc',
  procEvento: 'procEventoNFe',
  layouts: ['1.07', '1.10', '2.00', '3.00', '3.10', '4.00'],
};
