import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decidir, postoDe, type Versao } from './decidir.ts';

function versao(fields: Partial<Versao> = {}): Versao {
  return {
    sha256: 'bytes-a',
    digest: 'conteudo-a',
    protocolado: true,
    nProt: null,
    integra: true,
    assinada: true,
    nacional: false,
    posto: postoDe(fields.protocolado === false ? 'Pendente' : 'Autorizada'),
    servida: false,
    ...fields,
  };
}

function outcome(conhecidas: Versao[], nova: Versao, porProtocolo = false, temRascunho = true): string {
  const decisao = decidir({ conhecidas, nova, porProtocolo, temRascunho });
  return decisao.kind === 'conflito' ? `conflito ${decisao.serve ? 'servido' : 'guardado'}` : decisao.kind;
}

const PENDENTE = versao({ sha256: 'bytes-p', protocolado: false, servida: true });
const AUTORIZADA = versao({ servida: true });
const OUTRA = versao({ sha256: 'bytes-b', digest: 'conteudo-b' });

/** An NF-e in TXT, or an XML before its signature. */
const RASCUNHO = versao({
  sha256: 'bytes-r',
  digest: 'conteudo-r',
  protocolado: false,
  integra: false,
  assinada: false,
});

test('a copy whose protocol tells the cancellation is served, and stays', () => {
  const cancelada = versao({ sha256: 'bytes-c', posto: postoDe('Cancelada') });
  assert.equal(outcome([AUTORIZADA], cancelada), 'atualizado');
  assert.equal(outcome([{ ...cancelada, servida: true }], versao()), 'duplicado');
});

test('a copy that was altered after signing never takes the place of an intact one, whatever its protocol says', () => {
  const alterada = versao({ sha256: 'bytes-x', posto: postoDe('Cancelada'), integra: false });
  assert.equal(outcome([AUTORIZADA], alterada), 'conflito guardado');
  assert.equal(outcome([AUTORIZADA, alterada], alterada), 'duplicado');
  const servida = { ...AUTORIZADA, integra: false };
  assert.equal(outcome([servida], alterada), 'atualizado', 'none of them is what was signed');
  const semAssinatura = { ...alterada, assinada: false };
  assert.equal(outcome([AUTORIZADA], semAssinatura), 'atualizado', 'its digest is that of its content');
  assert.equal(outcome([AUTORIZADA], alterada, false, false), 'atualizado', 'so is that of notes of cities');
});

test('an intact copy from before the cancellation does not take it back, though it would mend the signature', () => {
  const cancelada = versao({ sha256: 'bytes-c', posto: postoDe('Cancelada'), integra: false, servida: true });
  assert.equal(outcome([cancelada], versao()), 'duplicado');
  assert.equal(outcome([cancelada], versao({ posto: postoDe('Cancelada') })), 'atualizado');
});

describe('an NFS-e in the layout of its city and in the national one', () => {
  const daCidade = versao({
    sha256: 'c',
    digest: 'c',
    protocolado: false,
    integra: false,
    assinada: false,
    posto: postoDe('Autorizada'),
  });
  const nacional = versao({ sha256: 'n', digest: 'n', nacional: true });
  const cancelada = { ...daCidade, sha256: 'x', protocolado: true, posto: postoDe('Cancelada') };
  const outcomeOf = (conhecidas: Versao[], nova: Versao) => outcome(conhecidas, nova, false, false);

  test('is one note, of which the national one is served', () => {
    assert.equal(outcomeOf([{ ...daCidade, servida: true }], nacional), 'atualizado');
    assert.equal(outcomeOf([{ ...nacional, servida: true }], daCidade), 'duplicado');
    assert.equal(outcomeOf([daCidade, { ...nacional, servida: true }], daCidade), 'duplicado');
  });

  test('is cancelled where either says so', () => {
    assert.equal(outcomeOf([{ ...nacional, servida: true }], cancelada), 'atualizado');
    assert.equal(outcomeOf([{ ...cancelada, servida: true }], nacional), 'duplicado');
  });

  test('is a conflict where two of one layout differ', () => {
    const outra = versao({ sha256: 'o', digest: 'o', nacional: true });
    assert.equal(outcomeOf([{ ...nacional, servida: true }], outra), 'conflito guardado');
  });
});

test('a refusal (denegada) is served from whichever side it comes', () => {
  const denegada = versao({ sha256: 'bytes-d', posto: postoDe('Denegada') });
  assert.equal(outcome([AUTORIZADA], denegada), 'atualizado');
  assert.equal(outcome([{ ...denegada, servida: true }], versao()), 'duplicado');
});

describe('a note with the answer to its EPEC only', () => {
  const epec = versao({ sha256: 'bytes-e', posto: postoDe('Pendente') });
  const servida = { ...epec, servida: true };

  test('takes the place of the bare note, and gives way to the authorised one', () => {
    assert.equal(outcome([PENDENTE], epec), 'atualizado');
    assert.equal(outcome([servida], versao()), 'atualizado');
    assert.equal(outcome([{ ...PENDENTE, servida: false }, servida], versao()), 'atualizado');
    assert.equal(outcome([AUTORIZADA], epec), 'duplicado');
  });

  test('gives way to another content that was authorised, not to one that was not', () => {
    assert.equal(outcome([servida], OUTRA), 'conflito servido');
    assert.equal(outcome([servida], { ...OUTRA, posto: epec.posto }), 'conflito guardado');
    assert.equal(
      outcome([servida], { ...OUTRA, posto: epec.posto, protocolado: false }),
      'conflito guardado',
    );
  });
});

