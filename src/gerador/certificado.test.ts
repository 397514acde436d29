import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import forge from 'node-forge';
import { Autoridades, SEM_AUTORIDADES } from '../fiscal/certificado/autoridades.ts';
import { titularDoCertificado } from '../fiscal/certificado/titular.ts';
import { isCnpj, isCpf } from '../fiscal/cpf-cnpj.ts';
import { Aleatorio } from './aleatorio.ts';
import {
  autoridadeDeLaboratorio,
  EMISSORES,
  type EmissorDeLaboratorio,
  raizDeLaboratorio,
} from './autoridades.ts';
import { certificadoDe, SEMENTE_DE_ESTRANHOS } from './certificado.ts';
import { generateChaveRsa } from './chaves-rsa.ts';
import { generateCnpj, generateCpf, generateEmpresa, generateFilial } from './empresas.ts';
import { MUNICIPIOS } from './municipios.ts';
import { certificadoDoSistema } from './nfse-sistema.ts';

const EM = new Date('2026-03-10T13:00:00Z');

/** otherName values by OID, read with node-forge, which knows nothing of how they were written. */
function otherNames(der: Buffer): Map<string, string> {
  const certificate = forge.pki.certificateFromAsn1(forge.asn1.fromDer(der.toString('binary')));
  const extension = certificate.getExtension('subjectAltName') as { value: string } | null;
  const names = forge.asn1.fromDer(extension?.value ?? '').value as forge.asn1.Asn1[];
  const out = new Map<string, string>();
  for (const name of names) {
    if (name.type !== 0) continue;
    const [type, wrapped] = name.value as forge.asn1.Asn1[];
    assert.ok(type && wrapped);
    const inner = (wrapped.value as forge.asn1.Asn1[])[0];
    out.set(forge.asn1.derToOid(type.value as string), inner?.value as string);
  }
  return out;
}

test('a company certificate is issued by the laboratory, says that it is a test and carries CNPJ and responsible person', () => {
  const empresa = generateEmpresa('certificado', { perfil: 'comercio' });
  const made = certificadoDe(empresa, 'semente', EM);
  const read = new X509Certificate(made.der);
  assert.ok(read.checkIssued(new X509Certificate(autoridadeDeLaboratorio('documentos').der)));
  assert.ok(read.checkPrivateKey(made.chavePrivada));
  assert.match(read.subject, new RegExp(`CN=.+:${empresa.id}`));
  assert.match(read.subject, /O=ICP-Brasil/);
  assert.match(read.subject, /OU=CERTIFICADO DE TESTE/);
  assert.ok(made.validoDe <= EM && EM <= made.validoAte);
  assert.equal(new Date(read.validFrom).getTime(), made.validoDe.getTime());
  assert.equal(new Date(read.validTo).getTime(), made.validoAte.getTime());
  const names = otherNames(made.der);
  assert.equal(names.get('2.16.76.1.3.3'), empresa.id);
  assert.equal(names.get('2.16.76.1.3.2'), empresa.responsavel.nome.toUpperCase());
  assert.equal(names.get('2.16.76.1.3.4')?.slice(8, 19), empresa.responsavel.cpf);
});

test('who trusts a root of the laboratory trusts what is issued under it, and nobody else', () => {
  const empresa = generateEmpresa('cadeia', { perfil: 'comercio' });
  const acs = Object.keys(EMISSORES) as EmissorDeLaboratorio[];
  const laboratorio = new Autoridades({
    raizes: [
      { der: raizDeLaboratorio().der, confianca: 'icp_brasil' },
      { der: raizDeLaboratorio('sat').der, confianca: 'sat' },
    ],
    intermediarias: acs.map((ac) => autoridadeDeLaboratorio(ac).der),
  });
  const cadeia = (semente: string, emissor?: EmissorDeLaboratorio) =>
    laboratorio.cadeiaDe(new X509Certificate(certificadoDe(empresa, semente, EM, emissor).der)).cadeia;
  assert.equal(cadeia('a'), 'icp_brasil');
  assert.equal(cadeia('b', 'sat'), 'sat');
  assert.equal(cadeia('c', 'satDeTeste'), 'sat');
  assert.equal(cadeia(SEMENTE_DE_ESTRANHOS), 'invalida');
  assert.equal(
    SEM_AUTORIDADES.cadeiaDe(new X509Certificate(certificadoDe(empresa, 'a', EM).der)).cadeia,
    'desconhecida',
  );
});

test('the national NFS-e system is a server: its certificate names its address, and no holder', () => {
  const { der } = certificadoDoSistema('semente', EM);
  assert.match(new X509Certificate(der).subject, /CN=www\.nfse\.gov\.br$/);
  assert.equal(titularDoCertificado(der).cpfCnpj, null);
});

test('a producer with CPF has an e-CPF', () => {
  const produtor = generateEmpresa('certificado', { perfil: 'produtor' });
  const names = otherNames(certificadoDe(produtor, 'semente', EM).der);
  assert.equal(names.get('2.16.76.1.3.1')?.slice(8, 19), produtor.id);
  assert.equal(names.has('2.16.76.1.3.3'), false);
});

test('the next year has another certificate over the same key', () => {
  const empresa = generateEmpresa('renovacao', { perfil: 'varejo' });
  const first = certificadoDe(empresa, 'semente', EM);
  const next = certificadoDe(empresa, 'semente', new Date(EM.getTime() + 370 * 86_400_000));
  assert.notEqual(next.base64, first.base64);
  assert.equal(next.chavePrivada, first.chavePrivada);
  assert.equal(certificadoDe(empresa, 'semente', EM), first);
});

test('keys are RSA-2048 and depend on the seed alone', () => {
  const key = generateChaveRsa('x');
  assert.deepEqual(key.asymmetricKeyDetails, { modulusLength: 2048, publicExponent: 65_537n });
  assert.ok(key.equals(generateChaveRsa('x')));
  assert.ok(!key.equals(generateChaveRsa('y')));
});

test('companies have valid numbers, cities with valid IBGE codes, and branches share the root', () => {
  const random = new Aleatorio('numeros');
  for (let i = 0; i < 200; i++) {
    assert.ok(isCnpj(generateCnpj(random)));
    const letters = generateCnpj(random, true);
    assert.ok(isCnpj(letters) && /[A-Z]/.test(letters));
    assert.ok(isCpf(generateCpf(random)));
  }
  const matriz = generateEmpresa('matriz', { perfil: 'industria' });
  const filial = generateFilial(matriz, 2, 's');
  assert.ok(isCnpj(filial.id));
  assert.equal(filial.id.slice(0, 8), matriz.id.slice(0, 8));
  assert.deepEqual(generateEmpresa('matriz', { perfil: 'industria' }), matriz);
  assert.equal(new Set(MUNICIPIOS.map((m) => m.uf)).size, 27);
  for (const { codigo } of MUNICIPIOS) {
    let sum = 0;
    for (let i = 0; i < 6; i++) {
      const product = Number(codigo[i]) * (i % 2 === 0 ? 1 : 2);
      sum += Math.floor(product / 10) + (product % 10);
    }
    assert.equal(String((10 - (sum % 10)) % 10), codigo[6], codigo);
  }
});
