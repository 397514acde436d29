/**
 * The service on Windows: a task of the Task Scheduler, which is there on every edition. It begins with the machine, before
 * anybody logs on, and is looked after each minute: a task whose process has ended is begun again, one that runs is left
 * alone. It runs as LOCAL SERVICE, which may write in the data folder and nowhere else of ours.
 */
import { join, win32 } from 'node:path';
import { ARQUIVO_DO_AMBIENTE, type Instalado } from './servico-ambiente.ts';

/** LOCAL SERVICE, whatever the system's language calls it. */
const LOCAL_SERVICE = 'S-1-5-19';

interface TarefaDoWindows extends Instalado {
  /** Runs as who installs it, from their log-on on; else as LOCAL SERVICE from the start of the machine on. */
  doUsuario: boolean;
}

export const registroDaTarefa = ({ dataFolder }: Pick<Instalado, 'dataFolder'>) =>
  win32.join(dataFolder, 'malote.log');

/** @fonte [MS-TSCH] 2.5; the schema "http://schemas.microsoft.com/windows/2004/02/mit/task" */
export function textoDaTarefa(tarefa: TarefaDoWindows): string {
  const { raiz, doUsuario } = tarefa;
  const principal = doUsuario
    ? '<LogonType>InteractiveToken</LogonType>'
    : `<UserId>${LOCAL_SERVICE}</UserId>`;
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Malote, central de documentos fiscais (feita por "malote servico instalar")</Description>
  </RegistrationInfo>
  <Triggers>
    <${doUsuario ? 'LogonTrigger' : 'BootTrigger'}><Enabled>true</Enabled></${doUsuario ? 'LogonTrigger' : 'BootTrigger'}>
    <TimeTrigger>
      <Repetition><Interval>PT1M</Interval><StopAtDurationEnd>false</StopAtDurationEnd></Repetition>
      <StartBoundary>2026-01-01T00:00:00</StartBoundary>
      <Enabled>true</Enabled>
    </TimeTrigger>
  </Triggers>
  <Principals>
    <Principal id="malote">${principal}<RunLevel>LeastPrivilege</RunLevel></Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <RunOnlyIfNetworkAvailable>false</RunOnlyIfNetworkAvailable>
    <AllowHardTerminate>true</AllowHardTerminate>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>5</Priority>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions Context="malote">
    <Exec>
      <Command>${xml('%SystemRoot%\\System32\\cmd.exe')}</Command>
      <Arguments>${xml(argumentosDoCmd(tarefa))}</Arguments>
      <WorkingDirectory>${xml(raiz)}</WorkingDirectory>
    </Exec>
  </Actions>
</Task>
`;
}

/** The scheduler keeps no output: cmd puts it into a file. Of the outer pair of quotes cmd takes away what is not its own. */
function argumentosDoCmd(tarefa: TarefaDoWindows): string {
  const { node, raiz, dataFolder } = tarefa;
  const envFile = win32.join(dataFolder, ARQUIVO_DO_AMBIENTE);
  const program = win32.join(raiz, 'bin', 'malote.js');
  return `/d /s /c ""${node}" "--env-file-if-exists=${envFile}" "${program}" servir >> "${registroDaTarefa(tarefa)}" 2>&1"`;
}

const xml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** As `schtasks /create /xml` reads it: UTF-16 with a byte order mark. */
export const bytesDaTarefa = (tarefa: TarefaDoWindows) =>
  Buffer.from(`\ufeff${textoDaTarefa(tarefa).replaceAll('\n', '\r\n')}`, 'utf16le');

/** Commands, in their order; the file of the task is there by then. */
export function comandosDeInstalar(tarefa: TarefaDoWindows, arquivo: string): string[][] {
  const { nome, dataFolder, raiz, doUsuario } = tarefa;
  return [
    ...(doUsuario
      ? []
      : [
          ['icacls', dataFolder, '/grant', `*${LOCAL_SERVICE}:(OI)(CI)M`, '/T', '/Q'],
          ['icacls', raiz, '/grant', `*${LOCAL_SERVICE}:(OI)(CI)RX`, '/T', '/Q'],
        ]),
    ['schtasks', '/Create', '/TN', nome, '/XML', arquivo, '/F'],
    ['schtasks', '/Run', '/TN', nome],
  ];
}

export const comandosDeRemover = ({ nome }: Pick<Instalado, 'nome'>): string[][] => [
  ['schtasks', '/Change', '/TN', nome, '/DISABLE'],
  ['schtasks', '/End', '/TN', nome],
  ['schtasks', '/Delete', '/TN', nome, '/F'],
];

export const comandoDoEstado = ({ nome }: Pick<Instalado, 'nome'>): string[] => [
  'schtasks',
  '/Query',
  '/TN',
  nome,
  '/V',
  '/FO',
  'LIST',
];

/** Where the task's description lies while it is registered. */
export const arquivoDaTarefa = ({ dataFolder, nome }: Instalado) => join(dataFolder, `${nome}.xml`);
