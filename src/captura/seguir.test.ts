import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  aoChamar,
  aposQueda,
  CONSULTAS_POR_HORA,
  corrigirFuturo,
  ESPERA_MAXIMA_MS,
  espalhamento,
  HORA_MS,
  podeConsulta,
  podePagina,
  RESERVA_DE_PESSOAS,
} from './decidir.ts';
import type { LinhaDeEstado } from './queries.ts';
import { aoResponder, type Desfecho } from './seguir.ts';

const AGORA = Date.UTC(2026, 10, 29, 12);
const MINUTO = 60_000;

function estado(mais: Partial<LinhaDeEstado> = {}): LinhaDeEstado {
  return {
    cpf_cnpj: '11222333000181',
    servico: 'nfe',
    ambiente: 1,
    ult_nsu: 100,
    max_nsu: 100,
    marco: null,
    proxima_em: AGORA,
    bloqueada_ate: null,
    parada: null,
    parada_certificado: null,
    erros_seguidos: 0,
    chaves_em: null,
    lacunas: '[]',
    recuperar_ate: null,
    consultas: '[]',
    chamada_em: null,
    chamada_tipo: null,
    locatario: null,
    locada_ate: null,
    primeira_em: AGORA - 48 * HORA_MS,
    ultima_em: AGORA,
    ultima_ok_em: null,
    ultima_vazia_em: null,
    ultimo_documento_em: null,
    ultima_resposta: null,
    ultimo_motivo: null,
    outro_programa_em: null,
    bloqueios: 0,
    documentos: 0,
    municipio: null,
    ...mais,
  };
}

function depois(
  mais: Partial<Desfecho>,
  antes: Partial<LinhaDeEstado> = {},
): LinhaDeEstado & { guardar: boolean } {
  const before = estado(antes);
  const desfecho: Desfecho = {
    pergunta: { tipo: 'distNSU' },
    codigo: '137',
    motivo: '',
    ultNsu: null,
    maxNsu: null,
    documentos: 0,
    esperarSegundos: null,
    enviado: true,
    impressao: 'a1',
    maisChaves: false,
    ...mais,
  };
  const { set, guardar } = aoResponder(before, desfecho, { agora: AGORA, parede: AGORA });
  return { ...before, ...set, guardar } as LinhaDeEstado & { guardar: boolean };
}

const espera = ({ proxima_em }: LinhaDeEstado) => Math.round(((proxima_em ?? Number.NaN) - AGORA) / MINUTO);
/** An hour, its minute, and at most four in which clients are spread. */
const umaHora = (linha: LinhaDeEstado) => espera(linha) >= 61 && espera(linha) <= 65;

describe('before a call', () => {
  it('it is written down with its hour, whatever becomes of it', () => {
    const set = aoChamar(estado(), { agora: AGORA, parede: AGORA, pergunta: { tipo: 'distNSU' } });
    assert.equal(set.chamada_em, AGORA);
    assert.ok(umaHora({ ...estado(), ...set } as LinhaDeEstado));
  });

  it('whose process died, numbers are asked for one by one before the next page, and never a page within the hour', () => {
    const marca = aoChamar(estado(), { agora: AGORA, parede: AGORA, pergunta: { tipo: 'distNSU' } });
    const morto = { ...estado(), ...marca, locada_ate: AGORA + 5 * MINUTO } as LinhaDeEstado;
    assert.equal(aposQueda(morto, AGORA + MINUTO), null, 'its lease is believed');
    const achado = { ...morto, ...aposQueda(morto, AGORA + 6 * MINUTO) } as LinhaDeEstado;
    assert.equal(achado.recuperar_ate, 150);
    const pagina = podePagina(achado, AGORA + 2 * HORA_MS);
    assert.deepEqual([pagina.pode, !pagina.pode && pagina.motivo], [false, 'recuperando']);
    const nsu = { tipo: 'consNSU', nsu: 101 } as const;
    const um = depois({ pergunta: nsu, codigo: '138', documentos: 1 }, achado);
    assert.deepEqual([um.ult_nsu, um.recuperar_ate, um.guardar], [101, 150, true]);
    const fim = depois({ pergunta: { tipo: 'consNSU', nsu: 102 }, codigo: '137' }, um);
    assert.deepEqual([fim.ult_nsu, fim.recuperar_ate], [101, null]);
    assert.ok(umaHora({ ...fim }), 'the hour of the lost call still stands');
  });

  it('of the ADN and the SAE nothing is asked one by one: they take the same question again', () => {
    for (const servico of ['nfse', 'nfce'] as const) {
      const morto = estado({ servico, chamada_em: AGORA, chamada_tipo: 'distNSU' });
      assert.equal(aposQueda(morto, AGORA + HORA_MS)?.recuperar_ate, undefined);
    }
  });
});

