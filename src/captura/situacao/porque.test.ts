import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Causa } from './causas.ts';
import { porQueNadaVeio, proximaDe } from './porque.ts';
import type { EstadoDaSequencia, Situacao } from './situacao.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const AGORA = Date.parse('2026-10-20T15:30:00Z');
const ESTADO: EstadoDaSequencia = {
  ultNsu: 120,
  maxNsu: 120,
  proximaEm: AGORA + HOUR / 2,
  recuperaEm: null,
  bloqueadaAte: null,
  parada: null,
  paradaCertificado: null,
  errosSeguidos: 0,
  primeiraEm: AGORA - 100 * DAY,
  ultimaEm: AGORA - HOUR / 2,
  ultimaOkEm: AGORA - HOUR / 2,
  ultimaVaziaEm: AGORA - HOUR / 2,
  ultimoDocumentoEm: AGORA - DAY,
  ultimaResposta: '137',
  ultimoMotivo: 'Nenhum documento localizado',
  outroProgramaEm: null,
  bloqueios: 0,
  documentos: 120,
};
const CERTIFICADO = {
  validoDe: AGORA - 200 * DAY,
  validoAte: AGORA + 165 * DAY,
  impressao: 'aa',
  doCliente: true,
};

function situacao(
  outros: Omit<Partial<Situacao>, 'estado'> & { estado?: Partial<EstadoDaSequencia> | null } = {},
): Situacao {
  const { estado = {}, ...resto } = outros;
  return {
    servico: 'nfe',
    agora: AGORA,
    consentimento: { ligada: true, passiva: false, mudadaEm: AGORA - 100 * DAY },
    certificado: CERTIFICADO,
    uf: 'SP',
    descansoAte: null,
    municipio: null,
    silencio: null,
    ...resto,
    estado: estado && { ...ESTADO, ...estado },
  };
}

