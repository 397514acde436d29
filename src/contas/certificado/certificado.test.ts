import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import forge from 'node-forge';
import { titularDoCertificado } from '../../fiscal/certificado/titular.ts';
import type { CpfCnpj } from '../../fiscal/tipos.ts';
import { certificadoDe } from '../../gerador/certificado.ts';
import * as der from '../../gerador/der.ts';
import { actForOffice, newScope, runInScope } from '../../platform/db/tenant.ts';
import { NoPlace } from '../../platform/threads/shares.ts';
import { AbridorDeCertificados, PFX_MAX_BYTES } from './abrir.ts';
import { checkCertificado } from './conferir.ts';
import { type CertificadoAberto, readPfx } from './ler-pfx.ts';
import { empresaComCertificado, generatePfx } from './pfx-de-teste.ts';

const SENHA = 'Segredo do cliente 1!';
const { empresa, certificado } = empresaComCertificado('certificado-teste');

function opened(bytes: Uint8Array, senha: string): CertificadoAberto {
  const leitura = readPfx(bytes, senha);
  assert.ok('certificado' in leitura, JSON.stringify(leitura));
  return leitura.certificado;
}

function assertIsOurs(aberto: CertificadoAberto): void {
  assert.deepEqual(Buffer.from(aberto.cadeia[0] ?? []), certificado.der);
  const key = createPrivateKey({ key: Buffer.from(aberto.chave), format: 'der', type: 'pkcs8' });
  assert.ok(createPublicKey(key).equals(createPublicKey(certificado.chavePrivada)));
  assert.equal(aberto.titular, empresa.id);
  assert.equal(aberto.titularNome, empresa.nome.toUpperCase().slice(0, 49));
  assert.equal(aberto.validoAte, certificado.validoAte.getTime());
  assert.equal(aberto.validoDe, certificado.validoDe.getTime());
  assert.equal(aberto.serie, new X509Certificate(certificado.der).serialNumber.toLowerCase());
}

it('a certificate that tests take for valid is so for some days, on whatever day of the year they run', (t) => {
  const hoje = Date.now();
  t.mock.timers.enable({ apis: ['Date'] });
  for (let dia = 0; dia < 366; dia++) {
    const agora = hoje + dia * 86_400_000;
    t.mock.timers.setTime(agora);
    const { validoDe, validoAte } = empresaComCertificado('qualquer dia').certificado;
    assert.ok(validoDe.getTime() <= agora && validoAte.getTime() > agora + 2 * 86_400_000, `${dia}`);
  }
});

