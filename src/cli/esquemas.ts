import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { systemClock } from '../platform/clock.ts';
import type { Registrar } from './programa.ts';
import { FalhaDoComando } from './saida.ts';
import { quando } from './tabela.ts';

/** The largest official package has about 0.5 MB; more is not a schema package. */
const ZIP_MAX_BYTES = 30_000_000;

export const registerEsquemas: Registrar = (program: Command, executar) => {
  const esquemas = program.command('esquemas').description('pacotes oficiais de esquemas XSD');
  esquemas
    .command('instalar')
    .argument('<zip>', 'arquivo .zip do pacote oficial, como a SEFAZ o publica')
    .option('--nome <nome>', 'nome do pacote; sem ele vale o nome do arquivo')
    .description('instala um pacote de esquemas; vale na hora, também no servidor em execução')
    .action(
      executar<{ nome?: string }>(async ({ argumentos: [path = ''], opcoes, saida }) => {
        if ((await stat(path)).size > ZIP_MAX_BYTES) {
          throw new FalhaDoComando(
            'esquemas_zip_invalido',
            'O arquivo é grande demais para um pacote de esquemas.',
          );
        }
        // Loaded here, because the schema engine is needed by few commands.
        const { installEsquemas } = await import('../importacao/standards/esquemas-instalados.ts');
        const pacote = await installEsquemas(
          { config: readConfig(), clock: systemClock },
          { zip: await readFile(path), nome: opcoes.nome ?? basename(path) },
        );
        saida.resultado(pacote, [
          `Pacote ${pacote.nome} instalado: ${pacote.arquivos} arquivos, ${pacote.principais.length} esquemas principais.`,
          ...(pacote.naoCompilam.length > 0
            ? [`Não compilam e ficam sem uso: ${pacote.naoCompilam.join(', ')}.`]
            : []),
        ]);
      }),
    );

  esquemas
    .command('listar')
    .description('lista os pacotes na ordem em que são consultados')
    .action(
      executar(async ({ saida }) => {
        const { listEsquemas } = await import('../importacao/standards/esquemas-instalados.ts');
        const pacotes = listEsquemas(readConfig());
        saida.resultado(
          { pacotes },
          pacotes.map(
            ({ nome, origem, instaladoEm, arquivos }) =>
              `${nome.padEnd(32)} ${String(arquivos).padStart(4)} arquivos  ${instaladoEm === null ? origem : quando(Date.parse(instaladoEm))}`,
          ),
        );
      }),
    );
};
