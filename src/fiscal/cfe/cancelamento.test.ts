import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cnpj, DESTINATARIO, EMITENTE, treeOf } from '../amostras-de-teste.ts';
import { COMPANY } from '../assinatura/amostras-de-teste.ts';
import { chaveLida, ler, only, rejeitada } from '../leitura-de-teste.ts';
import type { Evento } from '../tipos.ts';
import { cfeCanc, chaveCfe, type OpcoesDoCfeCanc } from './amostras-de-teste.ts';
import { parseCfeCancelamento } from './cancelamento.ts';

const reading = (options: OpcoesDoCfeCanc) => {
  const tree = treeOf(cfeCanc(options));
  return parseCfeCancelamento({ tree, root: tree.root, digest: () => 'digest' });
};
const read = (options: OpcoesDoCfeCanc = {}): Evento => {
  const result = reading(options);
  if (!result.ok) throw new Error(`${result.rejeicao.codigo}: ${result.rejeicao.mensagem}`);
  return result.registro;
};
const codeOf = (options: OpcoesDoCfeCanc): string => {
  const result = reading(options);
  return result.ok ? 'lido' : result.rejeicao.codigo;
};

describe('the cancellation of a CF-e SAT', () => {
  it('is an event about the coupon that it cancels, with the time of the cancellation', () => {
    assert.deepEqual(read({ dest: `<dest><CNPJ>${DESTINATARIO}</CNPJ></dest>` }), {
      classe: 'evento',
      especie: 'Evento',
      chave: chaveCfe(),
      modelo: '59',
      ambiente: 1,
      layout: '0.08',
      codigo: 'CFeCanc',
      descricao: 'Cancelamento de CF-e SAT',
      sequencia: 1,
      efeito: 'cancela',
      autor: EMITENTE,
      destinatario: DESTINATARIO,
      dataEmissao: '2021-07-10T09:45:00-03:00',
      protocolo: {
        cStat: '101',
        xMotivo: 'Cancelamento de CF-e SAT',
        nProt: null,
        dhRecbto: '2021-07-10T09:45:00-03:00',
        digVal: null,
      },
      desfaz: null,
      digest: 'digest',
      avisos: [],
    });
  });

  it('is of the test environment when a test authority made the certificate of the device', () => {
    const assinatura = `<Signature><SignatureValue>QQ==</SignatureValue><KeyInfo><X509Data><X509Certificate>${COMPANY.certificate}</X509Certificate></X509Data></KeyInfo></Signature>`;
    assert.equal(read({ assinatura }).ambiente, 2);
  });

  it('is found inside an nfeProc of another namespace', () => {
    const file = `<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe">${cfeCanc()}</nfeProc>`;
    assert.equal(chaveLida(only(ler(file))), chaveCfe());
  });

  it('that is only the request is named as such, with the key of the coupon', () => {
    const piece = rejeitada(only(ler(cfeCanc({ id: '' }))));
    assert.deepEqual(
      [piece.rejeicao.codigo, piece.especie, piece.chave],
      ['cfe_sem_chave', 'Evento', chaveCfe()],
    );
    assert.match(piece.rejeicao.mensagem, /só o pedido/);
  });

  const rows: [string, OpcoesDoCfeCanc, string][] = [
    ['without the signature of the device', { assinatura: '' }, 'evento_sem_registro'],
    ['that names no coupon', { chCanc: '' }, 'chave_ausente'],
    ['that names something else', { chCanc: ' chCanc="CFe1"' }, 'chave_invalida'],
    ['of another model', { chCanc: ` chCanc="CFe${chaveCfe({ modelo: '65' })}"` }, 'modelo_nao_suportado'],
    [
      'made by another device',
      { chCanc: ` chCanc="CFe${chaveCfe({ sat: '000999999' })}"` },
      'protocolo_de_outra_chave',
    ],
    [
      'made by another company',
      { chCanc: ` chCanc="CFe${chaveCfe({ emitente: cnpj('434343430001') })}"` },
      'protocolo_de_outra_chave',
    ],
    ['with a key of its own that is none', { id: ' Id="CFe1"' }, 'chave_invalida'],
    ['without a date', { data: '' }, 'data_emissao_ausente'],
    ['with an unknown environment', { tpAmb: '<tpAmb>7</tpAmb>' }, 'ambiente_invalido'],
  ];
  for (const [name, options, codigo] of rows) {
    it(`is refused: ${name}`, () => assert.equal(codeOf(options), codigo));
  }
});
