import type { Command } from 'commander';
import { invite } from '../console/sessao/convites.ts';
import { emailChave } from '../console/sessao/entrar.ts';
import { findUsuarios } from '../console/sessao/queries-usuario.ts';
import { removeTotp } from '../console/sessao/totp.ts';
import { listUsuarios } from '../console/usuarios/usuarios.ts';
import { consoleOrigin } from './conta.ts';
import { type DepsDoComando, type DoEscritorio, noEscritorio } from './deps.ts';
import { CRM, type Registrar, required } from './programa.ts';
import { FalhaDoComando } from './saida.ts';
import { quando, tabela } from './tabela.ts';

const AUTOR = 'cli';

interface Redefinir {
  crm: string;
  email: string;
  semTotp: boolean;
}

/** Users of the console: for whoever runs the server, when nobody of an office can enter any more. */
export const registerUsuario: Registrar = (program: Command, executar) => {
  const usuario = program.command('usuario').description('usuários do console');
  required(usuario.command('listar'), CRM)
    .description('lista os usuários de um escritório')
    .action(
      executar<{ crm: string }>(async ({ opcoes, saida }) => {
        const { codigoCrm, usuarios } = await noEscritorio(opcoes.crm, async ({ db }, contador) => ({
          codigoCrm: contador.codigoCrm,
          usuarios: await listUsuarios(db.read, contador.contadorId),
        }));
        const header = ['nome', 'e-mail', 'papel', 'situação', 'última entrada'];
        const rows = usuarios.map((one) => [
          one.nome,
          one.email,
          one.papel,
          one.situacao,
          quando(one.entrouEm === null ? null : Date.parse(one.entrouEm), 'nunca'),
        ]);
        saida.resultado({ codigoCrm, usuarios }, tabela([header, ...rows]));
      }),
    );

  required(usuario.command('redefinir'), {
    ...CRM,
    '--email <email>': 'e-mail do usuário',
  })
    .option('--sem-totp', 'também desativa o segundo fator', false)
    .description('mostra um link com que o usuário define outra senha; vale 7 dias, uma vez')
    .action(
      executar<Redefinir>(async ({ opcoes, saida }) => {
        const feito = await noEscritorio(opcoes.crm, (deps, contador) =>
          redefinir(deps, { ...opcoes, ...contador }),
        );
        saida.resultado(feito, [
          `Para ${feito.email} definir a senha (mostrado só agora):`,
          `  ${feito.link}`,
        ]);
      }),
    );
};

async function redefinir(
  deps: DepsDoComando,
  { contadorId, codigoCrm, email, semTotp }: Redefinir & DoEscritorio,
) {
  const chave = emailChave(email);
  const rows = await findUsuarios(deps.db.read, contadorId);
  const found = rows.find((row) => emailChave(row.email) === chave && row.ativo === 1);
  if (!found)
    throw new FalhaDoComando('usuario_nao_encontrado', `Não há usuário ativo com o e-mail ${email}.`);
  const agora = deps.clock.now();
  const convite = await deps.db.write.transaction().execute(async (trx) => {
    const who = { contadorId, usuarioId: found.id, autor: AUTOR, agora };
    if (semTotp) await removeTotp(trx, who);
    return invite(trx, { ...who, email: found.email });
  });
  return { codigoCrm, email: found.email, link: consoleOrigin(deps) + convite.caminho };
}
