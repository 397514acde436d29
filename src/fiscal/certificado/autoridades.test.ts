import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import forge from 'node-forge';
import { ATE, DE, type Emitido, emitir, type OpcoesDoEmitido } from './amostras-de-teste.ts';
import { Autoridades, SEM_AUTORIDADES } from './autoridades.ts';

const RAIZ = emitir('Raiz v1');
const AC = emitir('AC Um', { por: RAIZ });
const AC_FINAL = emitir('AC Dois', { por: AC });
const TITULAR = emitir('PADARIA:12345678000195', { por: AC_FINAL, ca: false });
const RAIZ_SAT = emitir('Raiz SAT');

const x509 = ({ der }: Emitido) => new X509Certificate(der);

function autoridades(...intermediarias: Emitido[]): Autoridades {
  return new Autoridades({
    raizes: [
      { der: RAIZ.der, confianca: 'icp_brasil' },
      { der: RAIZ_SAT.der, confianca: 'sat' },
    ],
    intermediarias: intermediarias.map(({ der }) => der),
  });
}

const INSTALADAS = autoridades(AC, AC_FINAL);

function cadeia(titular: Emitido, enviadas: Emitido[] = [], estas = INSTALADAS): string {
  return estas.cadeiaDe(x509(titular), enviadas.map(x509)).cadeia;
}

const titular = (opcoes: OpcoesDoEmitido) => emitir('TITULAR:1', { ca: false, ...opcoes });

