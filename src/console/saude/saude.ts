/** How the installation is: what waits, what room is left, what runs, and what somebody should look at. */
import type { Db } from '../../banco/tabelas.ts';
import { type EstadoDaAgenda, estadoDaAgenda } from '../../copia/agenda.ts';
import { findUltimaCopia } from '../../copia/queries.ts';
import type { Deps } from '../../deps.ts';
import { listEsquemasEmThread } from '../../importacao/standards/esquemas-em-thread.ts';
import type { PacoteListado } from '../../importacao/standards/esquemas-instalados.ts';
import { esquemasMudaramEm } from '../../importacao/standards/pasta-dos-esquemas.ts';
import { runAsService } from '../../platform/db/tenant.ts';
import { oldestWaiting } from '../../platform/jobs/queue.ts';
import { diskSpace } from '../../platform/storage/espaco.ts';
import { instanteDe } from '../tempo.ts';
import * as queries from './queries-saude.ts';

const DAY_MS = 86_400_000;
/** Without a backup for this long the page warns. */
const BACKUP_DAYS = 7;
/** Less room than this part of the disk is a warning. */
const LITTLE_ROOM = 1 / 10;
/** The whole page is asked for often and changes slowly; sums over all uploads most of all. */
const FRESH_MS = 5_000;
const SUMS_FRESH_MS = 60_000;

/** What this process alone knows; handed in by `app.ts`. */
export interface Processo {
  /** Version of this program. */
  versao: string;
  /** What a proxy that nobody has named makes of addresses, in words for people; null: there is none. */
  proxyNaoConfigurado(): string | null;
  /** A newer version of this program; null: none is known, or nobody may be asked. */
  versaoNova(): string | null;
}

/** As the wire has it. */
export const comInstantes = ({ proximaEm, ultima, ...agenda }: EstadoDaAgenda) => ({
  ...agenda,
  proximaEm: instanteDe(proximaEm),
  ultima: ultima && { ...ultima, em: instanteDe(ultima.em) },
});

/** Every warning of the page. */
export const AVISOS = {
  conexao_sem_https:
    'O console está em http fora desta máquina: a sessão viaja sem proteção. Ponha um proxy com https na frente e defina MALOTE_URL_BASE.',
  proxy_nao_configurado:
    'Um proxy que o Malote não conhece diz que os pedidos vêm por https: os endereços assinados saem com http. Defina MALOTE_PROXIES com o endereço dele, ou MALOTE_URL_BASE.',
  disco_quase_cheio: 'Resta menos de um décimo do disco dos dados.',
  fila_parada: 'Há arquivos na fila e nenhum em importação agora.',
  importacoes_desistidas: 'A importação desistiu de arquivos; veja quais em Importações.',
  esquema_mais_antigo:
    'Chegaram documentos mais novos que os esquemas instalados: há um pacote oficial mais novo. Baixe o zip de esquemas no portal da NF-e (ou do CT-e, da NFS-e) e instale-o nesta página, ou com malote esquemas instalar <arquivo.zip>.',
  copia_falhou: 'A última cópia de segurança agendada falhou; o motivo está no cartão das cópias.',
  versao_nova: 'Há uma versão mais nova do Malote.',
  sem_copia_recente: 'Não consta cópia de segurança nos últimos 7 dias (malote backup).',
} as const;

export const aviso = (codigo: keyof typeof AVISOS): Aviso => ({ codigo, mensagem: AVISOS[codigo] });

export interface Aviso {
  codigo: string;
  mensagem: string;
}

type SaudeDeps = Pick<Deps, 'db' | 'clock' | 'config'> & { processo: Processo };

interface Somas {
  arquivos: { recebidos: number; guardados: number };
  esquemas: PacoteListado[];
  maisNovosQueOEsquema: number;
}

/** Looks at most every few seconds, whoever asks. One for the process. */
export class Saude {
  readonly #deps: SaudeDeps;
  readonly #startedAt: number;
  #page: { at: number; value: Promise<Awaited<ReturnType<Saude['look']>>> } | null = null;
  #sums: { at: number; value: Promise<Somas> } | null = null;
  #esquemasDe = 0;

  constructor(deps: SaudeDeps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
  }

