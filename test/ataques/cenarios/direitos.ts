/** What was made for somebody with wider rights is not for the same person with narrower ones. */
import { openSessao } from '../../../src/console/sessao/sessoes.ts';
import { answerOnce } from '../../support/espera.ts';
import { withDeps } from '../../support/malote.ts';
import { send } from '../../support/pedido.ts';
import type { Ataque } from '../ataque.ts';
import type { Campo } from '../campo.ts';

const ANSWER_WITHIN_MS = 30_000;

async function novaSessao(campo: Campo, usuarioId: number): Promise<string> {
  const { contadorId } = campo.atacante;
  const { valor } = await withDeps(campo.pasta, ({ db, clock }) =>
    db.write
      .transaction()
      .execute((trx) =>
        openSessao(trx, { contadorId, usuarioId, ip: '127.0.0.1', agente: 'ataque', agora: clock.now() }),
      ),
  );
  return `__Host-malote=${valor}`;
}

export const direitos: Ataque = {
  nome: 'direitos',
  titulo: 'exportação feita com mais direitos, buscada com menos',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const { atacante } = campo;
    const notas = Array.from({ length: campo.quanto(5, 100) }, (_, n) => ({
      nome: `${n}.xml`,
      bytes: atacante.proximaNota().bytes,
    }));
    await campo.envios.importar(notas);
    const outraEmpresa = await atacante.outroCliente(campo.pasta);
    const admin = await campo.pessoa(atacante);
    const operador = await campo.pessoa(atacante, { papel: 'operador' });
    return async () => {
      const asked = await operador.ask('/exportacoes', { method: 'POST', json: { tipo: 'csv' } });
      const { id } = asked.body;
      await answerOnce('the export is made', {
        ask: async () => (await operador.ask(`/exportacoes/${id}`)).body.estado,
        is: (estado) => estado === 'pronta',
      });
      const moved = await admin.ask(`/usuarios/${operador.usuarioId}`, {
        method: 'PUT',
        json: { papel: 'cliente', clientes: [outraEmpresa] },
      });
      const cookie = await novaSessao(campo, operador.usuarioId);
      const answer = await send({
        method: 'GET',
        url: `${campo.servico.url}/console/api/exportacoes/${id}/arquivo`,
        headers: [['Cookie', cookie]],
        withinMs: ANSWER_WITHIN_MS,
      });
      const lines = answer.status === 200 ? answer.text.trimEnd().split('\n').length - 1 : 0;
      return {
        feito: `um CSV de ${notas.length} notas, feito por um operador que depois vê só outra empresa`,
        medido: `a mudança respondeu ${moved.status}, o arquivo ${answer.status}`,
        faltas: lines > 0 ? [`${lines} linhas de outra empresa foram entregues`] : [],
      };
    };
  },
};
