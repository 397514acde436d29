import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { provaCom } from '../../fiscal/prova.ts';
import type { FalhaDeProva } from '../../fiscal/tipos.ts';
import { decidir, statusAlegado, type Versao } from './decidir.ts';

/** An authorised, proven NF-e, unless told otherwise; its protocol is about its own content. */
function versao(fields: Partial<Versao> = {}): Versao {
  const falhas: readonly FalhaDeProva[] = fields.falhas ?? [];
  const digest = fields.digest ?? 'conteudo-a';
  return {
    sha256: 'bytes-a',
    digest,
    protocolado: true,
    nProt: '135000000000001',
    digVal: fields.protocolado === false ? null : digest,
    prova: provaCom(falhas),
    falhas,
    nacional: false,
    rascunho: false,
    status: fields.protocolado === false ? 'Pendente' : 'Autorizada',
    escolhida: false,
    afastada: false,
    servida: false,
    ...fields,
  };
}

function outcome(conhecidas: Versao[], nova: Versao): string {
  const decisao = decidir({ conhecidas, nova });
  const serve = 'serve' in decisao ? ` ${decisao.serve ? 'servido' : 'guardado'}` : '';
  return `${decisao.kind}${serve}`;
}

const AUTORIZADA = versao({ servida: true });
const OUTRA = versao({ sha256: 'bytes-b', digest: 'conteudo-b' });
const PENDENTE = versao({ sha256: 'bytes-p', protocolado: false, nProt: null, falhas: ['sem_protocolo'] });
const ALTERADA = versao({
  sha256: 'bytes-x',
  digest: 'conteudo-x',
  digVal: 'conteudo-a',
  falhas: ['alterada', 'protocolo_de_outro_conteudo'],
});
const DE_ESTRANHO = versao({ sha256: 'bytes-s', digest: 'conteudo-s', falhas: ['titular_diverso'] });
const COERENTE = versao({ sha256: 'bytes-c', digest: 'conteudo-c', falhas: ['cadeia_desconhecida'] });
const RASCUNHO = versao({
  sha256: 'bytes-r',
  digest: 'conteudo-r',
  protocolado: false,
  nProt: null,
  rascunho: true,
  falhas: ['sem_assinatura', 'sem_protocolo'],
});

const servida = (one: Versao): Versao => ({ ...one, servida: true });

describe('what is proven better takes the place of what came first', () => {
  for (const [name, fraca] of [
    ['an altered copy', ALTERADA],
    ['a note that a stranger signed', DE_ESTRANHO],
    ['an unsigned note', versao({ sha256: 'u', digest: 'u', falhas: ['sem_assinatura'] })],
    ['a coherent one', COERENTE],
  ] as const) {
    test(`${name} gives way, and never displaces the genuine one`, () => {
      assert.equal(outcome([servida(fraca)], versao()), 'atualizado servido');
      assert.equal(outcome([AUTORIZADA], fraca), 'conflito guardado');
      assert.equal(outcome([AUTORIZADA, fraca], fraca), 'conflito_conhecido');
    });
  }

  test('an altered one is served only while no other is there', () => {
    assert.equal(outcome([servida(ALTERADA)], DE_ESTRANHO), 'conflito servido');
    assert.equal(outcome([servida(ALTERADA)], PENDENTE), 'atualizado servido');
  });

  test('a protocol that proves another content proves nothing of this one', () => {
    const estranha = versao({
      digest: 'e',
      sha256: 'e',
      falhas: ['titular_diverso', 'protocolo_de_outro_conteudo'],
    });
    assert.equal(outcome([servida(estranha)], versao()), 'atualizado servido');
  });

  test('a copy of one content whose chain is known by now is stored', () => {
    const antes = servida(versao({ falhas: ['cadeia_desconhecida'] }));
    assert.equal(outcome([antes], versao({ sha256: 'copia' })), 'atualizado servido');
    assert.equal(
      outcome([AUTORIZADA], versao({ sha256: 'copia', falhas: ['cadeia_desconhecida'] })),
      'duplicado',
    );
  });

  test('among equals what a person chose stays, until something stronger comes', () => {
    const escolhida = servida({ ...COERENTE, escolhida: true });
    const outra = versao({ sha256: 'd', digest: 'd', falhas: ['cadeia_desconhecida'] });
    assert.equal(outcome([escolhida], outra), 'conflito guardado');
    assert.equal(outcome([escolhida], versao()), 'atualizado servido');
  });
});

