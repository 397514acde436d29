/** HTTP of the first page. */
import { estadoDaAgenda } from '../../copia/agenda.ts';
import { esquemasMudaramEm } from '../../importacao/standards/pasta-dos-esquemas.ts';
import { alcanceDaConsulta, type ConsoleHttp, sessaoOf } from '../contexto.ts';
import type { AddRoute } from '../rota.ts';
import { countMaisNovosQueOEsquema } from '../saude/queries-saude.ts';
import { isDaInstalacao } from '../saude/routes-saude.ts';
import { comInstantes, type Processo } from '../saude/saude.ts';
import { Habitos } from './habito.ts';
import { Faltas, inicioDe } from './inicio.ts';
import { Inicio, InicioQuery } from './schemas-inicio.ts';

/** The page does not wait longer for what is counted beside it. */
const ESPERA_MS = 150;

export function inicioRoutes(route: AddRoute, { deps, processo }: ConsoleHttp): void {
  const faltas = new Faltas();
  const habitos = new Habitos();
  route(
    {
      rota: 'GET /inicio',
      resumo: 'A página inicial: o que houve, e o que pede atenção',
      descricao:
        '`faltantes` é null enquanto é contado pela primeira vez. De quem vê só algumas empresas não vêm os números do escritório.',
      querystring: InicioQuery,
      resposta: Inicio,
      codigos: ['cpf_cnpj_invalido', 'dados_invalidos', 'parametro_repetido', 'cliente_nao_encontrado'],
    },
    async (request) => {
      const sessao = sessaoOf(request);
      const { cliente, dias } = request.query;
      const alcance = await alcanceDaConsulta(deps, { sessao, cliente });
      const agora = deps.clock.now();
      const escopo = { contadorId: sessao.contadorId, alcance };
      return {
        ...(await inicioDe(deps.db.read, { ...escopo, agora, dias, habitos })),
        maisNovosQueOEsquema:
          alcance === null
            ? await countMaisNovosQueOEsquema(deps.db.read, {
                contadorId: sessao.contadorId,
                desde: esquemasMudaramEm(deps.config.dataFolder),
              })
            : null,
        instalacao:
          alcance === null && sessao.usuario.papel === 'administrador'
            ? await instalacaoDe(deps, { processo, contadorId: sessao.contadorId })
            : null,
        faltantes: await faltas.get(deps.db.read, { ...escopo, agora, esperaMs: ESPERA_MS }),
      };
    },
  );
}

/** What who runs the server should see; null for other offices. */
async function instalacaoDe(
  deps: ConsoleHttp['deps'],
  { processo, contadorId }: { processo: Processo; contadorId: number },
) {
  if (!(await isDaInstalacao(deps, contadorId))) return null;
  return { agenda: comInstantes(await estadoDaAgenda(deps)), versaoNova: processo.versaoNova() };
}