describe('an answer', () => {
  it('138 moves the cursor to its number, and goes on at once only where there is more', () => {
    const mais = depois({ codigo: '138', ultNsu: 150, maxNsu: 180, documentos: 50 });
    assert.deepEqual(
      [mais.ult_nsu, mais.max_nsu, mais.guardar, (mais.proxima_em ?? 0) - AGORA],
      [150, 180, true, 2_000],
    );
    const fim = depois({ codigo: '138', ultNsu: 180, maxNsu: 180, documentos: 30 });
    assert.ok(umaHora(fim));
  });

  it('138 that does not move it is waited out: it would be asked for without end', () => {
    const parado = depois({ codigo: '138', ultNsu: 100, maxNsu: 180, documentos: 50 });
    assert.deepEqual(
      [parado.guardar, parado.ult_nsu, parado.erros_seguidos, umaHora(parado)],
      [false, 100, 1, true],
    );
  });

  it('137 is waited out for an hour, and never takes the cursor back', () => {
    const vazia = depois({ codigo: '137', ultNsu: 0, maxNsu: 0 });
    assert.deepEqual([vazia.ult_nsu, vazia.ultima_vazia_em, umaHora(vazia)], [100, AGORA, true]);
  });

  it('656 blocks for an hour and longer each time, adopts a number ahead of ours and asks for what lies between', () => {
    const bloco = depois({ codigo: '656', ultNsu: 120 });
    assert.deepEqual([bloco.ult_nsu, bloco.lacunas, bloco.outro_programa_em], [120, '[[101,120]]', AGORA]);
    assert.ok(
      (bloco.bloqueada_ate ?? 0) > AGORA + HORA_MS && (bloco.proxima_em ?? 0) > (bloco.bloqueada_ate ?? 0),
    );
    const menor = depois({ codigo: '656', ultNsu: 90 });
    assert.deepEqual([menor.ult_nsu, menor.lacunas, menor.outro_programa_em], [100, '[]', null]);
    const segunda = depois({ codigo: '656', ultNsu: 100 }, { ultima_resposta: '656', erros_seguidos: 1 });
    assert.ok((segunda.bloqueada_ate ?? 0) > AGORA + 2 * HORA_MS);
    const muitas = depois({ codigo: '656' }, { ultima_resposta: '656', erros_seguidos: 9 });
    assert.ok((muitas.bloqueada_ate ?? 0) <= AGORA + ESPERA_MAXIMA_MS);
  });

  it('656 to the first call of all leaves out what another program had before', () => {
    const primeira = depois(
      { codigo: '656', ultNsu: 5_000 },
      { ult_nsu: 0, primeira_em: AGORA, ultima_em: AGORA },
    );
    assert.deepEqual([primeira.ult_nsu, primeira.lacunas], [5_000, '[]']);
  });

  it('that our message is wrong, or the number is not of this CNPJ, stops until a person looks', () => {
    for (const codigo of ['589', '214', '215', '238', '239', '402', '404']) {
      const parada = depois({ codigo });
      assert.deepEqual([parada.parada, parada.parada_certificado], [codigo, null]);
      assert.equal(podePagina(parada, AGORA + 24 * HORA_MS).pode, false);
    }
  });

  it('about the certificate stops until there is another one', () => {
    for (const codigo of [
      '280',
      '281',
      '282',
      '283',
      '284',
      '285',
      '472',
      '473',
      '593',
      'certificado_nao_abre',
    ])
      assert.deepEqual([depois({ codigo }).parada, depois({ codigo }).parada_certificado], [codigo, 'a1']);
    const refused = { codigo: 'certificado_recusado', enviado: false };
    assert.equal(depois(refused).parada, null);
    assert.equal(depois(refused, { erros_seguidos: 2 }).parada, 'certificado_recusado');
  });

  it('that SEFAZ could not ask whether the certificate is revoked is its own trouble: another try in an hour', () => {
    const depoisDe = depois({ codigo: '286' });
    assert.deepEqual([depoisDe.parada, umaHora(depoisDe)], [null, true]);
  });

  it('that a single number is not there yet is told as nothing new', () => {
    const pergunta = { tipo: 'consNSU', nsu: 101 } as const;
    const fim = depois(
      { codigo: '589', motivo: 'NSU superior', pergunta },
      { recuperar_ate: 150, ult_nsu: 100 },
    );
    assert.deepEqual([fim.recuperar_ate, fim.ultima_resposta, fim.ultimo_motivo], [null, '137', '']);
  });

  it('that the service is out is tried again, each time later', () => {
    for (const codigo of ['108', '109', 'http_503', 'E1217', 'E1206'])
      assert.deepEqual(
        [0, 1, 2, 3].map((erros_seguidos) => espera(depois({ codigo }, { erros_seguidos }))),
        [15, 30, 60, 60],
      );
  });

  it('that never reached the service costs five minutes, each time more', () => {
    for (const codigo of [
      'sem_conexao',
      'prazo_de_conexao',
      'servidor_desconhecido',
      'servidor_vencido',
      'tls',
    ])
      assert.deepEqual(
        [0, 1, 2, 3, 4].map((erros_seguidos) =>
          espera(depois({ codigo, enviado: false }, { erros_seguidos })),
        ),
        [5, 10, 20, 40, 60],
      );
  });

  it('that was lost on its way counts as the worst: an hour, and its numbers one by one', () => {
    for (const codigo of ['prazo_de_resposta', 'interrompida', 'resposta_grande', 'http_500', 'http_502']) {
      const perdida = depois({ codigo });
      assert.deepEqual([perdida.recuperar_ate, umaHora(perdida)], [150, true], codigo);
    }
    for (const codigo of ['999', 'http_403', '12345']) assert.ok(umaHora(depois({ codigo })), codigo);
  });

  it('429 waits for as long as it says, at least a minute, at most an hour', () => {
    const wait = (esperarSegundos: number | null) =>
      espera(depois({ codigo: 'http_429', esperarSegundos }, { servico: 'nfse' }));
    assert.deepEqual([wait(300), wait(1), wait(99_999), wait(null)], [5, 1, 60, 1]);
  });

  it('of the ADN with documents is followed by another until there is nothing', () => {
    const lote = depois({ codigo: '138', ultNsu: 130, maxNsu: 130, documentos: 30 }, { servico: 'nfse' });
    assert.deepEqual([lote.ult_nsu, (lote.proxima_em ?? 0) - AGORA], [130, 3_000]);
    assert.ok(umaHora(depois({ codigo: '137' }, { servico: 'nfse' })));
  });

  it('of the SAE moves the date: 101 goes on at once, 100 is the end', () => {
    const desde = { servico: 'nfce' as const, marco: '2026-11-01T10:00' };
    const mais = depois({ codigo: '101', marco: '2026-11-02T10:00' }, desde);
    assert.deepEqual([mais.marco, mais.max_nsu > mais.ult_nsu], ['2026-11-02T10:00', true]);
    assert.ok((mais.proxima_em ?? 0) - AGORA < MINUTO);
    const fim = depois({ codigo: '100', marco: '2026-11-03T10:00' }, desde);
    assert.deepEqual([fim.marco, fim.max_nsu > fim.ult_nsu, umaHora(fim)], ['2026-11-03T10:00', false, true]);
  });

  it('to one key says whether it can be had at all', () => {
    for (const codigo of ['217', '236', '614', '618', '632', '640', '641', '653', '654'])
      assert.equal(depois({ pergunta: { tipo: 'consChave' }, codigo }).erros_seguidos, 0);
  });
});

