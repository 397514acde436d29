/** What the vault knows of a document that is drawn, beside its bytes. */
import type { ContextoDoPdf } from './pdf/marcas.ts';
import { tituloDoDocumento } from './vista.ts';

/** What rows of documents say of them, in listings, in exports and on their pages. */
interface Linha {
  especie: string;
  classe: string;
  status: string;
  homologacao: boolean;
  prova: string | null;
  chave: string | null;
  numero: string | null;
  serie: string | null;
  dataEmissao: string | null;
  valor: string | null;
  emitente: Pessoa;
  destinatario: Pessoa;
}

interface Pessoa {
  cpfCnpj: string | null;
  nome: string | null;
}

export function contextoDoPdf(linha: Linha): ContextoDoPdf {
  const { especie, status, homologacao, chave, numero, serie, dataEmissao, valor } = linha;
  const partes = [
    { rotulo: 'Emitente / prestador', ...linha.emitente },
    { rotulo: 'Destinatário / tomador', ...linha.destinatario },
  ];
  return {
    especie,
    status,
    homologacao,
    naoProvado: linha.prova === 'declarada',
    titulo: tituloDoDocumento(linha),
    chave: chave ?? '',
    resumo:
      linha.classe === 'documento' ? { numero, serie, emissao: dataEmissao ?? '', valor, partes } : null,
  };
}
