import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tituloDoRegistro } from './linha-do-tempo.ts';

it('the time line names who registered a document: the SEFAZ, the national system, or the city', () => {
  const nacional = '3550308211122233300018100000000000042260312345678';
  const municipal = 'NFSE-3550308-11222333000181-42';
  for (const [linha, titulo] of [
    [{ modelo: '55', classe: 'documento', layout_nacional: 0, chave: '35' }, 'Registro na SEFAZ'],
    [{ modelo: '55', classe: 'evento', layout_nacional: 0, chave: '35' }, 'Registro na SEFAZ'],
    [
      { modelo: 'NFSe', classe: 'documento', layout_nacional: 1, chave: nacional },
      'Registro no Sistema Nacional NFS-e',
    ],
    [
      { modelo: 'NFSe', classe: 'evento', layout_nacional: 0, chave: nacional },
      'Registro no Sistema Nacional NFS-e',
    ],
    [{ modelo: 'NFSe', classe: 'documento', layout_nacional: 0, chave: municipal }, 'Registro na prefeitura'],
    [{ modelo: 'NFSe', classe: 'documento', layout_nacional: 0, chave: nacional }, 'Registro na prefeitura'],
    [{ modelo: 'NFSe', classe: 'evento', layout_nacional: 0, chave: municipal }, 'Registro na prefeitura'],
  ] as const)
    assert.equal(tituloDoRegistro(linha), titulo, JSON.stringify(linha));
});
