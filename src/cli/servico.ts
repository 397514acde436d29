/** `malote servico`: Malote as a service of the operating system, begun with the machine and begun again when it ends. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { Registrar } from './programa.ts';
import { FalhaDoComando, type Saida } from './saida.ts';
import { arquivoDoAmbiente, type Instalado, linhasDoAmbiente } from './servico-ambiente.ts';
import * as linux from './servico-linux.ts';
import * as windows from './servico-windows.ts';

interface Opcoes {
  usuario: boolean;
  nome: string;
  mostrar: boolean;
}

/** What the command writes, runs and removes, in this order; shown before it is done. */
interface Plano {
  gravar: { caminho: string; conteudo: string | Buffer; secreto?: true; soSeFaltar?: true }[];
  rodar: string[][];
  apagar: string[];
  /** Where the service's own words are to be read. */
  registro: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

export const registerServico: Registrar = (program: Command, executar) => {
  const servico = program.command('servico').description('instala o Malote como serviço deste computador');
  const comOpcoes = (name: string, about: string) =>
    servico
      .command(name)
      .description(about)
      .option('--usuario', 'só da conta de quem o roda, sem direitos de administrador', false)
      .option('--nome <nome>', 'nome do serviço', 'malote')
      .option('--mostrar', 'só mostra o que faria', false);
  comOpcoes(
    'instalar',
    'inicia com o computador e de novo quando termina (systemd, Agendador de Tarefas)',
  ).action(
    executar<Opcoes>(async ({ opcoes, saida }) => {
      const plano = planoDeInstalar(sistema(), pedido(opcoes));
      cumprir(plano, { saida, mostrar: opcoes.mostrar });
      const feito = opcoes.mostrar ? 'Nada foi feito (--mostrar).' : 'Serviço instalado e iniciado.';
      saida.resultado({ instalado: !opcoes.mostrar, ...resumo(plano) }, [
        feito,
        `O que ele diz, e o endereço do primeiro uso: ${plano.registro}`,
      ]);
    }),
  );
  comOpcoes('remover', 'para o serviço e o remove; os dados ficam').action(
    executar<Opcoes>(async ({ opcoes, saida }) => {
      const plano = planoDeRemover(sistema(), pedido(opcoes));
      cumprir(plano, { saida, mostrar: opcoes.mostrar });
      const feito = opcoes.mostrar
        ? 'Nada foi feito (--mostrar).'
        : 'Serviço removido. Os dados continuam onde estavam.';
      saida.resultado({ removido: !opcoes.mostrar, ...resumo(plano) }, [feito]);
    }),
  );
  comOpcoes('estado', 'mostra se o serviço está instalado e no ar').action(
    executar<Opcoes>(async ({ opcoes, saida }) => {
      const comando = comandoDoEstado(sistema(), pedido(opcoes));
      if (opcoes.mostrar) return saida.resultado({ comando }, [linhaDe(comando)]);
      const { status, stdout, stderr } = run(comando);
      saida.resultado({ noAr: status === 0, texto: stdout.trim() }, [(stdout || stderr).trim()]);
    }),
  );
};

type Sistema = 'linux' | 'windows';

function sistema(): Sistema {
  if (process.platform === 'win32') return 'windows';
  if (process.platform === 'linux') return 'linux';
  throw new FalhaDoComando(
    'sistema_sem_servico',
    'malote servico conhece Windows e Linux (systemd). Neste sistema, inicie "malote servir" como os outros serviços dele.',
  );
}

/** What a plan is made from. */
export interface Pedido extends Instalado {
  usuario: boolean;
  /** Who a service of the machine runs as on Linux. */
  conta: string;
  home: string;
  env: NodeJS.ProcessEnv;
}

function pedido({ nome, usuario }: Opcoes): Pedido {
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,60}$/.test(nome))
    throw new FalhaDoComando('nome_invalido', '--nome deve ter letras, dígitos e hífens.');
  const { dataFolder } = readConfig();
  // Who calls sudo means themselves: the data are theirs.
  const conta = process.env.SUDO_USER || userInfo().username;
  const { execPath: node, env } = process;
  return { nome, usuario, conta, home: homedir(), raiz: ROOT, dataFolder, node, env };
}

