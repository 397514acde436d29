/** `malote leiautes …`: layouts of municipal notes that an office has taught, and those that a colleague sent. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import {
  fileOf,
  findEnsinado,
  listEnsinados,
  retireEnsinado,
  saveEnsinado,
} from '../documentos/leiautes/ensinados.ts';
import { leiauteInvalido } from '../documentos/leiautes/errors.ts';
import { LEIAUTE_BYTES_MAX } from '../fiscal/nfse/leiautes/leiaute.ts';
import { readEnsinado } from '../fiscal/nfse/leiautes/validar-ensinado.ts';
import { noEscritorio } from './deps.ts';
import { CRM, type Executar, type Registrar, required } from './programa.ts';
import { quando } from './tabela.ts';

const AUTOR = 'cli';

export const registerLeiautes: Registrar = (program: Command, executar) => {
  const leiautes = program
    .command('leiautes')
    .description('leiautes de NFS-e municipal que um escritório ensinou ou instalou');
  registerListar(leiautes, executar);
  registerExportar(leiautes, executar);
  registerInstalar(leiautes, executar);
  registerRetirar(leiautes, executar);
};

function registerListar(leiautes: Command, executar: Executar): void {
  required(leiautes.command('listar'), CRM)
    .description('lista os leiautes em vigor')
    .action(
      executar<{ crm: string }>(async ({ opcoes, saida }) => {
        const ensinados = await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          listEnsinados(deps.db.read, contadorId),
        );
        const lines = ensinados.map(({ leiaute: { id, nome, fonte }, origem, criadoEm }) => ({
          ...{ id, nome, fonte, origem, criadoEm },
        }));
        saida.resultado(
          { leiautes: lines },
          lines.length === 0
            ? ['Nenhum leiaute ensinado ou instalado: valem os que vêm com o Malote.']
            : lines.map(
                ({ id, nome, origem, criadoEm }) =>
                  `${id.padEnd(40)} ${origem.padEnd(9)} ${quando(criadoEm)}  ${nome}`,
              ),
        );
      }),
    );
}

function registerExportar(leiautes: Command, executar: Executar): void {
  required(leiautes.command('exportar'), CRM)
    .argument('<id>', 'nome curto do leiaute, como em `leiautes listar`')
    .option('--para <arquivo>', 'arquivo que recebe o leiaute; sem ela, um com o nome dele nesta pasta')
    .description('grava um leiaute em um arquivo JSON, para enviar a um colega; não leva nada de nota alguma')
    .action(
      executar<{ crm: string; para?: string }>(async ({ argumentos: [id = ''], opcoes, saida }) => {
        const { nome, texto } = fileOf(
          await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
            findEnsinado(deps.db.read, { contadorId, id }),
          ),
        );
        const arquivo = opcoes.para ?? nome;
        await writeFile(arquivo, texto, { flag: 'wx' });
        saida.resultado({ arquivo }, [`Leiaute ${id} gravado em ${arquivo}.`]);
      }),
    );
}

function registerInstalar(leiautes: Command, executar: Executar): void {
  required(leiautes.command('instalar'), CRM)
    .argument('<arquivo>', 'arquivo JSON do leiaute, como um colega o enviou')
    .description('confere e instala um leiaute; vale na hora, também no servidor em execução')
    .action(
      executar<{ crm: string }>(async ({ argumentos: [path = ''], opcoes, saida }) => {
        const read = readEnsinado(await textOf(path));
        if (!read.ok) throw leiauteInvalido(read.faltas);
        const { leiaute, substituiu } = await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          saveEnsinado(deps, { contadorId, autor: AUTOR, valor: read.leiaute, origem: 'instalado' }),
        );
        saida.resultado({ id: leiaute.id, nome: leiaute.nome, substituiu }, [
          `Leiaute ${leiaute.id} (${leiaute.nome}) instalado${substituiu ? ', no lugar do que havia' : ''}.`,
          'O que espera e é lido por ele entra nas listas em ordem de chegada, com o servidor em execução.',
        ]);
      }),
    );
}

/** What is larger is not read into memory. */
async function textOf(path: string): Promise<string> {
  const { size } = await stat(path);
  return size > LEIAUTE_BYTES_MAX ? ' '.repeat(LEIAUTE_BYTES_MAX + 1) : readFile(path, 'utf8');
}

function registerRetirar(leiautes: Command, executar: Executar): void {
  required(leiautes.command('retirar'), CRM)
    .argument('<id>', 'nome curto do leiaute, como em `leiautes listar`')
    .description('retira um leiaute; o que ele já leu fica como está')
    .action(
      executar<{ crm: string }>(async ({ argumentos: [id = ''], opcoes, saida }) => {
        await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          retireEnsinado(deps, { contadorId, autor: AUTOR, id }),
        );
        saida.resultado({ id }, [
          `Leiaute ${id} retirado. As notas que ele leu ficam; as que chegarem agora esperam.`,
        ]);
      }),
    );
}
