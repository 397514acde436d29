/** R15: the same documents three times, cut into other files each time, all at once. */
import { Aleatorio } from '../../../src/gerador/aleatorio.ts';
import { empacotar, generateRemessa } from '../../support/remessa.ts';
import { Bancada } from '../bancada.ts';
import { type Cenario, quanto } from '../cenario.ts';
import type { Violacao } from '../julgar.ts';

const VEZES = 3;

export const duplicados: Cenario = {
  id: 'R15',
  titulo: 'os mesmos documentos três vezes, em zips diferentes, em paralelo',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['postgres'],
  async rodar(contexto) {
    const remessa = await generateRemessa({
      semente: `${contexto.semente}/r15`,
      clientes: 3,
      documentos: quanto(contexto, 150, 10_000),
      porArquivo: 50,
    });
    const sorte = new Aleatorio(`${contexto.semente}/r15`);
    const arquivos = [];
    for (let time = 0; time < VEZES; time++) {
      const itens = sorte.shuffled(remessa.itens);
      arquivos.push(
        ...(await empacotar(itens, { porArquivo: 40 + time * 13, prefixo: `vez-${time}`, soZips: true })),
      );
    }
    await using bancada = await Bancada.abrir({ motor: contexto.motor, remessa });
    await bancada.iniciar();
    await bancada.enviarTodos(sorte.shuffled(arquivos), 8);
    const violacoes = await bancada.concluir();
    const counts = await countResultados(bancada);
    const stored = (counts.get('novo') ?? 0) + (counts.get('evento') ?? 0);
    const expected = remessa.itens.length;
    if (stored !== expected || counts.get('duplicado') !== (VEZES - 1) * expected) {
      const told = [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
      violacoes.push({
        regra: 'R15',
        detalhe: `${expected} documentos ${VEZES} vezes: ${told}`,
      } satisfies Violacao);
    }
    return {
      feito: `${expected} documentos ${VEZES} vezes em ${arquivos.length} zips`,
      medido: `${stored} guardados, ${counts.get('duplicado') ?? 0} ditos duplicados`,
      violacoes,
    };
  },
};

/** Items of all acknowledged files by `resultado`. */
async function countResultados({ sonda, escritorio, aceitos }: Bancada): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const id of aceitos) {
    const { body } = await sonda.pedir(`/storage/arquivo/${id}/itens?Tamanho=500`, {
      token: escritorio.token,
    });
    for (const { resultado } of body.itens as { resultado: string }[]) {
      counts.set(resultado, (counts.get(resultado) ?? 0) + 1);
    }
  }
  return counts;
}