describe('the chain of a certificate', () => {
  it('leads to a root that is trusted, over the authorities between', () => {
    assert.deepEqual(INSTALADAS.cadeiaDe(x509(TITULAR)), {
      cadeia: 'icp_brasil',
      validadeDaCadeia: { de: DE.getTime(), ate: ATE.getTime() },
    });
    assert.equal(cadeia(titular({ por: RAIZ })), 'icp_brasil');
  });

  it('says for what its root is trusted', () => assert.equal(cadeia(titular({ por: RAIZ_SAT })), 'sat'));

  it('is the same whenever it is asked for, and in whatever order authorities are met', () => {
    const estas = autoridades(AC_FINAL, AC);
    const other = titular({ por: AC });
    const order = [TITULAR, other, TITULAR, titular({ por: RAIZ }), other];
    assert.deepEqual(
      order.map((one) => cadeia(one, [], estas)),
      order.map(() => 'icp_brasil'),
    );
  });

  it('leads over authorities that came along, which count for that certificate only', () => {
    const estas = autoridades();
    assert.equal(cadeia(TITULAR, [], estas), 'desconhecida');
    assert.equal(cadeia(TITULAR, [AC_FINAL, AC], estas), 'icp_brasil');
    assert.equal(cadeia(TITULAR, [RAIZ, AC, AC_FINAL], estas), 'icp_brasil');
    assert.equal(cadeia(TITULAR, [AC_FINAL], autoridades(AC)), 'icp_brasil');
    assert.equal(cadeia(TITULAR, [], estas), 'desconhecida');
  });

  it('does not lead to a root that came along', () => {
    const raiz = emitir('Raiz Estranha');
    const ac = emitir('AC Estranha', { por: raiz });
    assert.equal(cadeia(titular({ por: ac }), [ac, raiz]), 'desconhecida');
    assert.equal(cadeia(titular({ por: raiz }), [raiz]), 'desconhecida');
    assert.equal(cadeia(TITULAR, [AC_FINAL, AC, RAIZ], SEM_AUTORIDADES), 'desconhecida');
  });

  it('is unknown where the authority is not at hand', () => {
    const nobody = emitir('AC Longe', { por: RAIZ });
    assert.equal(cadeia(titular({ por: nobody })), 'desconhecida');
  });

  it('is unknown where another authority of that name is at hand, with another key', () => {
    const other = emitir('AC Dois', { por: RAIZ });
    assert.equal(cadeia(titular({ por: other })), 'desconhecida');
    assert.equal(cadeia(titular({ por: other }), [], autoridades(AC, AC_FINAL, other)), 'icp_brasil');
  });

  const falsas: [what: string, titular: Emitido, enviadas?: Emitido[]][] = [
    ['who answers for itself', titular({})],
    ['who answers for itself under the name of a root', emitir('Raiz v1', { ca: false })],
    ['whose authority has not signed it', titular({ por: { ...AC_FINAL, chave: emitir('AC Dois').chave } })],
    [
      'that names no key and is not signed by the one of that name',
      titular({ por: emitir('AC Dois'), semIdentificador: true }),
    ],
    ['made by a holder, who is no authority', titular({ por: TITULAR }), [TITULAR]],
    [
      'whose key may only encipher',
      titular({ por: AC_FINAL, usos: [{ name: 'keyUsage', keyEncipherment: true }] }),
    ],
    [
      'of an authority, in place of a holder',
      titular({ por: AC_FINAL, usos: [{ name: 'keyUsage', keyCertSign: true }] }),
    ],
    [
      'whose key is for times only',
      titular({
        por: AC_FINAL,
        usos: [
          { name: 'keyUsage', digitalSignature: true },
          { name: 'extKeyUsage', timeStamping: true },
        ],
      }),
    ],
    ['signed with MD5', titular({ por: AC_FINAL, resumo: forge.md.md5.create() })],
  ];
  for (const [what, one, enviadas] of falsas)
    it(`is false for one ${what}`, () => assert.equal(cadeia(one, enviadas), 'invalida'));

  it('is that of a key of any use that signs, and of one that does not say for what it is', () => {
    const usos = [
      [],
      [{ name: 'keyUsage', nonRepudiation: true }],
      [{ name: 'extKeyUsage', timeStamping: true, clientAuth: true }],
    ];
    for (const uso of usos) assert.equal(cadeia(titular({ por: AC_FINAL, usos: uso })), 'icp_brasil');
  });

  it('does not lead over what is no authority, may not sign certificates, or stands too deep', () => {
    const semUso = emitir('AC Sem Uso', { por: RAIZ, semUso: true });
    assert.equal(cadeia(titular({ por: semUso }), [], autoridades(semUso)), 'desconhecida');
    const rasa = emitir('AC Rasa', { por: RAIZ, comprimento: 0 });
    assert.equal(cadeia(titular({ por: rasa }), [], autoridades(rasa)), 'icp_brasil');
    const below = emitir('AC Abaixo', { por: rasa });
    assert.equal(cadeia(titular({ por: below }), [], autoridades(rasa, below)), 'desconhecida');
    assert.equal(cadeia(titular({ por: TITULAR }), [], autoridades(AC, AC_FINAL, TITULAR)), 'desconhecida');
  });

  it('does not lead in circles', () => {
    const a = emitir('AC A');
    const b = emitir('AC B', { por: a });
    const again = emitir('AC A', { por: b, chaveDe: a });
    const estas = autoridades(b, again);
    assert.equal(cadeia(titular({ por: a }), [], estas), 'desconhecida');
    const crossed = emitir('AC A', { por: RAIZ, chaveDe: a });
    assert.equal(cadeia(titular({ por: b }), [], autoridades(b, again, crossed)), 'icp_brasil');
  });

  it('was valid while all above the holder were, and of two chains the one that covers the holder best counts', () => {
    const [early, late] = [new Date(Date.UTC(2022, 0, 1)), new Date(Date.UTC(2024, 0, 1))];
    const first = emitir('AC Renovada', { por: RAIZ, ate: late });
    const second = emitir('AC Renovada', { por: RAIZ, de: early, chaveDe: first });
    const estas = autoridades(first, second);
    const one = x509(titular({ por: first, ate: early }));
    assert.deepEqual(estas.cadeiaDe(one).validadeDaCadeia, { de: DE.getTime(), ate: late.getTime() });
    const other = x509(titular({ por: first, de: late }));
    assert.deepEqual(estas.cadeiaDe(other).validadeDaCadeia, { de: early.getTime(), ate: ATE.getTime() });
  });

  it('establishes authorities that lead to a root', () => {
    assert.equal(INSTALADAS.estabelece(x509(AC_FINAL)), true);
    assert.equal(autoridades().estabelece(x509(AC)), true);
    assert.equal(autoridades().estabelece(x509(AC_FINAL)), false);
    assert.equal(INSTALADAS.estabelece(x509(TITULAR)), false);
    assert.equal(INSTALADAS.estabelece(x509(emitir('Raiz Estranha'))), false);
  });
});