describe('a PFX file', () => {
  for (const forma of ['aes', '3des', 'rc2'] as const) {
    it(`opens in the encoding ${forma}, with its key, holder and dates`, () => {
      assertIsOurs(opened(generatePfx(certificado, SENHA, { forma }), SENHA));
    });

    it(`in the encoding ${forma} tells a wrong password, and one whose case differs`, () => {
      const bytes = generatePfx(certificado, SENHA, { forma });
      for (const senha of ['', 'errada', SENHA.toUpperCase()])
        assert.deepEqual(readPfx(bytes, senha), { falha: 'senha_incorreta' });
    });
  }

  it('of ours is one for node-forge too, RC2-40 included', () => {
    for (const forma of ['3des', 'rc2'] as const) {
      const asn1 = forge.asn1.fromDer(generatePfx(certificado, SENHA, { forma }).toString('binary'));
      const bags = forge.pkcs12
        .pkcs12FromAsn1(asn1, SENHA)
        .getBags({ bagType: forge.pki.oids.certBag ?? '' });
      assert.equal(bags[forge.pki.oids.certBag ?? '']?.length, 1, forma);
    }
  });

  it('that node-forge writes opens', () => {
    const pem = certificado.chavePrivada.export({ format: 'pem', type: 'pkcs8' }).toString();
    const cert = forge.pki.certificateFromAsn1(forge.asn1.fromDer(certificado.der.toString('binary')));
    for (const algorithm of ['3des', 'aes128', 'aes256'] as const) {
      const asn1 = forge.pkcs12.toPkcs12Asn1(forge.pki.privateKeyFromPem(pem), [cert], SENHA, { algorithm });
      const aberto = opened(Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary'), SENHA);
      assert.equal(aberto.titular, empresa.id, algorithm);
    }
  });

  it('opens whatever characters its password has, and with the line feed that echo adds', () => {
    for (const senha of ['', 'ação€', '🔑', ' espaços ']) {
      assert.equal(
        opened(generatePfx(certificado, senha, { forma: '3des' }), senha).titular,
        empresa.id,
        senha,
      );
    }
    assert.equal(opened(generatePfx(certificado, SENHA), `${SENHA}\n`).titular, empresa.id);
  });

  it('without a code over the whole tells a wrong password all the same', () => {
    const bytes = generatePfx(certificado, SENHA, { semMac: true });
    assertIsOurs(opened(bytes, SENHA));
    assert.deepEqual(readPfx(bytes, 'errada'), { falha: 'senha_incorreta' });
  });

  it('without a code over the whole is not called broken where a wrong password gives the right padding by chance', () => {
    const bytes = generatePfx(certificado, SENHA, { semMac: true, certificadosAbertos: true, iteracoes: 1 });
    assertIsOurs(opened(bytes, SENHA));
    for (let i = 0; i < 2_000; i++)
      assert.deepEqual(readPfx(bytes, `errada ${i}`), { falha: 'senha_incorreta' }, String(i));
  });

  it('with a date that is none is broken, not valid for ever', () => {
    const UTC_TIME = Buffer.of(0x17, 0x0d);
    for (const which of ['notBefore', 'notAfter']) {
      const der = Buffer.from(certificado.der);
      const notBefore = der.indexOf(UTC_TIME);
      const at = which === 'notBefore' ? notBefore : der.indexOf(UTC_TIME, notBefore + 1);
      der.write('999999999999Z', at + UTC_TIME.length, 'latin1');
      const pfx = generatePfx({ ...certificado, der }, SENHA);
      assert.deepEqual(readPfx(pfx, SENHA), { falha: 'formato_invalido' }, which);
    }
  });

  it('without private key is refused for that', () => {
    assert.deepEqual(readPfx(generatePfx(certificado, SENHA, { semChave: true }), SENHA), {
      falha: 'sem_chave_privada',
    });
  });

  it('with several certificates gives the one of the key first, and keeps the others', () => {
    const other = empresaComCertificado('outra empresa').certificado;
    const aberto = opened(generatePfx(certificado, SENHA, { antes: [other] }), SENHA);
    assertIsOurs(aberto);
    assert.deepEqual(Buffer.from(aberto.cadeia[1] ?? []), other.der);
  });

  it('with a renewed certificate over the same key gives the one that the key names', () => {
    const em = (diasAtras: number) => new Date(Date.now() - diasAtras * 86_400_000);
    const [older, newer] = [
      certificadoDe(empresa, 'renovado', em(400)),
      certificadoDe(empresa, 'renovado', em(0)),
    ];
    assert.ok(createPublicKey(older.chavePrivada).equals(createPublicKey(newer.chavePrivada)));
    const { cadeia } = opened(generatePfx(newer, SENHA, { antes: [older] }), SENHA);
    assert.deepEqual(Buffer.from(cadeia[0] ?? []), newer.der);
  });

  it('in BER of indefinite length, strings in pieces, opens', () => {
    assertIsOurs(opened(indefinite(generatePfx(certificado, SENHA)), SENHA));
  });

  it('that is none is refused, whatever it is', () => {
    const good = generatePfx(certificado, SENHA);
    const bad = [
      Buffer.alloc(0),
      Buffer.from('não é um certificado'),
      certificado.der,
      good.subarray(0, good.length - 40),
      Buffer.from('-----BEGIN CERTIFICATE-----'),
    ];
    for (const bytes of bad) assert.deepEqual(readPfx(bytes, SENHA), { falha: 'formato_invalido' });
  });

  it('with any byte changed never gives another key or holder, and never throws', () => {
    const good = generatePfx(certificado, SENHA, { forma: '3des', iteracoes: 1, iteracoesDoMac: 1 });
    for (let at = 0; at < good.length; at += 7) {
      const bytes = Buffer.from(good);
      bytes[at] = (bytes[at] ?? 0) ^ 0x41;
      const leitura = readPfx(bytes, SENHA);
      if ('certificado' in leitura) assertIsOurs(leitura.certificado);
    }
  });

  const openssl = findOpenssl();
  it('that openssl writes opens, in every cipher it has', {
    skip: openssl ? false : 'openssl não está aqui',
  }, () => {
    const legacy = ['-legacy'];
    const variants = [
      [],
      legacy,
      ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'],
      [...legacy, '-keypbe', 'PBE-SHA1-RC2-128', '-certpbe', 'PBE-SHA1-RC2-128'],
      [...legacy, '-keypbe', 'PBE-SHA1-2DES', '-certpbe', 'PBE-SHA1-2DES'],
      ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-192-CBC', '-macalg', 'sha512'],
      ['-keypbe', 'NONE', '-certpbe', 'NONE'],
      ['-nomac'],
    ];
    for (const args of variants) {
      const bytes = opensslPfx(args);
      assert.equal(opened(bytes, SENHA).titular, empresa.id, args.join(' '));
      assert.deepEqual(readPfx(bytes, 'errada'), { falha: 'senha_incorreta' }, args.join(' '));
    }
  });
});

describe('a hostile file', () => {
  const abridor = new AbridorDeCertificados();
  after(() => abridor.close());

  it('that asks for ten million iterations is refused without doing them', async () => {
    for (const opcoes of [{ iteracoes: 10_000_000 }, { iteracoesDoMac: 10_000_000 }]) {
      const bytes = generatePfx(certificado, SENHA, opcoes);
      assert.deepEqual(await abridor.open({ bytes, senha: SENHA }), { falha: 'formato_invalido' });
    }
  });

  it('of values in values, a hundred thousand deep, is refused', async () => {
    const deep = [
      Buffer.concat([Buffer.alloc(30_000, '3080', 'hex'), Buffer.alloc(30_000)]),
      Buffer.alloc(60_000, '2480', 'hex'),
    ];
    for (const bytes of deep)
      assert.deepEqual(await abridor.open({ bytes, senha: SENHA }), { falha: 'formato_invalido' });
  });

  it('of 5 MB costs nothing: no thread is started for it', async () => {
    const bytes = Buffer.alloc(5_000_000, 0x30);
    assert.deepEqual(await abridor.open({ bytes, senha: SENHA }), { falha: 'formato_invalido' });
    assert.ok(generatePfx(certificado, SENHA).length * 5 < PFX_MAX_BYTES);
  });

  it('that takes longer than its time is given up, and the next one opens', async () => {
    const hasty = new AbridorDeCertificados({ openWithinMs: 5 });
    const slow = generatePfx(certificado, SENHA, { forma: '3des', iteracoesDoMac: 700_000 });
    assert.deepEqual(await hasty.open({ bytes: slow, senha: SENHA }), { falha: 'formato_invalido' });
    await hasty.close();
    assert.ok(
      'certificado' in (await abridor.open({ bytes: generatePfx(certificado, SENHA), senha: SENHA })),
    );
  });

  it('waits its turn: many at once all get their answer', async () => {
    const bytes = Buffer.from('lixo');
    for (const answer of await Promise.all(
      Array.from({ length: 8 }, () => abridor.open({ bytes, senha: SENHA })),
    ))
      assert.deepEqual(answer, { falha: 'formato_invalido' });
  });

  it('of another office does not wait for those of the first, and whoever waits too long is told to come back', async () => {
    const impatient = new AbridorDeCertificados({ waitMs: 1 });
    const ofOffice = (contadorId: number) =>
      runInScope(newScope(), () => {
        actForOffice(contadorId);
        return impatient.open({ bytes: Buffer.from('lixo'), senha: SENHA });
      });
    const first = [1, 1, 1].map(ofOffice);
    const other = ofOffice(2);
    const outcomes = await Promise.allSettled([...first, other]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    );
    await assert.rejects(first[2] ?? Promise.resolve(), NoPlace);
    await impatient.close();
  });
});

describe('the holder of a certificate', () => {
  it('is the company, numeric or alphanumeric, or the person of an e-CPF', () => {
    for (const opcoes of [{}, { alfanumerico: true }, { perfil: 'produtor' as const }]) {
      const made = empresaComCertificado(`titular ${JSON.stringify(opcoes)}`, opcoes);
      assert.equal(titularDoCertificado(made.certificado.der).cpfCnpj, made.empresa.id);
    }
  });

  it('is taken from the other name before the CN, and from the CN before nothing', () => {
    const cnpj = '11222333000181';
    const cpf = '11144477735';
    const ofCompany = der.context(
      0,
      Buffer.concat([der.oid('2.16.76.1.3.3'), der.context(0, der.utf8('12ABC34501DE35'))]),
    );
    const ofPerson = der.context(
      0,
      Buffer.concat([
        der.oid('2.16.76.1.3.1'),
        der.context(0, der.octets(Buffer.from(`01011980${cpf}0000`))),
      ]),
    );
    assert.equal(
      titularDoCertificado(fake({ cn: `EMPRESA:${cnpj}`, names: [ofCompany] })).cpfCnpj,
      '12ABC34501DE35',
    );
    assert.equal(titularDoCertificado(fake({ cn: `PESSOA:${cnpj}`, names: [ofPerson] })).cpfCnpj, cpf);
    assert.equal(
      titularDoCertificado(fake({ cn: `PESSOA:${cnpj}`, names: [ofPerson, ofCompany] })).cpfCnpj,
      '12ABC34501DE35',
    );
    assert.deepEqual(titularDoCertificado(fake({ cn: `A: B:${cnpj}`, names: [] })), {
      cpfCnpj: cnpj,
      nome: 'A: B',
    });
    assert.equal(titularDoCertificado(fake({ cn: 'EMPRESA SEM NUMERO', names: [] })).cpfCnpj, null);
  });

  it('is never what an OU says: there the registration authority writes its own CNPJ', () => {
    const made = fake({ cn: 'EMPRESA', ou: '19860129000106', names: [] });
    assert.equal(titularDoCertificado(made).cpfCnpj, null);
  });
});

describe('a certificate for a client', () => {
  const agora = Date.UTC(2026, 5, 1);
  const good = { titular: '11222333000181' as CpfCnpj, validoDe: agora - 1, validoAte: agora + 1 };
  const codes = (change: Partial<typeof good>, cpfCnpj: string | null = '11222333000181') =>
    checkCertificado({ ...good, ...change }, { cpfCnpj: cpfCnpj as CpfCnpj | null, agora }).map(
      ({ codigo }) => codigo,
    );

  it('is accepted for every establishment of its company, and for nobody else', () => {
    assert.deepEqual(codes({}), []);
    assert.deepEqual(codes({}, '11222333000262'), []);
    assert.deepEqual(codes({}, '00000000000191'), ['titular_divergente']);
    assert.deepEqual(codes({ titular: '12ABC34501DE35' as CpfCnpj }, '12ABC345000163'), []);
    assert.deepEqual(codes({ titular: '11122233396' as CpfCnpj }), ['titular_divergente']);
  });

  it('of a person is accepted for that person only', () => {
    assert.deepEqual(codes({ titular: '11144477735' as CpfCnpj }, '11144477735'), []);
    assert.deepEqual(codes({ titular: '11144477735' as CpfCnpj }, '52998224725'), ['titular_divergente']);
  });

  it('may be anybody’s when the office works by power of attorney, or for nobody yet', () => {
    assert.deepEqual(codes({ titular: '00000000000191' as CpfCnpj }, null), []);
  });

  it('must be valid now; every fault is told at once', () => {
    assert.deepEqual(codes({ validoAte: agora - 1 }), ['expirado']);
    assert.deepEqual(codes({ validoDe: agora + 1 }), ['ainda_nao_valido']);
    assert.deepEqual(codes({ validoAte: agora - 1 }, '52998224725'), ['expirado', 'titular_divergente']);
  });
});

/** Just enough of a certificate for its holder to be read. */
function fake(input: { cn: string; ou?: string; names: Buffer[] }): Buffer {
  const attribute = (type: string, text: string) => der.set(der.sequence(der.oid(type), der.utf8(text)));
  const name = der.sequence(attribute('2.5.4.11', input.ou ?? 'x'), attribute('2.5.4.3', input.cn));
  const san = der.sequence(der.oid('2.5.29.17'), der.octets(der.sequence(...input.names)));
  const empty = der.sequence();
  const version = der.context(0, der.integer(Buffer.of(2)));
  const serial = der.integer(Buffer.of(1));
  const extensions = der.context(3, der.sequence(san));
  return der.sequence(der.sequence(version, serial, empty, empty, empty, name, empty, extensions));
}

/** Writes the outer values of a PFX again as old exporters do: without lengths, the content in two pieces. */
function indefinite(pfx: Buffer): Buffer {
  const inside = (asn1: forge.asn1.Asn1 | undefined) => {
    assert.ok(asn1);
    return asn1.value as forge.asn1.Asn1[];
  };
  const [, authSafe, mac] = inside(forge.asn1.fromDer(pfx.toString('binary')));
  const [octets] = inside(inside(authSafe)[1]);
  const content = Buffer.from(String(octets?.value), 'binary');
  const open = (tag: number, ...parts: Buffer[]) =>
    Buffer.concat([Buffer.of(tag, 0x80), ...parts, Buffer.of(0, 0)]);
  const pieces = open(0x24, der.octets(content.subarray(0, 100)), der.octets(content.subarray(100)));
  const safe = open(0x30, der.oid('1.2.840.113549.1.7.1'), open(0xa0, pieces));
  const macBytes = mac ? Buffer.from(forge.asn1.toDer(mac).getBytes(), 'binary') : Buffer.alloc(0);
  return open(0x30, der.integer(Buffer.of(3)), safe, macBytes);
}

function findOpenssl(): boolean {
  try {
    execFileSync('openssl', ['list', '-providers', '-provider', 'legacy'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

function opensslPfx(args: readonly string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'malote-openssl-'));
  try {
    const [key, cert, out] = ['key.pem', 'cert.pem', 'out.pfx'].map((name) => join(folder, name));
    if (!key || !cert || !out) throw new Error('no names');
    writeFileSync(key, certificado.chavePrivada.export({ format: 'pem', type: 'pkcs8' }));
    writeFileSync(cert, new X509Certificate(certificado.der).toString());
    const common = [
      'pkcs12',
      '-export',
      '-inkey',
      key,
      '-in',
      cert,
      '-out',
      out,
      '-passout',
      `pass:${SENHA}`,
    ];
    execFileSync('openssl', [...common, ...args], { stdio: 'pipe' });
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