describe('single documents', () => {
  const consultas = (n: number) => JSON.stringify(Array.from({ length: n }, (_, at) => AGORA - at * MINUTO));
  const pode = (n: number, porPessoa: boolean) =>
    podeConsulta(estado({ consultas: consultas(n) }), { agora: AGORA, porPessoa }).pode;

  it('are twenty an hour, of which five are kept for people', () => {
    const semPessoas = CONSULTAS_POR_HORA - RESERVA_DE_PESSOAS;
    assert.deepEqual([pode(semPessoas - 1, false), pode(semPessoas, false)], [true, false]);
    assert.deepEqual([pode(CONSULTAS_POR_HORA - 1, true), pode(CONSULTAS_POR_HORA, true)], [true, false]);
  });

  it('are not asked for while the service blocks, whoever wants them', () => {
    const bloqueada = estado({ bloqueada_ate: AGORA + 1 });
    for (const porPessoa of [false, true]) {
      const answer = podeConsulta(bloqueada, { agora: AGORA, porPessoa });
      assert.deepEqual(answer, { pode: false, motivo: 'bloqueada', quando: AGORA + 1 });
    }
  });
});

describe('a clock that was wrong', () => {
  it('and wrote a time that is too far ahead costs an hour from now, not years', () => {
    const longe = estado({ proxima_em: AGORA + 3 * 365 * 24 * HORA_MS, consultas: `[${AGORA + HORA_MS}]` });
    const set = corrigirFuturo(longe, AGORA);
    assert.ok((set?.proxima_em ?? 0) > AGORA + HORA_MS && (set?.proxima_em ?? 0) < AGORA + 2 * HORA_MS);
    assert.equal(set?.consultas, `[${AGORA}]`);
    assert.equal(corrigirFuturo(estado(), AGORA), null);
  });
});

describe('clients', () => {
  it('are spread over four minutes, each always to the same place', () => {
    const places = Array.from({ length: 300 }, (_, at) => espalhamento(`nfe ${at}`));
    assert.deepEqual(
      places,
      Array.from({ length: 300 }, (_, at) => espalhamento(`nfe ${at}`)),
    );
    const quarters = [0, 1, 2, 3].map((at) => places.filter((ms) => Math.floor(ms / MINUTO) === at).length);
    assert.ok(Math.min(...quarters) > 45, quarters.join());
  });
});
