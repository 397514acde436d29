/** R16: events before their documents, everything in a drawn order and twice; the status in the end is the right one. */
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { generateCenario } from '../../../src/gerador/cenario.ts';
import { empacotar } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';

export const ordem: Cenario = {
  id: 'R16',
  titulo: 'eventos antes dos documentos, em dobro e em ordem sorteada',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['postgres'],
  async rodar(contexto) {
    const cenario = generateCenario({
      semente: `${contexto.semente}/r16`,
      clientes: 3,
      documentos: quanto(contexto, 140, 8_000),
      inicio: '2026-03-01',
      meses: 1,
      outras: quanto(contexto, 40, 400),
    });
    const itens = [...cenario.documentos];
    const sorte = new Aleatorio(`${contexto.semente}/r16`);
    const eventsFirst = [...itens.filter(({ evento }) => evento), ...itens.filter(({ evento }) => !evento)];
    const arquivos = [
      ...(await empacotar(eventsFirst, { porArquivo: 20, prefixo: 'eventos' })),
      ...(await empacotar(sorte.shuffled(itens), { porArquivo: 35, prefixo: 'sorteio' })),
    ];
    const clientes = cenario.empresas.map(({ id }) => id);
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa: { clientes } });
    await bancada.iniciar();
    await bancada.enviarTodos(arquivos, 6);
    // An event of which no client is known before its document comes is held, and its file says so.
    const violacoes = await bancada.concluir({ finais: ['Uploaded', 'Com Erro'] });
    let checked = 0;
    for (const item of itens) {
      const [cliente] = item.clientes;
      if (item.evento || item.tipo === 'Inutilizacao' || !cliente) continue;
      const found = await statusDe(bancada, { chave: item.chave, cliente });
      const expected = cenario.esperado.statusDe(item.chave);
      checked += 1;
      if (found !== expected) {
        const detalhe = `${item.chave} está ${found}, deveria estar ${expected}`;
        violacoes.push({ regra: 'R16', detalhe } satisfies Violacao);
      }
    }
    return {
      feito: `${itens.length} documentos e eventos, cada um duas vezes, em ${arquivos.length} arquivos`,
      medido: `${checked} status conferidos`,
      violacoes,
    };
  },
};

async function statusDe(
  { sonda, escritorio }: Bancada,
  input: { chave: string; cliente: string },
): Promise<string> {
  const path = `/api/v1/${escritorio.codigoCrm}/${input.cliente}/documentos/${input.chave}/chave`;
  const { body } = await sonda.pedir(path, { token: escritorio.token });
  return body.status;
}
