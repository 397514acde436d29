import assert from 'node:assert/strict';
import { it } from 'node:test';
import { generateEmpresa } from '../../gerador/empresas.ts';
import { generateNfe } from '../../gerador/nfe.ts';
import { actForOffice, newScope, runInScope } from '../../platform/db/tenant.ts';
import { DocumentoIlegivel, LeitorDeDocumentos } from './leitor-de-documentos.ts';
import { pdfOuRecusa } from './recusa.ts';

const NOTA = generateNfe({
  semente: 'leitor',
  emitente: generateEmpresa('emitente', { perfil: 'industria', uf: 'SP' }),
  destinatario: null,
  modelo: '65',
  serie: 1,
  numero: 1,
  emissao: new Date(Date.UTC(2026, 2, 20, 15)),
  itens: 990,
});
const TAREFA = {
  kind: 'pdf',
  bytes: NOTA.bytes,
  codificacao: 'utf-8',
  contexto: {
    especie: 'NFCe',
    status: 'Autorizada',
    homologacao: false,
    naoProvado: false,
    titulo: 'NFC-e',
    chave: NOTA.chave,
    resumo: null,
  },
} as const;

it('a document that takes more processor time than it may is answered as one that cannot be shown, not as a fault of the service', async () => {
  const warned: string[] = [];
  const log = { warn: (_fields: unknown, text: string) => warned.push(text), error: () => {} } as never;
  const leitor = new LeitorDeDocumentos(log, { prazoMs: 1 });
  try {
    const asked = leitor.run<'pdf'>(TAREFA);
    await assert.rejects(asked, (error) => error instanceof DocumentoIlegivel && error.demorou);
    await assert.rejects(pdfOuRecusa(leitor.run<'pdf'>(TAREFA)), { codigo: 'pdf_indisponivel', status: 422 });
    await assert.rejects(pdfOuRecusa(Promise.reject(new RangeError('ours'))), RangeError);
    assert.equal(warned.length, 2);
  } finally {
    await leitor.close();
  }
});

it('a document of another office does not wait for those of the first, however long they take', async () => {
  const log = { warn: () => {}, error: () => {} } as never;
  const begun: string[] = [];
  const held = Promise.withResolvers<void>();
  const run = async ({ marca: _marca, ...tarefa }: { marca: unknown; kind: string; chave?: string }) => {
    begun.push(tarefa.chave ?? '');
    // Those of the first take until the other's has ended.
    if (tarefa.chave !== 'other') await held.promise;
    return null;
  };
  const leitor = new LeitorDeDocumentos(log, { run });
  const ofOffice = (contadorId: number, chave: string) =>
    runInScope(newScope(), () => {
      actForOffice(contadorId);
      return leitor.run<'registro'>({ kind: 'registro', bytes: NOTA.bytes, chave, leiautes: [] });
    });
  const first = ['one', 'two', 'three'].map((chave) => ofOffice(1, chave));
  await ofOffice(2, 'other');
  assert.deepEqual(begun, ['one', 'two', 'other'], 'the third of the first office waits for one of its own');
  held.resolve();
  await Promise.all(first);
  assert.deepEqual(begun, ['one', 'two', 'other', 'three']);
});