describe('a piece whose document is known', () => {
  const cases: [string, Versao[], Versao, string][] = [
    ['the same bytes', [AUTORIZADA], versao(), 'duplicado'],
    ['other bytes of the same content', [AUTORIZADA], versao({ sha256: 'copia' }), 'duplicado'],
    ['a protocol for a pending one', [servida(PENDENTE)], versao(), 'atualizado servido'],
    ['a pending one after the protocol', [AUTORIZADA], PENDENTE, 'duplicado'],
    ['another content, authorised both', [AUTORIZADA], OUTRA, 'conflito guardado'],
    ['another content, authorised against pending', [servida(PENDENTE)], OUTRA, 'conflito servido'],
    [
      'another content, pending against pending',
      [servida(PENDENTE)],
      { ...PENDENTE, sha256: 'q', digest: 'q' },
      'conflito guardado',
    ],
    ['the same conflict again', [AUTORIZADA, OUTRA], { ...OUTRA, sha256: 'copia' }, 'conflito_conhecido'],
    ['the very bytes of a conflict', [AUTORIZADA, OUTRA], OUTRA, 'conflito_conhecido'],
    [
      'another answer on the same content',
      [AUTORIZADA],
      versao({ sha256: 'n', nProt: '9' }),
      'conflito guardado',
    ],
  ];
  for (const [name, conhecidas, nova, expected] of cases) {
    test(`${name}: ${expected}`, () => assert.equal(outcome(conhecidas, nova), expected));
  }

  test('must have a served version', () => {
    assert.throws(() => outcome([versao()], OUTRA), /no served version/);
  });
});

describe('an answer alone, and what it answers', () => {
  const resposta = versao({ sha256: 'r', digest: 'r', falhas: ['sem_assinatura', 'so_resposta'] });
  const FALSA = versao({
    sha256: 'c',
    digest: 'c',
    nProt: '7',
    prova: 'declarada',
    falhas: ['cadeia_invalida'],
  });

  test('are one event, whichever protocol the answer names: some states name that of the authorisation', () => {
    assert.equal(outcome([AUTORIZADA], resposta), 'duplicado');
    assert.equal(outcome([AUTORIZADA], { ...resposta, nProt: null }), 'guardado');
    for (const nProt of ['9', null, resposta.nProt]) {
      assert.equal(outcome([servida({ ...resposta, nProt })], versao()), 'atualizado servido');
      assert.equal(outcome([servida({ ...resposta, nProt })], FALSA), 'atualizado servido');
    }
    assert.equal(outcome([AUTORIZADA], { ...resposta, nProt: '9' }), 'guardado');
    assert.equal(outcome([servida(FALSA)], { ...resposta, nProt: '9' }), 'guardado');
  });

  test('an altered event does not take the place of the answer', () => {
    const alterado = versao({ sha256: 'x', digest: 'x', nProt: '9', falhas: ['alterada'] });
    assert.equal(outcome([servida(resposta)], alterado), 'guardado');
    assert.equal(outcome([servida(alterado)], resposta), 'atualizado servido');
  });

  test('are not one where two events only share the number: a forged text is kept beside the genuine one', () => {
    const forjada = versao({ sha256: 'f', digest: 'f', falhas: ['titular_diverso'] });
    assert.equal(outcome([AUTORIZADA], forjada), 'conflito guardado');
    assert.equal(outcome([servida(forjada)], versao()), 'atualizado servido');
  });
});

describe('a note with the answer to its EPEC only', () => {
  const epec = versao({
    sha256: 'bytes-e',
    status: 'Pendente',
    digVal: null,
    falhas: ['protocolo_incompleto'],
  });

  test('takes the place of the bare note, and gives way to the authorised one', () => {
    assert.equal(outcome([servida(PENDENTE)], epec), 'atualizado servido');
    assert.equal(outcome([servida(epec)], versao()), 'atualizado servido');
    assert.equal(outcome([servida(epec)], PENDENTE), 'duplicado');
  });

  test('gives way to another content that was authorised, not to one that was not', () => {
    assert.equal(outcome([servida(epec)], OUTRA), 'conflito servido');
    assert.equal(outcome([servida(epec)], { ...PENDENTE, sha256: 'q', digest: 'q' }), 'conflito guardado');
  });
});

describe("a row of a city's list", () => {
  const nota = versao({ sha256: 'n', digest: 'n', digVal: null, falhas: ['sem_assinatura', 'municipal'] });
  const linha = versao({
    sha256: 'l',
    digest: 'l',
    digVal: null,
    falhas: ['sem_assinatura', 'municipal', 'linha_de_lista'],
  });
  const daCancelada: Versao = { ...linha, sha256: 'lc', status: 'Cancelada' };

  test('stands for its note until that comes, and contends with it in neither order', () => {
    assert.equal(outcome([servida(linha)], nota), 'atualizado servido');
    assert.equal(outcome([servida(daCancelada)], nota), 'atualizado servido');
    assert.equal(outcome([servida(nota)], linha), 'guardado');
    assert.equal(outcome([servida(nota), linha], linha), 'duplicado');
  });

  test('tells what became of the note, and is never served in its place', () => {
    assert.equal(outcome([servida(nota)], daCancelada), 'atualizado guardado');
    assert.equal(statusAlegado([servida(nota), daCancelada]), 'Cancelada');
    assert.equal(statusAlegado([servida(nota), linha]), null);
    assert.equal(outcome([servida({ ...nota, status: 'Cancelada' })], linha), 'guardado');
  });

  test('is one with a row of another export of the same note, of which the later fate counts', () => {
    const deOutraExportacao: Versao = { ...linha, sha256: 'm', digest: 'm' };
    assert.equal(outcome([servida(linha)], deOutraExportacao), 'guardado');
    assert.equal(outcome([servida(deOutraExportacao)], daCancelada), 'atualizado servido');
    assert.equal(outcome([servida(daCancelada)], deOutraExportacao), 'guardado');
  });

  test('neither displaces a national note nor is a conflict with it', () => {
    const nacional = versao({ sha256: 'N', digest: 'N', nacional: true });
    assert.equal(outcome([servida(nacional)], linha), 'guardado');
    assert.equal(outcome([servida(linha)], nacional), 'atualizado servido');
  });
});

