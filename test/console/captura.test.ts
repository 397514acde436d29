/** Why nothing came, and what is declared to SEFAZ, in a real browser: each cause as rows of the database tell it. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Insertable } from 'kysely';
import type { Servico, TabelaCapturaEstado } from '../../src/banco/tabelas-captura.ts';
import { chaveDe } from '../../src/fiscal/amostras-de-teste.ts';
import { type Empresa, generateEmpresa } from '../../src/gerador/empresas.ts';
import { perguntar } from '../support/console-mundo.ts';
import { adoptEscritorio } from '../support/escritorio.ts';
import { createCliente, withDeps } from '../support/malote.ts';
import { SEM_NAVEGADOR } from '../support/navegador.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AGORA = Date.now();

type Estado = Partial<Omit<Insertable<TabelaCapturaEstado>, 'cpf_cnpj' | 'servico' | 'ambiente'>>;

interface Caso {
  servico: Servico;
  passiva?: true;
  /** Days that the certificate is valid still; null: there is none. */
  certificadoDias?: number | null;
  titular?: string;
  uf?: string;
  estado?: Estado | null;
  titulo: RegExp;
  diz: RegExp;
  fazer: RegExp;
}

/** A sequence that works, one call ago. */
const BOA = {
  ult_nsu: 120,
  max_nsu: 120,
  proxima_em: AGORA + HOUR,
  primeira_em: AGORA - 90 * DAY,
  ultima_em: AGORA - HOUR / 2,
  ultima_ok_em: AGORA - HOUR / 2,
  ultima_vazia_em: AGORA - HOUR / 2,
  ultimo_documento_em: AGORA - HOUR,
  ultima_resposta: '137',
  documentos: 120,
};

const CASOS: Readonly<Record<string, Caso>> = {
  'nada novo': {
    servico: 'nfe',
    titulo: /Em dia, nada novo/,
    diz: /não tinha documento novo/,
    fazer: /hora em hora/,
  },
  'sem certificado': {
    servico: 'nfe',
    certificadoDias: null,
    estado: null,
    titulo: /Falta o certificado/,
    diz: /Não há certificado A1/,
    fazer: /ficha dele/,
  },
  'certificado vencido': {
    servico: 'nfe',
    certificadoDias: -5,
    titulo: /Certificado vencido há/,
    diz: /desde então nada pode ser buscado/,
    fazer: /certificado novo/,
  },
  'certificado de outro': {
    servico: 'nfe',
    titular: '11222333000181',
    titulo: /outra empresa/,
    diz: /mesma raiz de CNPJ/,
    fazer: /próprio cliente/,
  },
  'certificado recusado': {
    servico: 'nfe',
    estado: { parada: '284', parada_certificado: 'desta', ultima_resposta: '284' },
    titulo: /Certificado recusado/,
    diz: /foi revogado/,
    fazer: /certificado A1 válido/,
  },
  'parada até alguém': {
    servico: 'cte',
    estado: { parada: '589', ultima_resposta: '589' },
    titulo: /Parada até alguém decidir/,
    diz: /maior que o último/,
    fazer: /recomece a sequência/,
  },
  'modo passivo': {
    servico: 'nfe',
    passiva: true,
    titulo: /Modo passivo/,
    diz: /Outro programa captura/,
    fazer: /volte a consultar/,
  },
  bloqueada: {
    servico: 'nfe',
    estado: {
      bloqueada_ate: AGORA + HOUR,
      bloqueios: 1,
      erros_seguidos: 1,
      ultima_resposta: '656',
      outro_programa_em: AGORA - 60_000,
    },
    titulo: /Bloqueada até \d\d:\d\d/,
    diz: /outro programa está consultando/,
    fazer: /modo passivo/,
  },
  'fora do ar': {
    servico: 'nfse',
    estado: { erros_seguidos: 4, ultima_resposta: 'http_503' },
    titulo: /4 falhas seguidas/,
    diz: /fora do ar/,
    fazer: /tenta de novo sozinho/,
  },
  'sem rede': {
    servico: 'cte',
    estado: { erros_seguidos: 3, ultima_resposta: 'sem_conexao' },
    titulo: /3 falhas seguidas/,
    diz: /não conseguiu se conectar/,
    fazer: /firewall/,
  },
  'geração parada': {
    servico: 'nfe',
    estado: { ultima_ok_em: AGORA - 70 * DAY },
    titulo: /parou de guardar/,
    diz: /70 dias/,
    fazer: /importe-os/,
  },
  'vai parar': {
    servico: 'cte',
    estado: { ultima_ok_em: AGORA - 50 * DAY },
    titulo: /Faltam 10 dias/,
    diz: /50 dias/,
    fazer: /antes disso/,
  },
  'outro programa': {
    servico: 'nfe',
    estado: { outro_programa_em: AGORA - HOUR },
    titulo: /Outro programa consulta/,
    diz: /um a um/,
    fazer: /um só programa/,
  },
  'vence em breve': {
    servico: 'nfe',
    certificadoDias: 6,
    titulo: /vence em [67] dias/,
    diz: /vale até/,
    fazer: /Renove-o/,
  },
  'nunca consultada': {
    servico: 'nfse',
    estado: null,
    titulo: /primeira consulta/,
    diz: /ainda não foi feita/,
    fazer: /alguns minutos/,
  },
  atrasada: {
    servico: 'nfe',
    estado: { max_nsu: 5_120 },
    titulo: /faltam 5\.000/,
    diz: /50 por vez/,
    fazer: /continua sozinho/,
  },
  'começou hoje': {
    servico: 'cte',
    estado: { documentos: 0, ultimo_documento_em: null },
    titulo: /nada veio ainda/,
    diz: /nada do que é anterior/,
    fazer: /importação/,
  },
  'só em São Paulo': {
    servico: 'nfce',
    uf: 'PR',
    titulo: /Só existe em São Paulo/,
    diz: /é de PR/,
    fazer: /Importe/,
  },
};

