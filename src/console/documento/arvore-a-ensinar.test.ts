import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PRESTADOR, TOMADOR } from '../../fiscal/nfse/amostras-de-teste.ts';
import { arvoreAEnsinar } from './arvore-a-ensinar.ts';

const sugestao = (xml: string) => arvoreAEnsinar(Buffer.from(xml))?.sugestao.join('/');
const campos = (numero: number, parte = PRESTADOR) =>
  `<Ordem>${numero}</Ordem><Dia>2026-03-10T09:30:00.1234567-03:00</Dia><Quem><Registro>${parte}</Registro></Quem><Total>1500,00</Total>`;

it('a note seems to begin where its fields repeat, whatever stands around the list', () => {
  const linha = (numero: number) =>
    `<L NUM="${numero}" EMISSAO="10/03/2026" CLIENTE="${TOMADOR}" VALOR="1.500,00"/>`;
  const capa = `<Empresa><Dados CNPJ="${PRESTADOR}"/></Empresa>`;
  assert.equal(
    sugestao(`<R>${capa}<Linhas>${linha(1)}${linha(2)}</Linhas><Fim><Total>2</Total></Fim></R>`),
    'R/Linhas/L',
  );
  const parcela = '<Parcela><Vencimento>10/04/2026</Vencimento><Valor>750,00</Valor></Parcela>';
  const folha = (numero: number) => `<F>${campos(numero)}<Parcelas>${parcela}${parcela}</Parcelas></F>`;
  assert.equal(sugestao(`<R><Folhas>${folha(1)}${folha(2)}</Folhas></R>`), 'R/Folhas/F');
});

it('one note alone begins in the innermost that has all of it', () => {
  assert.equal(sugestao(`<R><Capa><Hora>1</Hora></Capa><F>${campos(1)}</F></R>`), 'R/F');
  assert.equal(sugestao(`<F>${campos(1)}</F>`), 'F');
  assert.equal(
    sugestao('<R><A><B>1</B><C>2</C></A></R>'),
    'R/A',
    'of what has no values, where fields begin',
  );
});
