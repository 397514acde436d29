/** What the thread that reads documents could not make, as the caller is told. */
import { AppError } from '../../platform/errors.ts';
import { pdfIndisponivel } from '../errors-documentos.ts';
import { DocumentoIlegivel } from './leitor-de-documentos.ts';

/** What the reading thread makes. @throws pdf_indisponivel when this document is too much for it */
export async function pdfOuRecusa<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DocumentoIlegivel ? pdfIndisponivel() : error;
  }
}

export const ehPdfIndisponivel = (error: unknown): boolean =>
  error instanceof AppError && error.codigo === 'pdf_indisponivel';