export function planoDeInstalar(onde: Sistema, pedido: Pedido): Plano {
  const conteudo = `${linhasDoAmbiente(pedido.env, pedido.dataFolder).join('\n')}\n`;
  // Who has changed it by hand keeps it.
  const ambiente = { caminho: arquivoDoAmbiente(pedido), conteudo, secreto: true, soSeFaltar: true } as const;
  if (onde === 'linux') {
    const unidade = unidadeDe(pedido);
    return {
      gravar: [
        ambiente,
        { caminho: linux.caminhoDaUnidade(unidade, pedido.home), conteudo: linux.textoDaUnidade(unidade) },
      ],
      rodar: [
        // Written by root for the one who runs it.
        ...(pedido.usuario
          ? []
          : [['chown', `${pedido.conta}:`, pedido.dataFolder, arquivoDoAmbiente(pedido)]]),
        ...linux.comandosDeInstalar(unidade),
      ],
      apagar: [],
      registro: linux.comandoDoRegistro(unidade),
    };
  }
  const tarefa = { ...pedido, doUsuario: pedido.usuario };
  const arquivo = windows.arquivoDaTarefa(tarefa);
  return {
    gravar: [ambiente, { caminho: arquivo, conteudo: windows.bytesDaTarefa(tarefa) }],
    rodar: windows.comandosDeInstalar(tarefa, arquivo),
    apagar: [arquivo],
    registro: windows.registroDaTarefa(tarefa),
  };
}

export function planoDeRemover(onde: Sistema, pedido: Pedido): Plano {
  if (onde === 'windows')
    return {
      gravar: [],
      rodar: windows.comandosDeRemover(pedido),
      apagar: [],
      registro: windows.registroDaTarefa(pedido),
    };
  const unidade = unidadeDe(pedido);
  return {
    gravar: [],
    rodar: linux.comandosDeRemover(unidade),
    apagar: [linux.caminhoDaUnidade(unidade, pedido.home)],
    registro: linux.comandoDoRegistro(unidade),
  };
}

const comandoDoEstado = (onde: Sistema, pedido: Pedido) =>
  onde === 'windows' ? windows.comandoDoEstado(pedido) : linux.comandoDoEstado(unidadeDe(pedido));

const unidadeDe = ({ usuario, conta, ...outros }: Pedido): linux.UnidadeDoSystemd => ({
  ...outros,
  conta: usuario ? null : conta,
});

/** Shows each step and does it. @throws FalhaDoComando with what the system's program said */
function cumprir(plano: Plano, { saida, mostrar }: { saida: Saida; mostrar: boolean }): void {
  for (const { caminho, conteudo, secreto, soSeFaltar } of plano.gravar) {
    const kept = soSeFaltar === true && existsSync(caminho);
    saida.info(kept ? `fica como está: ${caminho}` : `grava: ${caminho}`);
    // Settings may hold passwords: their values are not shown.
    if (mostrar && !secreto) saida.info(indented(conteudo));
    if (mostrar || kept) continue;
    mkdirSync(dirname(caminho), { recursive: true });
    writeFileSync(caminho, conteudo, { mode: secreto ? 0o600 : 0o644 });
  }
  for (const comando of plano.rodar) {
    saida.info(`roda: ${linhaDe(comando)}`);
    if (!mostrar) require(run(comando), comando);
  }
  for (const caminho of plano.apagar) {
    saida.info(`apaga: ${caminho}`);
    if (!mostrar) rmSync(caminho, { force: true });
  }
}

const indented = (conteudo: string | Buffer) =>
  (typeof conteudo === 'string' ? conteudo : conteudo.toString('utf16le').replace('\ufeff', ''))
    .trimEnd()
    .replace(/^/gm, '    ');

function run([program = '', ...args]: readonly string[]) {
  const done = spawnSync(program, args, { encoding: 'utf8', windowsHide: true });
  return { status: done.status, stdout: done.stdout ?? '', stderr: done.stderr || done.error?.message || '' };
}

function require(done: ReturnType<typeof run>, comando: readonly string[]): void {
  if (done.status === 0) return;
  const said = (done.stderr || done.stdout).trim();
  throw new FalhaDoComando(
    'servico_falhou',
    `${linhaDe(comando)} não deu certo: ${said || `código ${done.status}`}. Falta rodar como administrador (sudo, "Executar como administrador"), ou usar --usuario?`,
  );
}

const linhaDe = (comando: readonly string[]) =>
  comando.map((one) => (/[\s()*]/.test(one) ? `"${one}"` : one)).join(' ');

const resumo = ({ gravar, rodar, apagar, registro }: Plano) => ({
  gravados: gravar.map(({ caminho }) => caminho),
  rodados: rodar.map(linhaDe),
  apagados: apagar,
  registro,
});