const LIGADA = { ligada: true, passiva: false, mudadaEm: AGORA - DAY };
const CASOS: Record<Causa, { de: Situacao; diz: RegExp; fazer: RegExp }> = {
  nao_ligada: { de: situacao({ consentimento: null }), diz: /não ligou/, fazer: /ligue a captura/ },
  uf_sem_servico: {
    de: situacao({ servico: 'nfce', uf: 'PR' }),
    diz: /São Paulo, e este cliente é de PR/,
    fazer: /Importe/,
  },
  sem_certificado: { de: situacao({ certificado: null }), diz: /Não há certificado/, fazer: /Envie/ },
  certificado_vencido: {
    de: situacao({ certificado: { ...CERTIFICADO, validoAte: AGORA - 3 * DAY } }),
    diz: /venceu em 17\/10\/2026/,
    fazer: /continua sozinha/,
  },
  certificado_futuro: {
    de: situacao({ certificado: { ...CERTIFICADO, validoDe: AGORA + 3 * DAY } }),
    diz: /a partir de 23\/10\/2026/,
    fazer: /Espere/,
  },
  certificado_de_outro: {
    de: situacao({ certificado: { ...CERTIFICADO, doCliente: false } }),
    diz: /mesma raiz/,
    fazer: /próprio cliente/,
  },
  certificado_recusado: {
    de: situacao({ estado: { parada: '284', paradaCertificado: 'aa', ultimaResposta: '284' } }),
    diz: /revogado/,
    fazer: /Envie um certificado/,
  },
  parada: {
    de: situacao({ estado: { parada: '589', ultimaResposta: '589' } }),
    diz: /maior que o último/,
    fazer: /recomece a sequência\. Resolvido isso, use "Capturar agora"; até lá o Malote não consulta\.$/,
  },
  passiva: {
    de: situacao({ consentimento: { ...LIGADA, passiva: true } }),
    diz: /não consulte/,
    fazer: /volte a consultar/,
  },
  bloqueada: {
    de: situacao({
      estado: { bloqueadaAte: AGORA + HOUR, ultimaResposta: '656', errosSeguidos: 1, outroProgramaEm: AGORA },
    }),
    diz: /até 13:30, por consumo indevido: outro programa/,
    fazer: /modo passivo/,
  },
  servico_descansa: {
    de: situacao({ servico: 'nfce', descansoAte: AGORA + HOUR, estado: { proximaEm: AGORA - 5 * HOUR } }),
    diz: /recusou a de outro cliente.*antes das 13:30/,
    fazer: /continua sozinha/,
  },
  sem_vez: {
    de: situacao({ estado: { proximaEm: AGORA - 2 * HOUR } }),
    diz: /desde 10:30, e nenhum processo/,
    fazer: /MALOTE_CAPTURA=1/,
  },
  com_erros: {
    de: situacao({ estado: { errosSeguidos: 3, ultimaResposta: 'http_503' } }),
    diz: /fora do ar.*3 vezes/,
    fazer: /sozinho.* Próxima consulta: 13:00\.$/,
  },
  geracao_parada: {
    de: situacao({ estado: { ultimaOkEm: AGORA - 61 * DAY } }),
    diz: /61 dias/,
    fazer: /desde 19\/10\/2026/,
  },
  vai_parar: {
    de: situacao({ estado: { ultimaOkEm: AGORA - 45 * DAY } }),
    diz: /45 dias/,
    fazer: /antes disso/,
  },
  fora_do_nacional: {
    de: situacao({ servico: 'nfse', municipio: { nome: 'Anápolis', compartilha: false } }),
    diz: /Anápolis não está/,
    fazer: /prefeitura/,
  },
  outro_programa: {
    de: situacao({ estado: { outroProgramaEm: AGORA - HOUR } }),
    diz: /20\/10\/2026 às 11:30/,
    fazer: /um só programa/,
  },
  certificado_vencendo: {
    de: situacao({ certificado: { ...CERTIFICADO, validoAte: AGORA + 7 * DAY } }),
    diz: /27\/10\/2026/,
    fazer: /Renove/,
  },
  nunca_consultada: { de: situacao({ estado: null }), diz: /ainda não foi feita/, fazer: /minutos/ },
  atrasada: { de: situacao({ estado: { maxNsu: 5_120 } }), diz: /5\.000 documentos/, fazer: /sozinho/ },
  silencio: {
    de: situacao({ silencio: { dias: 12, habitoDias: 2 } }),
    diz: /12 dias.*2 dias/,
    fazer: /Pergunte ao cliente/,
  },
  comecou: {
    de: situacao({ estado: { documentos: 0, ultimoDocumentoEm: null } }),
    diz: /nada do que é anterior/,
    fazer: /importação/,
  },
  nada_novo: { de: situacao(), diz: /não tinha documento novo/, fazer: /hora em hora/ },
  em_dia: {
    de: situacao({ estado: { ultimaVaziaEm: AGORA - DAY, ultimaResposta: '138' } }),
    diz: /buscou tudo/,
    fazer: /Nada/,
  },
};

