import { type Command, InvalidArgumentError } from 'commander';
import { listAuditoria, type RegistroDeAuditoria } from '../auditoria/listar.ts';
import { verifyAuditoria } from '../auditoria/verificar.ts';
import { contar } from './contar.ts';
import { comInstalacao, contadorDe } from './deps.ts';
import { inteiro, type Registrar } from './programa.ts';
import { FalhaDoComando } from './saida.ts';

const ANCHOR = /^(\d{1,15}):([0-9a-f]{64})$/;
const MAX_ROWS = 10_000;

export const registerAuditoria: Registrar = (program: Command, executar) => {
  const auditoria = program
    .command('auditoria')
    .description('registro, só de acréscimos, de quem mudou clientes, certificados, tokens e chaves');
  auditoria
    .command('verificar')
    .option(
      '--ancora <n:hash>',
      'fim anotado em outra ocasião, que ainda deve fazer parte da cadeia',
      readAnchor,
    )
    .description('segue a cadeia de hashes e nomeia o primeiro registro alterado, removido ou posto a mais')
    .action(
      executar<{ ancora?: Fim }>(async ({ opcoes, saida }) => {
        const result = await comInstalacao((deps) => verifyAuditoria(deps.db.read, opcoes));
        const { fim, quebra, registros } = result;
        saida.resultado(result, [
          ...(quebra
            ? [`✗ registro ${quebra.n}: ${quebra.mensagem}`]
            : [
                `${contar(registros, 'registro')}. A cadeia confere.`,
                `Fim, para anotar: ${fim.n}:${fim.hash}`,
              ]),
        ]);
        if (quebra) throw new FalhaDoComando(quebra.codigo, quebra.mensagem);
      }),
    );
  auditoria
    .command('listar')
    .option('--crm <codigo>', 'só os registros de um escritório')
    .option('--ultimos <n>', 'quantos registros mostrar', inteiro('--ultimos', 1, MAX_ROWS), 50)
    .description('mostra os registros mais novos')
    .action(
      executar<{ crm?: string; ultimos: number }>(async ({ opcoes, saida }) => {
        const registros = await comInstalacao(async (deps) => {
          const { crm } = opcoes;
          const contador = crm === undefined ? null : await contadorDe(deps, crm);
          return listAuditoria(deps.db.read, {
            contadorId: contador?.contadorId ?? null,
            limite: opcoes.ultimos,
          });
        });
        saida.resultado({ registros }, registros.length === 0 ? ['Nenhum registro.'] : registros.map(line));
      }),
    );
};

/** Where the log ended once. */
interface Fim {
  n: number;
  hash: string;
}

function readAnchor(text: string): Fim {
  const [, n, hash] = ANCHOR.exec(text) ?? [];
  if (n === undefined || hash === undefined)
    throw new InvalidArgumentError('--ancora deve ser número:hash, como verificar os mostrou');
  return { n: Number(n), hash };
}

function line({ n, em, acao, autor, alvo, detalhe }: RegistroDeAuditoria): string {
  const more = Object.keys(detalhe).length > 0 ? `  ${JSON.stringify(detalhe)}` : '';
  return `${String(n).padStart(6)}  ${new Date(em).toISOString()}  ${acao.padEnd(24)}  ${autor}  ${alvo}${more}`;
}
