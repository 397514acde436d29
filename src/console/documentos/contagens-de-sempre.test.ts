import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { observado } from '../../../test/support/consultas.ts';
import {
  type Cofre,
  chaveDe,
  cnpj,
  DESTINATARIO,
  EMITENTE,
  evento,
  nota,
  openCofre,
  TERCEIRO,
  TRANSPORTADOR,
} from '../../documentos/cofre-testing.ts';
import { contagensDosDias } from './contagens.ts';
import { doAlcance, type FiltroDeDocumentos, type Visao } from './filtro.ts';
import { paginaDaLista, totalDaLista } from './lista.ts';

let cofre: Cofre;
beforeEach(async () => {
  cofre = await openCofre();
});
afterEach(() => cofre.db.close());

const sempre = { alcance: null, primeiroDia: null, ultimoDia: null };

describe('the counts of a whole office', () => {
  it('are those of the listing rows, whatever comes or changes meanwhile', async () => {
    await cofre.registrar(EMITENTE);
    const { db } = observado(cofre.db.read);
    const vistas = async () => {
      const contagens = await contagensDosDias(db, { contadorId: cofre.contadorId, ...sempre });
      return contagens
        .filter(({ quantidade }) => quantidade > 0)
        .map(({ tipo, status, carta_correcao, quantidade }) => ({ tipo, status, carta_correcao, quantidade }))
        .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    };
    const linha = (tipo: string, quantidade: number, mais: object = {}) => ({
      tipo,
      status: 'Autorizada',
      carta_correcao: 0,
      quantidade,
      ...mais,
    });
    assert.deepEqual(await vistas(), []);
    await cofre.gravar(nota({ numero: 1 }), nota({ numero: 2 }));
    assert.deepEqual(await vistas(), [linha('Emitida', 2)]);
    await cofre.registrar(DESTINATARIO);
    assert.deepEqual(await vistas(), [linha('Emitida', 2), linha('Recebida', 2)]);
    await cofre.gravar(evento(chaveDe({ numero: 1 }), { codigo: '110110' }));
    const corrigida = { carta_correcao: 1 };
    assert.deepEqual(await vistas(), [
      linha('Emitida', 1),
      linha('Emitida', 1, corrigida),
      linha('Recebida', 1),
      linha('Recebida', 1, corrigida),
    ]);
    await cofre.gravar(evento(chaveDe({ numero: 2 }), { codigo: '110111' }));
    assert.deepEqual(await vistas(), [
      linha('Emitida', 1, corrigida),
      linha('Emitida', 1, { status: 'Cancelada' }),
      linha('Recebida', 1, corrigida),
      linha('Recebida', 1, { status: 'Cancelada' }),
    ]);
  });

  it('cost few statements, however many clients there are, and one while nothing comes', async () => {
    const QUANTOS = 250;
    const clientes = Array.from({ length: QUANTOS }, (_, at) => ({
      contador_id: cofre.contadorId,
      cpf_cnpj: cnpj(at + 1),
      nome: `Cliente ${at}`,
      email: 'a@b.co',
      criado_em: 0,
      atualizado_em: 0,
    }));
    await cofre.db.write.insertInto('cliente').values(clientes).execute();
    await cofre.registrar(EMITENTE);
    const { db, consultas } = observado(cofre.db.read);
    const statements = async () => {
      consultas.length = 0;
      await contagensDosDias(db, { contadorId: cofre.contadorId, ...sempre });
      return consultas.length;
    };
    assert.ok((await statements()) <= 1 + 2 * Math.ceil((QUANTOS + 1) / 100));
    assert.equal(await statements(), 1);
    await cofre.gravar(nota({ numero: 1 }));
    assert.equal(await statements(), 3);
  });

  it('are read once by two who ask at once', async () => {
    await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ numero: 1 }));
    const { db, consultas } = observado(cofre.db.read);
    const ask = () => contagensDosDias(db, { contadorId: cofre.contadorId, ...sempre });
    const [first, second] = await Promise.all([ask(), ask()]);
    assert.deepEqual(first, second);
    assert.equal(consultas.filter(({ sql }) => sql.includes('contagem')).length, 1);
  });
});

describe('the total of a listing', () => {
  const TUDO: Omit<FiltroDeDocumentos, 'contadorId' | 'visao'> = {
    ...doAlcance(null),
    especie: 'todas',
    tipo: null,
    status: null,
    papel: null,
    serie: null,
    numero: null,
    chave: null,
    busca: null,
    uf: null,
    emissao: { de: null, ate: null },
    importacao: { de: null, ate: null },
    valor: { de: null, ate: null },
    origem: null,
    finalidade: null,
    manifestacao: null,
    prova: null,
    ids: null,
    ordem: 'emissao',
  };
  const VISTAS: readonly Visao[] = ['todas', 'emitidas', 'recebidas', 'canceladas', 'cartacorrecao'];
  const MARCO_10 = Date.parse('2026-03-10T00:00:00-03:00');
  const PERIODOS = [
    { de: null, ate: null },
    { de: MARCO_10, ate: MARCO_10 + 86_400_000 },
  ];

  /** What the listing shows, against what it says in all; by scope, view and period. */
  async function comparar(alcances: readonly (readonly number[] | null)[]) {
    const { db } = observado(cofre.db.read);
    const vistos = new Set<string>();
    for (const alcance of alcances)
      for (const visao of VISTAS)
        for (const emissao of PERIODOS) {
          const filtro = { ...TUDO, ...doAlcance(alcance), contadorId: cofre.contadorId, visao, emissao };
          const { linhas } = await paginaDaLista(db, {
            filtro,
            depois: null,
            tamanho: 100,
            umaPorDocumento: true,
          });
          vistos.add(`${visao} ${linhas.length}`);
          assert.equal(await totalDaLista(db, filtro), linhas.length, `${alcance} ${visao} ${emissao.de}`);
        }
    return vistos;
  }

  it('counts a document of several clients once, on each side, whoever is asked for', async () => {
    const emitente = await cofre.registrar(EMITENTE);
    await cofre.gravar(nota({ numero: 1 }), nota({ numero: 2, data: '2026-03-11T10:00:00-03:00' }));
    const transportador = await cofre.registrar(TRANSPORTADOR);
    const levada = { outros: [['transportador', TRANSPORTADOR]] } as const;
    await cofre.gravar(nota({ numero: 3, ...levada }), nota({ numero: 4, emitente: TERCEIRO, ...levada }));
    const destinatario = await cofre.registrar(DESTINATARIO);
    await cofre.gravar(
      evento(chaveDe({ numero: 3 }), { codigo: '110111' }),
      evento(chaveDe({ numero: 1 }), { codigo: '110110' }),
      nota({ numero: 5, ...levada }),
      nota({ numero: 6, emitente: TERCEIRO, destinatario: cnpj(7) }),
    );
    const terceiro = await cofre.registrar(TERCEIRO);
    const vistos = await comparar([
      null,
      [emitente],
      [emitente, destinatario],
      [transportador, destinatario],
      [destinatario, terceiro],
      [emitente, transportador, destinatario, terceiro],
    ]);
    for (const visto of ['todas 6', 'emitidas 6', 'recebidas 5', 'canceladas 1', 'cartacorrecao 1'])
      assert.ok(vistos.has(visto), visto);
  });
});