describe('a draft', () => {
  const servido = { ...RASCUNHO, servida: true };

  test('gives way to the document that came of it, whatever changed until then', () => {
    assert.equal(outcome([servido], versao()), 'atualizado');
    assert.equal(
      outcome([servido], versao({ protocolado: false })),
      'atualizado',
      'signed, not yet authorised',
    );
  });

  test('contends with nothing when the document is there already', () => {
    assert.equal(outcome([AUTORIZADA], RASCUNHO), 'duplicado');
    assert.equal(outcome([PENDENTE], RASCUNHO), 'duplicado');
  });

  test('that the signed document has replaced may come once more', () => {
    assert.equal(outcome([RASCUNHO, AUTORIZADA], RASCUNHO), 'duplicado');
    assert.equal(outcome([RASCUNHO, PENDENTE], { ...RASCUNHO, sha256: 'x', digest: 'x' }), 'duplicado');
  });

  test('gives way to its signed copy even where that does not verify', () => {
    const assinada = versao({ sha256: 's', digest: 'conteudo-r', protocolado: false, integra: false });
    assert.equal(outcome([servido], assinada), 'atualizado');
  });

  test('contends with another draft', () => {
    assert.equal(outcome([servido], { ...RASCUNHO, sha256: 'x', digest: 'x' }), 'conflito guardado');
  });

  test('is no draft in families whose documents need no signature', () => {
    assert.equal(outcome([AUTORIZADA], RASCUNHO, false, false), 'conflito guardado');
  });
});

describe('a piece whose document is known', () => {
  const cases: [string, Versao[], Versao, string][] = [
    ['the same bytes', [AUTORIZADA], versao(), 'duplicado'],
    ['other bytes of the same content', [AUTORIZADA], versao({ sha256: 'copia' }), 'duplicado'],
    ['a protocol for a pending one', [PENDENTE], versao(), 'atualizado'],
    [
      'a pending one after the protocol',
      [AUTORIZADA],
      versao({ sha256: 'bytes-p', protocolado: false }),
      'duplicado',
    ],
    ['another content, authorised both', [AUTORIZADA], OUTRA, 'conflito guardado'],
    ['another content, authorised against pending', [PENDENTE], OUTRA, 'conflito servido'],
    [
      'another content, pending against pending',
      [PENDENTE],
      { ...OUTRA, protocolado: false },
      'conflito guardado',
    ],
    ['the same conflict again', [AUTORIZADA, OUTRA], { ...OUTRA, sha256: 'copia' }, 'conflito_conhecido'],
    ['the very bytes of a conflict', [AUTORIZADA, OUTRA], OUTRA, 'conflito_conhecido'],
    [
      'the protocol of a pending conflict, while the served one is pending',
      [PENDENTE, { ...OUTRA, protocolado: false, sha256: 'pendente-b' }],
      OUTRA,
      'atualizado',
    ],
    [
      'the protocol of a pending conflict, while the served one is authorised',
      [AUTORIZADA, { ...OUTRA, protocolado: false, sha256: 'pendente-b' }],
      OUTRA,
      'conflito guardado',
    ],
    [
      'an intact copy of an altered one',
      [versao({ servida: true, integra: false })],
      versao({ sha256: 'copia' }),
      'atualizado',
    ],
    [
      'an altered copy of an altered one',
      [versao({ servida: true, integra: false })],
      versao({ sha256: 'copia', integra: false }),
      'duplicado',
    ],
    [
      'an intact copy without protocol of an altered one with it',
      [versao({ servida: true, integra: false })],
      versao({ sha256: 'copia', protocolado: false }),
      'duplicado',
    ],
    [
      'the altered bytes again after an intact copy took their place',
      [versao({ integra: false }), versao({ sha256: 'copia', servida: true })],
      versao({ integra: false }),
      'duplicado',
    ],
  ];
  for (const [name, conhecidas, nova, expected] of cases) {
    test(`${name}: ${expected}`, () => assert.equal(outcome(conhecidas, nova), expected));
  }

  test('with the same protocol number is the same event, and another document', () => {
    const conhecidas = [versao({ servida: true, nProt: '135' })];
    const nova = { ...OUTRA, nProt: '135' };
    assert.equal(outcome(conhecidas, nova, true), 'duplicado');
    assert.equal(outcome(conhecidas, nova, false), 'conflito guardado');
  });

  test('without a protocol number is not the same as another one without', () => {
    assert.equal(outcome([AUTORIZADA], OUTRA, true), 'conflito guardado');
  });

  test('must have a served version', () => {
    assert.throws(() => outcome([versao()], OUTRA), /no served version/);
  });
});
