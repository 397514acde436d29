import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cfe, cfeCanc } from './cfe/amostras-de-teste.ts';
import { cte, cteProc, procEventoCte, protCte } from './cte/amostras-de-teste.ts';
import { ler, lida, only } from './leitura-de-teste.ts';
import { effectiveStatus, type StatusEfetivo } from './status.ts';
import type { Documento, Evento } from './tipos.ts';

/** What a vault that received these files, in this order, would show of the one document among them. */
function statusAfter(files: readonly string[]): StatusEfetivo {
  const registros = files.map((file) => lida(only(ler(file))).registro);
  const documentos = registros.filter((r): r is Documento => r.classe === 'documento');
  const eventos = registros.filter((r): r is Evento => r.classe === 'evento');
  const statuses = documentos.map((documento) => documento.statusProtocolo);
  // The version with the authority's proof is served, whichever came first.
  const statusProtocolo = statuses.find((status) => status !== 'Pendente') ?? 'Pendente';
  return effectiveStatus({
    statusProtocolo,
    eventos: eventos.map(({ codigo, sequencia, efeito, desfaz, protocolo }) => ({
      codigo,
      sequencia,
      efeito,
      desfaz,
      nProt: protocolo.nProt,
    })),
  });
}

function assertSameInAnyOrder(files: readonly string[]): void {
  const orders = fc
    .subarray([...files])
    .filter((some) => some.length > 0)
    .chain((some) => fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })));
  fc.assert(
    fc.property(orders, ([some, shuffled]) => assert.deepEqual(statusAfter(shuffled), statusAfter(some))),
    { numRuns: 60 },
  );
}

const undo = (nProt: string) =>
  procEventoCte({
    codigo: '610111',
    det: `<evCancPrestDesacordo><nProtEvPrestDes>${nProt}</nProtEvPrestDes></evCancPrestDesacordo>`,
  });
const DESACORDO = procEventoCte({ codigo: '610110', det: '<evPrestDesacordo/>' });
const PROT_DO_DESACORDO = '135260000000012';

describe('the status of a CT-e', () => {
  it('does not depend on the order in which its files came', () => {
    assertSameInAnyOrder([
      cte(),
      cteProc(),
      procEventoCte(),
      procEventoCte({ codigo: '110110', det: '<evCCeCTe/>' }),
      procEventoCte({ codigo: '240140', det: '<ev/>' }),
      DESACORDO,
      undo(PROT_DO_DESACORDO),
    ]);
  });

  it('is Autorizada with a letter of correction, then Cancelada for good', () => {
    const letter = procEventoCte({ codigo: '110110', det: '<evCCeCTe/>' });
    const authorised = statusAfter([cteProc(), letter]);
    assert.deepEqual([authorised.status, authorised.cartaCorrecao], ['Autorizada', true]);
    const cancelled = statusAfter([procEventoCte(), letter, cteProc()]);
    assert.deepEqual([cancelled.status, cancelled.cartaCorrecao], ['Cancelada', false]);
  });

  it('stays Autorizada when another replaced it, and is Denegada when SEFAZ denied it', () => {
    const replaced = procEventoCte({ codigo: '240140', det: '<ev/>' });
    assert.equal(statusAfter([replaced, cteProc()]).status, 'Autorizada');
    assert.equal(statusAfter([cteProc(cte() + protCte({ cStat: '301' }))]).status, 'Denegada');
  });

  it('shows the desacordo of the tomador until he takes back that very one', () => {
    assert.equal(statusAfter([cteProc(), DESACORDO]).manifestacao, '610110');
    assert.equal(statusAfter([undo(PROT_DO_DESACORDO), cteProc(), DESACORDO]).manifestacao, null);
    assert.equal(statusAfter([cteProc(), DESACORDO, undo('135260000000099')]).manifestacao, '610110');
  });
});

describe('the status of a CF-e SAT', () => {
  it('does not depend on the order in which its files came', () => {
    assertSameInAnyOrder([cfe({ assinatura: '' }), cfe(), cfeCanc()]);
  });

  it('is Pendente without signature, Autorizada with, Cancelada by its CFeCanc', () => {
    assert.equal(statusAfter([cfe({ assinatura: '' })]).status, 'Pendente');
    assert.equal(statusAfter([cfe({ assinatura: '' }), cfe()]).status, 'Autorizada');
    assert.equal(statusAfter([cfeCanc(), cfe()]).status, 'Cancelada');
  });
});