  /** The page but for what depends on who asks. */
  now(): ReturnType<Saude['look']> {
    const { config, clock } = this.#deps;
    const esquemasDe = esquemasMudaramEm(config.dataFolder);
    if (esquemasDe !== this.#esquemasDe) this.#forget();
    this.#esquemasDe = esquemasDe;
    const at = clock.now();
    if (!this.#page || at - this.#page.at > FRESH_MS) this.#page = { at, value: this.look() };
    return this.#page.value;
  }

  /** After something was installed the next look is a new one. */
  #forget(): void {
    this.#page = null;
    this.#sums = null;
  }

  async look() {
    const { db, config, processo } = this.#deps;
    const [jobs, oldest, donos, disk, banco, migracoes, copia, agenda, sums] = await Promise.all([
      queries.countJobs(db.read),
      oldestWaiting(db.read),
      queries.findDonos(db.read),
      diskSpace(config.dataFolder),
      queries.findBanco(db.read, db.engine),
      queries.findMigracao(db.read),
      findUltimaCopia(db.read),
      estadoDaAgenda(this.#deps),
      this.#slow(),
    ]);
    const page = {
      fila: {
        esperando: jobs.pronto,
        emExecucao: jobs.em_execucao,
        falharam: jobs.falhou,
        maisAntigoEm: instanteDe(oldest),
      },
      trabalhadores: donos.map(dono),
      disco: {
        livre: disk.free,
        total: disk.total,
        banco: banco.bytes,
        arquivos: sums.arquivos.guardados,
        recebidos: sums.arquivos.recebidos,
        arquivosEm: config.arquivos === null ? 'disco' : 's3',
      },
      banco: { motor: db.engine, ...banco, migracoes },
      copia: copia ? { em: instanteDe(copia.concluida_em), destino: copia.destino } : null,
      agenda: comInstantes(agenda),
      versoes: { malote: processo.versao, node: process.versions.node },
      modo: config.modo,
      iniciadoEm: instanteDe(this.#startedAt),
      esquemas: sums.esquemas.map(comFamilia),
      maisNovosQueOEsquema: sums.maisNovosQueOEsquema,
    };
    return { ...page, avisos: this.#avisos(page, copia?.concluida_em ?? null) };
  }

  #slow(): Promise<Somas> {
    const { db, clock, config } = this.#deps;
    const at = clock.now();
    if (!this.#sums || at - this.#sums.at > SUMS_FRESH_MS) {
      // They tell of the whole installation, whose request ever asks first.
      const value = runAsService(async () => {
        const [arquivos, esquemas, maisNovosQueOEsquema] = await Promise.all([
          sumArquivos(db.read),
          listEsquemasEmThread(config.dataFolder),
          queries.countMaisNovosQueOEsquema(db.read, {
            contadorId: null,
            desde: esquemasMudaramEm(config.dataFolder),
          }),
        ]);
        return { arquivos, esquemas, maisNovosQueOEsquema };
      });
      value.catch(() => this.#forget());
      this.#sums = { at, value };
    }
    return this.#sums.value;
  }

  #avisos(
    page: {
      fila: { esperando: number; emExecucao: number; falharam: number };
      disco: { livre: number; total: number };
      maisNovosQueOEsquema: number;
      agenda: { ultima: { erro: string | null } | null };
    },
    copiaEm: number | null,
  ): Aviso[] {
    const { fila, disco, maisNovosQueOEsquema: novos } = page;
    const old = copiaEm === null || this.#deps.clock.now() - copiaEm > BACKUP_DAYS * DAY_MS;
    return [
      ...(disco.livre < disco.total * LITTLE_ROOM ? [aviso('disco_quase_cheio')] : []),
      ...(fila.esperando > 0 && fila.emExecucao === 0 ? [aviso('fila_parada')] : []),
      ...(fila.falharam > 0 ? [aviso('importacoes_desistidas')] : []),
      ...(novos > 0 ? [avisoDeEsquema(novos)] : []),
      ...(page.agenda.ultima?.erro ? [aviso('copia_falhou')] : []),
      ...(old ? [aviso('sem_copia_recente')] : []),
      ...avisoDeVersao(this.#deps.processo),
    ];
  }
}

/** Which one, and which this is. */
function avisoDeVersao({ versao, versaoNova }: Processo): Aviso[] {
  const nova = versaoNova();
  if (nova === null) return [];
  const { codigo, mensagem } = aviso('versao_nova');
  return [{ codigo, mensagem: `${mensagem} Esta é a ${versao}; a nova, ${nova}.` }];
}

/** With how many there are, which tells how urgent it is. */
function avisoDeEsquema(novos: number): Aviso {
  const quantos = novos === 1 ? '1 documento' : `${novos.toLocaleString('pt-BR')} documentos`;
  const { codigo, mensagem } = aviso('esquema_mais_antigo');
  return {
    codigo,
    mensagem: `${mensagem} (${novos >= queries.MAIS_NOVOS_MAX ? `${quantos} ou mais` : quantos}.)`,
  };
}

/** The process of a job's owner without what only machines compare: `host (pid 12)`. */
function dono(owner: string): string {
  const [host = owner, pid] = owner.split('|');
  return pid ? `${host.split('/')[0]} (pid ${pid})` : host;
}

/** Bytes that came with the uploads, and bytes that the blob store holds. */
export async function sumArquivos(db: Db): Promise<Somas['arquivos']> {
  const [envios, pacotes, exportacoes] = await Promise.all([
    queries.sumEnvios(db),
    queries.sumPacotes(db),
    queries.sumExportacoes(db),
  ]);
  return { recebidos: envios.recebidos, guardados: envios.guardados + pacotes + exportacoes };
}

/** Official names end in their version: `PL_010b_NT2025_002_v1.30`. */
function comFamilia(pacote: PacoteListado) {
  const [, familia = pacote.nome, versao = null] = /^(.*?)[_-]?(v?\d[\w.]*)$/i.exec(pacote.nome) ?? [];
  return { familia, versao, ...pacote };
}
