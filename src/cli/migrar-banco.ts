import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { MIGRATIONS } from '../banco/migrations.ts';
import { changeBanco } from '../copia/mudar.ts';
import { type Registrar, required } from './programa.ts';
import { Etapas } from './progresso.ts';

interface Opcoes {
  de: string;
  para: string;
  recomecar: boolean;
}

function parseUrl(text: string): string {
  if (/^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('informe um endereço postgres://usuario:senha@servidor:5432/banco');
}

export const registerMigrarBanco: Registrar = (program: Command, executar) => {
  required(program.command('migrar-banco'), { '--de <pasta>': 'pasta dos dados, ou o arquivo SQLite' })
    .requiredOption('--para <url>', 'banco PostgreSQL vazio: postgres://…', parseUrl)
    .option('--recomecar', 'apaga do destino o que uma mudança interrompida copiou, e copia de novo', false)
    .description('muda uma instalação de SQLite para PostgreSQL; interrompido, continua de onde parou')
    .action(
      executar<Opcoes>(async ({ opcoes, saida }) => {
        const etapas = new Etapas(saida);
        const { tabelas, continuada, completa } = await changeBanco({
          ...opcoes,
          de: resolve(opcoes.de),
          migracoes: MIGRATIONS,
          andamento: {
            etapa: (nome, total) => etapas.begin({ total, unidade: `linhas (${nome})` }),
            avancar: etapas.avancar,
          },
        }).finally(etapas.end);
        const linhas = tabelas.reduce((sum, tabela) => sum + tabela.linhas, 0);
        saida.resultado({ tabelas, linhas, continuada, completa }, [
          ...(completa ? ['A mudança já estava completa; os dois bancos foram comparados de novo.'] : []),
          ...tabelas
            .filter((tabela) => tabela.linhas > 0)
            .map(({ nome, linhas: n }) => `  ${nome}: ${n} linhas, iguais nos dois`),
          `Mudança completa: ${tabelas.length} tabelas, ${linhas} linhas, com os mesmos NSU.`,
          'Agora ponha DATABASE_URL com o endereço do PostgreSQL no ambiente de todos os processos e inicie o Malote.',
          'MALOTE_DATA e MALOTE_ARQUIVOS continuam como estão: arquivos enviados, esquemas e chave mestra não mudam de lugar.',
          'Confira com malote verificar; o arquivo SQLite já não é usado, e pode ser guardado.',
        ]);
      }),
    );
};
