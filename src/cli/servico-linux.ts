/** The service on Linux: a unit of systemd, of the machine or of one user. */
import { join } from 'node:path';
import { arquivoDoAmbiente, type Instalado } from './servico-ambiente.ts';

export interface UnidadeDoSystemd extends Instalado {
  /** Who it runs as; null: a unit of the user's own systemd. */
  conta: string | null;
}

const nomeDaUnidade = ({ nome }: Pick<Instalado, 'nome'>) => `${nome}.service`;

export function caminhoDaUnidade(unidade: UnidadeDoSystemd, home: string): string {
  const folder = unidade.conta === null ? join(home, '.config', 'systemd', 'user') : '/etc/systemd/system';
  return join(folder, nomeDaUnidade(unidade));
}

/** @fonte systemd.service(5), systemd.exec(5) */
export function textoDaUnidade(unidade: UnidadeDoSystemd): string {
  const { raiz, node, conta } = unidade;
  const daMaquina = conta !== null;
  return [
    '# Feita por "malote servico instalar"; as variáveis estão no arquivo citado em ExecStart.',
    '[Unit]',
    'Description=Malote, central de documentos fiscais',
    ...(daMaquina ? ['After=network-online.target', 'Wants=network-online.target'] : []),
    'StartLimitIntervalSec=60',
    'StartLimitBurst=10',
    '',
    '[Service]',
    'Type=exec',
    ...(daMaquina ? [`User=${conta}`] : []),
    `WorkingDirectory=${escaped(raiz)}`,
    `ExecStart=${[node, `--env-file-if-exists=${arquivoDoAmbiente(unidade)}`, join(raiz, 'bin', 'malote.js'), 'servir'].map(argument).join(' ')}`,
    'KillSignal=SIGTERM',
    'TimeoutStopSec=15',
    'Restart=always',
    'RestartSec=1',
    'LimitNOFILE=16384',
    'UMask=0077',
    ...(daMaquina ? ['NoNewPrivileges=yes', 'PrivateTmp=yes', 'ProtectSystem=full'] : []),
    '',
    '[Install]',
    `WantedBy=${daMaquina ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n');
}

/** `%` and `$` mean something in a unit. */
const escaped = (text: string) => text.replaceAll('%', '%%');
const argument = (text: string) => {
  const plain = escaped(text).replaceAll('$', '$$$$');
  return /[\s"'\\;]/.test(plain) ? `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : plain;
};

const systemctl = (unidade: UnidadeDoSystemd, ...args: string[]) => [
  'systemctl',
  ...(unidade.conta === null ? ['--user'] : []),
  ...args,
];

/** Commands, in their order; the unit's file is there by then. */
export function comandosDeInstalar(unidade: UnidadeDoSystemd): string[][] {
  return [
    systemctl(unidade, 'daemon-reload'),
    systemctl(unidade, 'enable', '--now', nomeDaUnidade(unidade)),
    // Else a user's services end with their last session, and begin with their first.
    ...(unidade.conta === null ? [['loginctl', 'enable-linger']] : []),
  ];
}

/** Before the unit's file is removed. */
export const comandosDeRemover = (unidade: UnidadeDoSystemd): string[][] => [
  systemctl(unidade, 'disable', '--now', nomeDaUnidade(unidade)),
];

export const comandoDoEstado = (unidade: UnidadeDoSystemd): string[] =>
  systemctl(unidade, 'status', '--no-pager', '--lines=0', nomeDaUnidade(unidade));

/** Where the service says what it has to say. */
export const comandoDoRegistro = (unidade: UnidadeDoSystemd) =>
  `journalctl ${unidade.conta === null ? '--user ' : ''}-u ${unidade.nome} -n 50`;
