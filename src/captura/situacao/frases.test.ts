import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { falhaDe } from '../client/falhas.ts';
import { FALHAS } from '../client/tipos.ts';
import type { Frase } from './frase.ts';
import { codigosComFrase, fraseDe, type ServicoComFrases } from './frases.ts';

/** Every code that the documents of a service name. */
const CODIGOS: Readonly<Record<ServicoComFrases, string>> = {
  // NT 2014.002
  nfe: '108 109 137 138 214 215 217 236 238 239 252 280 281 282 283 284 285 286 402 404 472 473 489 490 589 593 614 615 616 617 618 619 632 640 641 653 654 656 999',
  // NT 2015.002
  cte: '108 109 137 138 214 215 238 239 242 252 280 281 283 284 285 286 402 404 409 410 411 472 473 489 490 589 593 656 999',
  // ADN and SEFIN
  nfse: '137 138 E2220 E1217 E1206 http_400 http_404 http_405 http_429 http_500 http_503',
  // SAE-NFC-e
  nfce: '100 101 102 103 104 107 110 200 203 204 205 207 656 http_429',
  // NT 2020.001, MOC
  evento:
    '108 109 128 134 135 136 214 215 280 281 282 283 284 285 286 297 298 402 404 494 573 575 578 579 580 596 631 650 651 655 656 999 http_500 http_503',
};

function assertSentence({ diz, fazer, quem }: Frase, of: string): void {
  for (const text of [diz, fazer]) {
    assert.match(text, /^[A-ZÁÉÍÓÚÂÊÔÃÕÇ].*[.]$/su, of);
    assert.doesNotMatch(text, /undefined|null|cStat|SOAP|TLS|NSU|schema|HTTPS?(?!\s\d)/, `${of}: ${text}`);
  }
  assert.ok(
    diz.length > 20 && diz.length < 220 && fazer.length < 330,
    `${of}: ${diz.length}, ${fazer.length}`,
  );
  assert.ok(quem !== 'escritorio' || !fazer.startsWith('Nada a fazer'), of);
}

const desconhecida = (servico: ServicoComFrases) => fraseDe({ servico, codigo: '9876' }).fazer;

describe('every refusal code', () => {
  for (const servico of Object.keys(CODIGOS) as ServicoComFrases[]) {
    it(`of ${servico} has a sentence of its own, with what to do`, () => {
      for (const codigo of CODIGOS[servico].split(' ')) {
        const frase = fraseDe({ servico, codigo });
        assertSentence(frase, `${servico} ${codigo}`);
        assert.notEqual(frase.fazer, desconhecida(servico), `${servico} ${codigo}`);
      }
      for (const codigo of codigosComFrase(servico)) assertSentence(fraseDe({ servico, codigo }), codigo);
    });
  }

  it('that is not known is told with the words of the service, and never taken for another', () => {
    for (const codigo of ['1115', 'constructor', '__proto__', '']) {
      const { diz, quem } = fraseDe({ servico: 'nfe', codigo, motivo: 'Rejeicao nova' });
      assert.equal(diz, `O serviço recusou a consulta com o código ${codigo}: "Rejeicao nova".`);
      assert.equal(quem, 'operador');
    }
  });

  it('promises no growing wait, which some failures have and others not, and no stop where there is none', () => {
    for (const servico of ['nfe', 'cte', 'nfse', 'nfce'] as const)
      for (const codigo of [...codigosComFrase(servico), ...FALHAS, 'http_500', 'http_503'])
        assert.doesNotMatch(fraseDe({ servico, codigo }).fazer, /cada vez maiores|fica parada/, codigo);
  });

  it('says of a certificate that the office must bring another, and of a service that is out that nobody has to do anything', () => {
    const quem = (servico: ServicoComFrases, codigo: string) => fraseDe({ servico, codigo }).quem;
    for (const codigo of ['280', '281', '282', '283', '284', '285', '472', '473', '593'])
      assert.equal(quem('nfe', codigo), 'escritorio', codigo);
    for (const codigo of ['108', '109', '137', '138', 'http_503', 'prazo_de_resposta'])
      assert.equal(quem('nfe', codigo), 'ninguem', codigo);
    for (const codigo of ['214', '215', '402', '404', '589', 'servidor_desconhecido'])
      assert.equal(quem('nfe', codigo), 'operador', codigo);
  });
});

describe('every failure of a connection', () => {
  it('has a sentence, the same at all services', () => {
    for (const codigo of [...FALHAS, 'sem_desfecho']) {
      const frase = fraseDe({ servico: 'nfe', codigo });
      assertSentence(frase, codigo);
      assert.deepEqual(fraseDe({ servico: 'nfse', codigo }), frase);
      assert.notEqual(frase.fazer, desconhecida('nfe'), codigo);
    }
  });

  it('that OpenSSL and Node name leads to what a person can do about it', () => {
    const SSL = 'ERR_SSL_';
    const ditas: Record<string, [code: string, RegExp][]> = {
      'the certificate was not shown': [
        [`${SSL}SSLV3_ALERT_HANDSHAKE_FAILURE`, /não recebeu o certificado/],
        [`${SSL}SSLV3_ALERT_BAD_CERTIFICATE`, /não recebeu o certificado/],
        [`${SSL}TLSV13_ALERT_CERTIFICATE_REQUIRED`, /não recebeu o certificado/],
        [`${SSL}SSLV3_ALERT_BAD_RECORD_MAC`, /não recebeu o certificado/],
      ],
      'the certificate was refused': [
        [`${SSL}SSLV3_ALERT_UNSUPPORTED_CERTIFICATE`, /recusou o certificado/],
        [`${SSL}SSLV3_ALERT_CERTIFICATE_REVOKED`, /recusou o certificado/],
        [`${SSL}SSLV3_ALERT_CERTIFICATE_EXPIRED`, /recusou o certificado/],
        [`${SSL}SSLV3_ALERT_CERTIFICATE_UNKNOWN`, /recusou o certificado/],
        [`${SSL}TLSV1_ALERT_UNKNOWN_CA`, /recusou o certificado/],
      ],
      "the server's chain": [
        ['UNABLE_TO_GET_ISSUER_CERT', /não provou ser o serviço/],
        ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /não provou ser o serviço/],
        ['SELF_SIGNED_CERT_IN_CHAIN', /não provou ser o serviço/],
        ['ERR_TLS_CERT_ALTNAME_INVALID', /é outro/],
        ['CERT_HAS_EXPIRED', /vencido/],
      ],
      'the network': [
        ['ECONNRESET', /cortada/],
        ['ENOTFOUND', /não conseguiu se conectar/],
        ['ECONNREFUSED', /não conseguiu se conectar/],
        ['ETIMEDOUT', /não atendeu/],
        ['EPROTO', /não pôde ser estabelecida/],
      ],
    };
    for (const [code, diz] of Object.values(ditas).flat()) {
      const { codigo } = falhaDe({ code }, { enviado: true });
      assert.match(fraseDe({ servico: 'nfe', codigo }).diz, diz, code);
    }
    assert.match(
      fraseDe({ servico: 'nfe', codigo: 'http_403' }).diz,
      /não recebeu ou não aceitou o certificado/,
    );
  });
});
