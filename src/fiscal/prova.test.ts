import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeProva, type RegistroAJulgar } from './prova.ts';
import type { Chave, CpfCnpj, VeredictoAssinatura } from './tipos.ts';

const DIGEST = 'GOBhLR3w/WlbfEKtmftD8aldVrA=';
const DA_CHAVE = '61818270000107';
const FILIAL = '61818270000298';
const ALHEIO = '33626741000131';

/** @param input.quem CNPJ or CPF in the key @param input.serie in the key */
function falhas(input: {
  quem?: string;
  serie?: string;
  modelo?: string;
  emitente: string;
  signatario?: string;
  nProt?: string;
  deHomologacao?: true;
}) {
  const {
    quem = DA_CHAVE,
    serie = '001',
    modelo = '55',
    emitente,
    signatario = emitente,
    nProt,
    deHomologacao,
  } = input;
  const chave = `352603${quem.padStart(14, '0')}${modelo}${serie}0000000011763088257` as Chave;
  const registro = {
    classe: 'documento',
    especie: 'NFe',
    modelo,
    chave,
    dataEmissao: '2026-03-10T10:00:00-03:00',
    participantes: [{ papel: 'emitente', cpfCnpj: emitente as CpfCnpj }],
    protocolo: { cStat: '100', nProt: nProt ?? '135260476965879', digVal: DIGEST, deHomologacao },
    digest: DIGEST,
  } as unknown as RegistroAJulgar;
  const sempre = { de: 0, ate: Number.MAX_SAFE_INTEGER };
  const assinatura = {
    resultado: 'integra',
    titular: 'X',
    signatario: {
      titularDocumento: signatario as CpfCnpj,
      validade: sempre,
      cadeia: 'icp_brasil',
      validadeDaCadeia: sempre,
    },
  } as VeredictoAssinatura;
  return judgeProva(registro, assinatura).falhas;
}

describe('who issued a note is who its key names', () => {
  it('that company, whichever branch', () => {
    assert.deepEqual(falhas({ emitente: DA_CHAVE }), []);
    assert.deepEqual(falhas({ emitente: FILIAL }), []);
  });

  it('nobody else, whatever certificate he has', () => {
    for (const modelo of ['55', '65', '57'])
      assert.deepEqual(falhas({ modelo, emitente: ALHEIO }), ['titular_diverso', 'chave_de_outro_emitente']);
  });

  it('a person by all digits of the CPF', () => {
    const pessoa = { quem: '52998224725', serie: '920' };
    assert.deepEqual(falhas({ ...pessoa, emitente: '52998224725' }), []);
    assert.ok(falhas({ ...pessoa, emitente: '52998300004' }).includes('chave_de_outro_emitente'));
  });

  it('the Fisco, where it wrote the note for somebody, and then nobody else signs', () => {
    const avulsa = { serie: '890', emitente: ALHEIO };
    assert.deepEqual(falhas({ ...avulsa, signatario: DA_CHAVE }), []);
    assert.deepEqual(falhas(avulsa), ['titular_diverso']);
  });
});

it('what is no number of a protocol is none', () => {
  for (const nProt of ['', 'abc', '1', '13526047696587x'])
    assert.deepEqual(falhas({ emitente: DA_CHAVE, nProt }), ['protocolo_incompleto']);
  for (const nProt of ['3352600000000012', '13526000000000123'])
    assert.deepEqual(falhas({ emitente: DA_CHAVE, nProt }), []);
});

it('an answer of homologação proves nothing of what is of produção', () => {
  assert.deepEqual(falhas({ emitente: DA_CHAVE, deHomologacao: true }), ['resposta_de_homologacao']);
});
