import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf } from '../../amostras-de-teste.ts';
import { scanXml } from '../../xml/scan.ts';
import { PRESTADOR, TOMADOR } from '../amostras-de-teste.ts';
import { readNotasCom } from './ler-notas-com.ts';
import { NOTAS_MUNICIPAIS, reconhecedorCom } from './tabela.ts';
import { validateLeiaute } from './validar-leiaute.ts';

/** As a file has it that somebody sent. */
const ENSINADO = JSON.stringify({
  id: 'cidade-nova',
  nome: 'Cidade Nova',
  fonte: 'notas de Cidade Nova',
  nota: { elemento: ['Nota'], tem: ['./Folha', './Oficina/Registro'] },
  numero: ['./Folha'],
  data: { campos: ['./Quando'], ordem: 'mes_dia' },
  prestador: { cpfCnpj: ['./Oficina/Registro'] },
  tomador: { cpfCnpj: ['./Fregues/Registro'] },
  valor: ['./Paga'],
  municipio: { fixo: '3304557' },
  situacao: [{ tipo: 'situacao', campos: ['./Estado'], cancelada: ['9'], normal: ['1'] }],
});

const nota = (folha: string, estado = '1') =>
  `<Nota><Folha>${folha}</Folha><Quando>03/10/2026</Quando><Estado>${estado}</Estado><Oficina><Registro>${PRESTADOR}</Registro></Oficina><Fregues><Registro>${TOMADOR}</Registro></Fregues><Paga>15,00</Paga></Nota>`;

function opened(xml: string) {
  const scan = scanXml(bytesOf(xml));
  assert.ok(scan.ok);
  const read = validateLeiaute(JSON.parse(ENSINADO));
  assert.ok(read.ok);
  return { tree: scan.tree, leiaute: read.leiaute };
}

describe('a layout that somebody described', () => {
  it('reads all notes of it in a file', () => {
    const { tree, leiaute } = opened(`<Notas>${nota('7')}${nota('8', '9')}</Notas>`);
    assert.deepEqual(
      readNotasCom(leiaute, tree).map(({ leitura }) =>
        leitura.ok
          ? [leitura.registro.chave, leitura.registro.dataEmissao, leitura.registro.statusProtocolo]
          : leitura.rejeicao.codigo,
      ),
      [
        [`NFSE-3304557-${PRESTADOR}-7`, '2026-03-10T00:00:00-03:00', 'Autorizada'],
        [`NFSE-3304557-${PRESTADOR}-8`, '2026-03-10T00:00:00-03:00', 'Cancelada'],
      ],
    );
  });

  it('counts among ours, and takes no note from them', () => {
    const { tree, leiaute } = opened(`<Notas>${nota('7')}</Notas>`);
    const [element = tree.root] = tree.root.children;
    assert.equal(NOTAS_MUNICIPAIS.reconhecer(element), null);
    assert.equal(reconhecedorCom([leiaute]).reconhecer(element)?.descrito.id, 'cidade-nova');
    const greedy = { ...leiaute, nota: { ...leiaute.nota, elemento: ['nfse'], tem: ['.//numero_nfse'] } };
    const ipm = opened(
      '<nfse><nf><numero_nfse>1</numero_nfse><situacao_codigo_nfse>1</situacao_codigo_nfse></nf></nfse>',
    );
    assert.equal(reconhecedorCom([greedy]).reconhecer(ipm.tree.root)?.descrito.id, 'ipm');
  });
});