describe('capture in the console', { skip: SEM_NAVEGADOR }, () => {
  // Nothing leaves the machine: what the services said stands in the rows.
  const escritorio = adoptEscritorio({ MALOTE_CAPTURA: '0' });
  const { ir, dialogo } = escritorio;
  const empresas = new Map<string, Empresa>();
  const livre = generateEmpresa('captura/livre', { perfil: 'comercio', uf: 'SP' });

  before(() =>
    withDeps(escritorio.malote.dataFolder, async (deps) => {
      const { id: contadorId } = await deps.db.read
        .selectFrom('contador')
        .select('id')
        .executeTakeFirstOrThrow();
      await createCliente(deps, { contadorId, cpfCnpj: livre.id });
      for (const [nome, caso] of Object.entries(CASOS)) {
        const empresa = generateEmpresa(`captura/${nome}`, { perfil: 'comercio', uf: 'SP' });
        empresas.set(nome, empresa);
        const clienteId = await createCliente(deps, { contadorId, cpfCnpj: empresa.id });
        await deps.db.write
          .updateTable('cliente')
          .set({ nome: `Caso ${nome}` })
          .where('id', '=', clienteId)
          .execute();
        const { servico, estado, certificadoDias = 200 } = caso;
        await deps.db.write
          .insertInto('captura')
          .values({
            contador_id: contadorId,
            cliente_id: clienteId,
            servico,
            ligada: 1,
            passiva: caso.passiva ? 1 : 0,
            mudada_em: AGORA - 90 * DAY,
            mudada_por: 'cli',
          })
          .execute();
        if (certificadoDias !== null) {
          await deps.db.write
            .insertInto('certificado')
            .values({
              id: nome,
              contador_id: contadorId,
              cliente_id: clienteId,
              versao: 1,
              chave_selada: null,
              kid: null,
              selado: null,
              titular: caso.titular ?? empresa.id,
              titular_nome: empresa.nome,
              serie: '1',
              impressao: 'desta',
              uf: caso.uf ?? 'SP',
              valido_de: AGORA - 300 * DAY,
              valido_ate: AGORA + certificadoDias * DAY + HOUR,
              criado_em: AGORA,
              substituido_em: null,
              avisado_dias: null,
            })
            .execute();
        }
        if (estado === null) continue;
        await deps.db.write
          .insertInto('captura_estado')
          .values({ cpf_cnpj: empresa.id, servico, ambiente: 1, ...BOA, ...estado })
          .execute();
      }
    }),
  );

  it('lists the worst first, and the first page tells them', async () => {
    const { page } = escritorio.navegador;
    await ir('/captura', 'Captura');
    await page.getByText('18 clientes').waitFor();
    const [primeira] = await page.getByRole('row').filter({ hasText: 'Caso' }).allInnerTexts();
    assert.match(primeira ?? '', /certificado|parada|parou|Parada|Só existe|Falta/);
    await page.getByRole('radiogroup').getByText('Com problema').click();
    await page.getByRole('row').filter({ hasText: 'Caso nada novo' }).waitFor({ state: 'detached' });
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
    await ir('/', 'Início');
    await page.getByText(/Captura: \d+ clientes pedem atenção/).waitFor();
    await page.getByRole('link', { name: /Ver os \d+/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Captura' }).waitFor();
  });

  for (const [nome, { titulo, diz, fazer }] of Object.entries(CASOS)) {
    it(`says why nothing came, and what to do: ${nome}`, async () => {
      const { page } = escritorio.navegador;
      const { id = '' } = empresas.get(nome) ?? {};
      await ir(`/captura/${id}`, `Captura de Caso ${nome}`);
      const alerta = page.getByRole('alert').filter({ hasText: titulo });
      await alerta
        .filter({ hasText: diz })
        .filter({ hasText: /O que fazer:/ })
        .filter({ hasText: fazer })
        .first()
        .waitFor();
    });
  }

  it('is turned on only after what it does was said and the client’s consent confirmed', async () => {
    const { page } = escritorio.navegador;
    await ir(`/captura/${livre.id}`, `Captura de Cliente ${livre.id}`);
    const nfe = page.getByRole('region', { name: /^NF-e/ });
    await nfe.getByText('Captura desligada').waitFor();
    await nfe.getByRole('button', { name: 'Ligar a captura' }).click();
    await dialogo().getByText('se apresenta ao serviço com o certificado A1').waitFor();
    const ligar = dialogo().getByRole('button', { name: 'Ligar', exact: true });
    assert.equal(await ligar.isDisabled(), true);
    await dialogo()
      .getByLabel(/O cliente consentiu/)
      .check();
    await ligar.click();
    await nfe.getByText('Falta o certificado').waitFor();
    await nfe.getByRole('button', { name: 'Capturar agora' }).click();
    await nfe.getByText('A consulta sai em instantes.').waitFor();
    await nfe.getByRole('button', { name: 'Modo passivo' }).click();
    await dialogo().getByRole('button', { name: 'Pôr em modo passivo' }).click();
    await nfe.getByRole('button', { name: 'Voltar a consultar' }).waitFor();
    await nfe.getByRole('button', { name: 'Desligar' }).click();
    await dialogo().getByText('60 dias sem consulta').waitFor();
    await dialogo().getByRole('button', { name: 'Desligar' }).click();
    await nfe.getByText('Captura desligada').waitFor();
    const { body } = await perguntar(escritorio.malote, escritorio.cookie, '/auditoria?Tamanho=20');
    const atos = (body.itens as { ato: string }[])
      .map(({ ato }) => ato)
      .filter((ato) => ato.startsWith('captura.'));
    assert.deepEqual(atos.toReversed(), ['captura.ligada', 'captura.passiva', 'captura.desligada']);
    assert.deepEqual(await escritorio.navegador.violacoes(), []);
  });

  it('declares to SEFAZ what somebody chose after reading what it means, and tells the terms', async () => {
    const { page } = escritorio.navegador;
    const chaves = [1, 2].map((numero) => chaveDe({ numero: String(numero) }));
    await withDeps(escritorio.malote.dataFolder, async (deps) => {
      const quem = await deps.db.read
        .selectFrom('cliente')
        .select(['id', 'contador_id'])
        .where('cpf_cnpj', '=', livre.id)
        .executeTakeFirstOrThrow();
      const comum = {
        contador_id: quem.contador_id,
        cliente_id: quem.id,
        ambiente: 1,
        emitente: '31313131000152',
        emitente_nome: 'Fornecedora Aurora',
        valor: '1234.50',
        situacao: 'Autorizada',
        visto_em: AGORA,
      };
      await deps.db.write
        .insertInto('resumo_de_nota')
        .values([
          {
            ...comum,
            chave: chaves[0] ?? '',
            emitida_em: AGORA - 2 * DAY,
            autorizada_em: AGORA - 2 * DAY + HOUR,
          },
          {
            ...comum,
            chave: chaves[1] ?? '',
            emitida_em: AGORA - 40 * DAY,
            autorizada_em: AGORA - 40 * DAY + HOUR,
          },
        ])
        .execute();
    });
    await ir(`/captura/${livre.id}`, `Captura de Cliente ${livre.id}`);
    await page.getByRole('button', { name: 'Manifestação' }).click();
    const nova = page.getByRole('row').filter({ hasText: chaves[0] ?? '' });
    const velha = page.getByRole('row').filter({ hasText: chaves[1] ?? '' });
    await nova.getByText('8 dias', { exact: true }).waitFor();
    await velha.getByText('50 dias', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Selecionar todas as linhas à vista' }).check();
    await page.getByRole('button', { name: 'Manifestar' }).click();
    const enviar = dialogo().getByRole('button', { name: 'Enviar à SEFAZ' });
    await dialogo().getByLabel('Operação não Realizada').check();
    await dialogo().getByText('não se realizou').waitFor();
    await dialogo()
      .getByLabel(/Li o que significa/)
      .check();
    assert.equal(await enviar.isDisabled(), true, 'without a reason');
    await dialogo().getByLabel('Ciência da Operação').check();
    await dialogo().getByText('sem dizer se a operação aconteceu').waitFor();
    await enviar.click();
    await dialogo()
      .getByText(/prazo de "Ciência da Operação" é de 10 dias/)
      .waitFor();
    await dialogo().getByRole('button', { name: 'Cancelar' }).click();
    await nova.getByText('Ciência da Operação: pedida, espera o envio').waitFor();
    await page.getByRole('tab', { name: 'Pedidas e registradas' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: chaves[0] ?? '' })
      .getByText('espera o envio')
      .waitFor();
    assert.equal(
      await page
        .getByRole('row')
        .filter({ hasText: chaves[1] ?? '' })
        .count(),
      0,
    );
    assert.deepEqual(await escritorio.navegador.faltasDeAcesso(), []);
  });
});