describe('why nothing came', () => {
  for (const [causa, { de, diz, fazer }] of Object.entries(CASOS)) {
    it(`is told: ${causa}`, () => {
      const [porque] = porQueNadaVeio(de);
      assert.equal(porque.causa, causa);
      assert.match(porque.diz, diz);
      assert.match(porque.fazer, fazer);
      for (const text of [porque.diz, porque.fazer]) assert.match(text, /^[A-ZÁÉÍÓÚÂÊÔÃÕ].*\.$/su);
      assert.doesNotMatch(`${porque.titulo} ${porque.diz} ${porque.fazer}`, /undefined|null|NaN|Invalid|NSU/);
    });
  }

  it('is at all services told of the service that is asked', () => {
    for (const servico of ['nfe', 'cte', 'nfse', 'nfce'] as const) {
      const [porque] = porQueNadaVeio(situacao({ servico }));
      assert.equal(porque.causa, 'nada_novo', servico);
    }
    // Neither the ADN nor the SAE stops after 60 days.
    const [porque] = porQueNadaVeio(situacao({ servico: 'nfse', estado: { ultimaOkEm: AGORA - 70 * DAY } }));
    assert.equal(porque.causa, 'em_dia');
  });

  it('is the first thing to know; what else is wrong is told beside it', () => {
    const [porque, ...outras] = porQueNadaVeio(
      situacao({
        certificado: { ...CERTIFICADO, validoAte: AGORA - 70 * DAY },
        estado: { ultimaOkEm: AGORA - 71 * DAY, outroProgramaEm: AGORA - HOUR, maxNsu: 900 },
      }),
    );
    assert.equal(porque.causa, 'certificado_vencido');
    assert.match(porque.diz, /parou de separar documentos em 09\/10\/2026/);
    assert.deepEqual(
      outras.map(({ causa }) => causa),
      ['geracao_parada', 'outro_programa'],
    );
  });

  it('is never a stop that another certificate has lifted, nor a block that is over', () => {
    const novo = situacao({ estado: { parada: '281', paradaCertificado: 'o de antes' } });
    assert.equal(porQueNadaVeio(novo)[0].causa, 'nada_novo');
    assert.equal(porQueNadaVeio(situacao({ estado: { bloqueadaAte: AGORA - 1 } }))[0].causa, 'nada_novo');
  });

  it('is a rest of the service for who waits for it, beside what is worse, and not for who is blocked itself', () => {
    const causas = (mais: Parameters<typeof situacao>[0]) =>
      porQueNadaVeio(situacao({ servico: 'nfce', descansoAte: AGORA + HOUR, ...mais })).map(
        ({ causa }) => causa,
      );
    assert.deepEqual(causas({ estado: { bloqueadaAte: AGORA + HOUR } }), ['bloqueada']);
    const vencendo = { ...CERTIFICADO, validoAte: AGORA + 7 * DAY };
    assert.deepEqual(causas({ certificado: vencendo }), ['certificado_vencendo', 'servico_descansa']);
    assert.deepEqual(causas({ estado: null }), ['servico_descansa']);
    assert.deepEqual(causas({ descansoAte: AGORA - 1 }), ['nada_novo']);
  });

  it('of a client that is not captured says nothing else', () => {
    const tudo = situacao({
      consentimento: { ...LIGADA, ligada: false },
      certificado: null,
      estado: { parada: '589' },
    });
    assert.deepEqual(
      porQueNadaVeio(tudo).map(({ causa }) => causa),
      ['nao_ligada'],
    );
  });

  it('tells when the next call is, which a stop has none of, and what was lost on its way is asked for before', () => {
    const de = (estado: Partial<EstadoDaSequencia>) => proximaDe(situacao({ estado }));
    const perdida = { ultimaResposta: 'interrompida', errosSeguidos: 1, recuperaEm: AGORA + 300_000 };
    assert.equal(de({}), AGORA + HOUR / 2);
    assert.equal(de(perdida), AGORA + 300_000);
    assert.match(porQueNadaVeio(situacao({ estado: perdida }))[0].fazer, / Próxima consulta: 12:35\.$/);
    for (const codigo of ['589', '284']) assert.equal(de({ parada: codigo }), null);
    assert.equal(proximaDe(situacao({ estado: null })), null);
    const descanso = situacao({ servico: 'nfce', descansoAte: AGORA + HOUR });
    assert.equal(proximaDe(descanso), AGORA + HOUR);
  });

  it('asks for attention from the third error in a row, and not before', () => {
    const graves = [1, 2, 3, 9].map(
      (errosSeguidos) =>
        porQueNadaVeio(situacao({ estado: { errosSeguidos, ultimaResposta: 'prazo_de_resposta' } }))[0]
          .gravidade,
    );
    assert.deepEqual(graves, ['espera', 'espera', 'atencao', 'atencao']);
  });
});