describe('a draft', () => {
  test('gives way to the document that came of it, even where its signature does not verify', () => {
    assert.equal(outcome([servida(RASCUNHO)], versao()), 'atualizado servido');
    assert.equal(outcome([servida(RASCUNHO)], PENDENTE), 'atualizado servido');
    assert.equal(outcome([servida(RASCUNHO)], ALTERADA), 'atualizado servido');
  });

  test('contends with nothing, and is kept', () => {
    assert.equal(outcome([AUTORIZADA], RASCUNHO), 'guardado');
    assert.equal(outcome([servida(PENDENTE)], RASCUNHO), 'guardado');
  });

  test('contends with another draft', () => {
    assert.equal(
      outcome([servida(RASCUNHO)], { ...RASCUNHO, sha256: 'x', digest: 'x' }),
      'conflito guardado',
    );
  });
});

describe('an NFS-e in the layout of its city and in the national one', () => {
  const cidade = versao({
    sha256: 'c',
    digest: 'c',
    nProt: null,
    digVal: null,
    falhas: ['sem_assinatura', 'municipal'],
  });
  const nacional = versao({ sha256: 'n', digest: 'n', nacional: true, nProt: null, digVal: null });
  const cancelada: Versao = { ...cidade, sha256: 'x', status: 'Cancelada' };

  test('is one note, of which the signed national one is served, whichever came first', () => {
    assert.equal(outcome([servida(cidade)], nacional), 'atualizado servido');
    assert.equal(outcome([servida(nacional)], cidade), 'guardado');
    assert.equal(outcome([cidade, servida(nacional)], cidade), 'duplicado');
  });

  test('is cancelled where either says so, though nothing proves it', () => {
    assert.equal(outcome([servida(nacional)], cancelada), 'atualizado guardado');
    assert.equal(statusAlegado([servida(nacional), cancelada]), 'Cancelada');
  });

  test('is served as its city cancelled it where only the city wrote it', () => {
    assert.equal(outcome([servida(cidade)], cancelada), 'atualizado servido');
    assert.equal(outcome([servida(cancelada)], { ...cidade, sha256: 'y' }), 'conflito guardado');
  });

  test('is a conflict where two of one layout differ', () => {
    const outra = versao({ sha256: 'o', digest: 'o', nacional: true });
    assert.equal(outcome([servida(nacional)], outra), 'conflito guardado');
  });
});

describe('what other versions say of the status', () => {
  const cancelada = versao({ sha256: 'bytes-k', status: 'Cancelada', nProt: '2' });

  test('a cancellation of the same content is told, and the authorised bytes stay', () => {
    assert.equal(outcome([AUTORIZADA], cancelada), 'atualizado guardado');
    assert.equal(statusAlegado([AUTORIZADA, cancelada]), 'Cancelada');
    assert.equal(outcome([servida(cancelada)], versao()), 'atualizado servido');
  });

  test('what was altered, is of another content or was set aside cancels nothing', () => {
    assert.equal(statusAlegado([AUTORIZADA, { ...ALTERADA, status: 'Cancelada' }]), null);
    assert.equal(statusAlegado([AUTORIZADA, { ...OUTRA, status: 'Cancelada' }]), null);
    assert.equal(statusAlegado([AUTORIZADA, { ...cancelada, afastada: true }]), null);
  });

  test('a denial says nothing of a note that was authorised', () => {
    const denegada = versao({ sha256: 'd', status: 'Denegada', nProt: '3' });
    assert.equal(outcome([AUTORIZADA], denegada), 'conflito guardado');
    assert.equal(statusAlegado([AUTORIZADA, denegada]), null);
    assert.equal(outcome([servida(denegada)], versao()), 'atualizado servido');
  });

  test('a pending note is said to be authorised by altered bytes whose protocol is about its content', () => {
    assert.equal(statusAlegado([servida(PENDENTE), ALTERADA]), 'Autorizada');
    assert.equal(statusAlegado([servida(PENDENTE), OUTRA]), null);
  });
});
