import assert from 'node:assert/strict';
import { it } from 'node:test';
import { gerarEmpresa } from '../../gerador/empresas.ts';
import { gerarNfe } from '../../gerador/nfe.ts';
import { DocumentoIlegivel, LeitorDeDocumentos } from './leitor-de-documentos.ts';
import { pdfOuRecusa } from './recusa.ts';

it('a document that is not drawn in its time is answered as one that cannot be shown, not as a fault of the service', async () => {
  const nota = gerarNfe({
    semente: 'leitor',
    emitente: gerarEmpresa('emitente', { perfil: 'industria', uf: 'SP' }),
    destinatario: null,
    modelo: '65',
    serie: 1,
    numero: 1,
    emissao: new Date(Date.UTC(2026, 2, 20, 15)),
    itens: 1,
  });
  const warned: string[] = [];
  const log = { warn: (_fields: unknown, text: string) => warned.push(text), error: () => {} } as never;
  const leitor = new LeitorDeDocumentos(log, { prazoMs: 1 });
  const tarefa = {
    kind: 'pdf',
    bytes: nota.bytes,
    codificacao: 'utf-8',
    contexto: {
      especie: 'NFCe',
      status: 'Autorizada',
      homologacao: false,
      titulo: 'NFC-e',
      chave: nota.chave,
    },
  } as const;
  try {
    const asked = leitor.run<'pdf'>(tarefa);
    await assert.rejects(asked, (error) => error instanceof DocumentoIlegivel && error.demorou);
    await assert.rejects(pdfOuRecusa(leitor.run<'pdf'>(tarefa)), { codigo: 'pdf_indisponivel', status: 422 });
    await assert.rejects(pdfOuRecusa(Promise.reject(new RangeError('ours'))), RangeError);
    assert.equal(warned.length, 2);
  } finally {
    await leitor.close();
  }
});
