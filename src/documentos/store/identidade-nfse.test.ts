import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ler, only } from '../../fiscal/leitura-de-teste.ts';
import {
  abrasf1,
  cancelamentoAbrasf,
  chave50,
  documento,
  evento,
  eventoNacional,
  nacional,
  PRESTADOR,
  TOMADOR,
} from '../../fiscal/nfse/amostras-de-teste.ts';
import { papelDe, tipoDe } from '../../fiscal/papeis.ts';
import { effectiveStatus } from '../../fiscal/status.ts';
import type { CpfCnpj, Documento, Julgamento, Registro } from '../../fiscal/tipos.ts';
import { comItensEscritos } from '../lean/itens-guardados.ts';
import { decidir, statusAlegado, type Versao } from './decidir.ts';
import { ehProtocolado, identidadeDe, linhaDeDocumento, participantesDe } from './identidade.ts';

const MUNICIPAL: Julgamento = { prova: 'declarada', falhas: ['sem_assinatura', 'municipal'] };

const linha = (registro: Registro) =>
  linhaDeDocumento(
    { registro: comItensEscritos(registro), prova: MUNICIPAL },
    { contadorId: 1, agora: 0, alegado: null },
  );
const nota = (xml: string) => documento(only(ler(xml)));
const evt = (xml: string) => evento(only(ler(xml)));

describe('what is kept of an event of NFS-e', () => {
  it('is the number and the prestador that the 50-character key names', () => {
    const row = linha(evt(eventoNacional()));
    assert.deepEqual(
      [row.chave, row.modelo, row.serie, row.numero, row.numero_inicial, row.emitente],
      [chave50(), 'NFSe', '', '42', 42, PRESTADOR],
    );
    const cpf = linha(evt(eventoNacional({ chave: chave50('7', '52998224725', '1') })));
    assert.deepEqual([cpf.numero, cpf.emitente], ['7', '52998224725']);
  });

  it('is the number and the prestador that a composed key names', () => {
    const row = linha(evt(`<CancelarNfseResposta>${cancelamentoAbrasf()}</CancelarNfseResposta>`));
    assert.deepEqual([row.numero, row.emitente, row.status], ['202600000000015', PRESTADOR, 'Cancelada']);
  });

  it('is in the national layout where the note has a national key, and else in the layout of a city', () => {
    const municipal = evt(`<CancelarNfseResposta>${cancelamentoAbrasf()}</CancelarNfseResposta>`);
    assert.deepEqual(
      [evt(eventoNacional()), municipal].map((registro) => linha(registro).layout_nacional),
      [1, 0],
    );
  });

  it('is identified by key, code and sequence', () => {
    assert.equal(identidadeDe(evt(eventoNacional({ sequencia: '002' }))), '101101/2');
  });

  it('gives its author the part in which the code is written', () => {
    const papelOf = (codigo: string) =>
      papelDe(participantesDe(evt(eventoNacional({ codigo, autor: TOMADOR }))), TOMADOR as CpfCnpj);
    assert.deepEqual(['203206', '204203', '305101'].map(papelOf), ['tomador', 'intermediario', 'autorizado']);
    const own = papelDe(participantesDe(evt(eventoNacional())), PRESTADOR as CpfCnpj);
    assert.equal(own, 'prestador');
    assert.equal(own && tipoDe(own), 'Emitida');
  });
});

describe('an NFS-e for its two sides', () => {
  it('is Emitida for the prestador and Recebida for the tomador', () => {
    const { participantes } = nota(nacional());
    const tipoOf = (id: string) => {
      const papel = papelDe(participantes, id as CpfCnpj);
      return papel && tipoDe(papel);
    };
    assert.deepEqual([tipoOf(PRESTADOR), tipoOf(TOMADOR)], ['Emitida', 'Recebida']);
  });
});

/** Keeps copies one after the other as the vault does, and says what is served in the end. */
function served(copies: readonly Documento[], eventos: Parameters<typeof effectiveStatus>[0]['eventos']) {
  let kept: (Versao & { nota: Documento })[] = [];
  copies.forEach((copy, i) => {
    const versao: Versao = {
      sha256: `${copy.statusProtocolo}${copy.digest}`,
      digest: copy.digest,
      protocolado: ehProtocolado(copy),
      nProt: copy.protocolo?.nProt ?? null,
      digVal: null,
      ...MUNICIPAL,
      nacional: copy.layoutNacional,
      rascunho: false,
      status: copy.statusProtocolo,
      escolhida: false,
      afastada: false,
      servida: false,
    };
    if (i === 0) {
      kept = [{ ...versao, servida: true, nota: copy }];
      return;
    }
    const decision = decidir({ conhecidas: kept, nova: versao });
    const serves = 'serve' in decision && decision.serve;
    if (decision.kind === 'duplicado' || decision.kind === 'conflito_conhecido') return;
    kept = [
      ...kept.map((v) => ({ ...v, servida: v.servida && !serves })),
      { ...versao, servida: serves, nota: copy },
    ];
  });
  const current = kept.find((versao) => versao.servida);
  assert.ok(current);
  const statusProtocolo = statusAlegado(kept) ?? current.nota.statusProtocolo;
  return effectiveStatus({ statusProtocolo, eventos }).status;
}

describe('copies of a municipal note, before and after its cancellation', () => {
  const before = nota(abrasf1());
  const after = nota(abrasf1({ ao_lado: cancelamentoAbrasf() }));
  const otherExport = nota(abrasf1({ codigo: 'OUTRO', ao_lado: cancelamentoAbrasf() }));
  const cancellation = evt(`<CancelarNfseResposta>${cancelamentoAbrasf()}</CancelarNfseResposta>`);

  it('give the same status in any order', () => {
    const orders = [
      [before, after],
      [after, before],
      [before, before, after],
      [after, after, before],
      [before, otherExport],
      [otherExport, before],
    ];
    for (const order of orders) assert.equal(served(order, []), 'Cancelada');
    assert.equal(served([before, before], []), 'Autorizada');
    assert.equal(served([before], [cancellation]), 'Cancelada');
    assert.equal(cancellation.chave, before.chave);
  });
});
