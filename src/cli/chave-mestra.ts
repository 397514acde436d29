import type { Command } from 'commander';
import { contar } from './contar.ts';
import { comInstalacao, type DepsDoComando, openCofreDe } from './deps.ts';
import { rotateChaveMestra } from './girar-chave-mestra.ts';
import { forgetSelados, linhasDoEsquecido } from './perder-chave-mestra.ts';
import type { Registrar } from './programa.ts';
import { countCertificadosPorChave, findChavesMestras } from './queries-chave-mestra.ts';
import { FalhaDoComando } from './saida.ts';

export const registerChaveMestra: Registrar = (program: Command, executar) => {
  const chave = program
    .command('chave-mestra')
    .description('a chave que sela certificados e outros segredos desta instalação');
  chave
    .command('girar')
    .description('troca a chave mestra, com o servidor no ar; interrompido, o comando continua de onde parou')
    .action(
      executar(async ({ saida }) => {
        const feita = await comInstalacao(rotateChaveMestra);
        saida.resultado(feita, [
          `Tudo o que estava selado (${feita.movidos} itens) passou para a chave ${feita.kid}.`,
          ...feita.naoAbrem.map((item) => `✗ ${item}: nenhuma chave abre`),
          ...(feita.aposentadas.length > 0
            ? [
                `Chave anterior esquecida: ${feita.aposentadas.join(', ')}. Cópias de segurança feitas antes precisam dela: faça uma nova agora.`,
              ]
            : []),
        ]);
        if (feita.naoAbrem.length > 0) {
          throw new FalhaDoComando(
            'selos_que_nao_abrem',
            `${feita.naoAbrem.length} item(ns) não abrem com chave alguma; as chaves anteriores foram mantidas.`,
          );
        }
      }),
    );
  chave
    .command('perdida')
    .requiredOption('--confirmar', 'confirma que a chave não existe mais em lugar algum')
    .description(
      'quando a chave se perdeu: esquece o que só ela abria, para que o servidor volte a iniciar, com outra',
    )
    .action(
      executar(async ({ saida }) => {
        const esquecido = await comInstalacao(forgetSelados);
        saida.resultado(esquecido, linhasDoEsquecido(esquecido));
      }),
    );
  chave
    .command('situacao')
    .description('mostra as chaves pelo nome, nunca o valor, e quantos certificados estão sob cada uma')
    .action(
      executar(async ({ saida }) => {
        const chaves = await comInstalacao(situacao);
        saida.resultado(
          { chaves },
          chaves.map(
            ({ kid, estado, certificados }) =>
              `${kid}  ${estado.padEnd(10)}  ${contar(certificados, 'certificado')}`,
          ),
        );
      }),
    );
};

interface SituacaoDaChave {
  kid: string;
  /** `ausente`: something is sealed under it, and it is not there. */
  estado: 'atual' | 'anterior' | 'aposentada' | 'ausente';
  certificados: number;
}

async function situacao(deps: DepsDoComando): Promise<SituacaoDaChave[]> {
  const vault = await openCofreDe(deps);
  const present = vault.keys.current().map(({ kid }) => kid);
  const counts = new Map(
    (await countCertificadosPorChave(deps.db.read)).map(({ kid, total }) => [kid, total]),
  );
  const noted = await findChavesMestras(deps.db.read);
  const names = new Set([...present, ...noted.map(({ kid }) => kid), ...counts.keys()]);
  return [...names].flatMap((kid) => {
    if (kid === null) return [];
    const certificados = counts.get(kid) ?? 0;
    return [{ kid, estado: estadoDe(kid, present, certificados), certificados }];
  });
}

function estadoDe(kid: string, present: readonly string[], certificados: number): SituacaoDaChave['estado'] {
  if (present.includes(kid)) return kid === present[0] ? 'atual' : 'anterior';
  return certificados > 0 ? 'ausente' : 'aposentada';
}
