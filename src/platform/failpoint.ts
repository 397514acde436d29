/**
 * Named points at which the process can be made to fail, so that the crash tests hit each of them and not only those that
 * chance picks. `MALOTE_PONTO_DE_FALHA=<name>` kills at the first pass, `<name>:<n>` at the n-th, `<name>:*` at each. An
 * act other than the kill stands behind a second colon. `@<text>` keeps to passes whose detail holds that text:
 * `documento_em_leitura:*:memoria@nota-7`. Nothing but tests sets it.
 */
export const FAILPOINTS = [
  'blob_escrito',
  'blob_sincronizado',
  'blob_renomeado',
  'upload_blob_duravel',
  'upload_antes_do_commit',
  'upload_depois_do_commit',
  'job_tomado',
  'job_retomado',
  'arquivo_aberto',
  'zip_no_meio',
  'lote_descompactado',
  'documento_em_leitura',
  'lote_lido',
  'lote_antes_do_commit',
  'lote_depois_do_commit',
  'ultimo_lote_antes_do_commit',
  'ultimo_lote_depois_do_commit',
] as const;
/** Those of a start. */
export const FAILPOINTS_DA_MIGRACAO = ['migracao_antes_do_commit', 'migracao_depois_do_commit'] as const;
/** Those of a rotation of the master key, which is a command of its own. */
export const FAILPOINTS_DA_CHAVE_MESTRA = [
  'chave_mestra_no_arquivo',
  'reselagem_antes_do_commit',
  'reselagem_depois_do_commit',
  'chave_mestra_antes_de_sair',
] as const;
/** Those of what becomes of the bytes of an upload that is done. */
const FAILPOINTS_DA_RECEITA = ['receita_comecada'] as const;
/** Those of a call of capture, in their order. */
export const FAILPOINTS_DA_CAPTURA = [
  'captura_antes_de_marcar',
  'captura_marcada',
  'captura_respondida',
  'captura_blob_duravel',
  'captura_antes_do_commit',
  'captura_depois_do_commit',
] as const;
/** Those of a call that declares something, in their order. */
const FAILPOINTS_DA_MANIFESTACAO = [
  'manifestacao_marcada',
  'manifestacao_respondida',
  'manifestacao_blob_duravel',
  'manifestacao_depois_do_commit',
] as const;
/** Those of notes that waited for their layout. */
const FAILPOINTS_DO_LEIAUTE = ['ensinadas_antes_do_commit'] as const;
/** Those of a move to PostgreSQL. */
const FAILPOINTS_DA_MUDANCA = ['mudanca_antes_do_commit', 'mudanca_depois_do_commit'] as const;
export type Failpoint =
  | (typeof FAILPOINTS)[number]
  | (typeof FAILPOINTS_DA_MIGRACAO)[number]
  | (typeof FAILPOINTS_DA_CHAVE_MESTRA)[number]
  | (typeof FAILPOINTS_DA_RECEITA)[number]
  | (typeof FAILPOINTS_DA_CAPTURA)[number]
  | (typeof FAILPOINTS_DA_MANIFESTACAO)[number]
  | (typeof FAILPOINTS_DO_LEIAUTE)[number]
  | (typeof FAILPOINTS_DA_MUDANCA)[number];

/** What a failpoint does to its thread or process. */
const ATOS: Readonly<Record<string, () => void>> = {
  /** The power cord. */
  matar: () => process.kill(process.pid, 'SIGKILL'),
  /** An error of ours. */
  lancar: () => {
    throw new Error('a failpoint throws');
  },
  /** Ends the thread, or on the main thread the process. */
  sair: () => process.exit(1),
  travar: () => {
    for (;;);
  },
  /** Fills the thread's heap until it is ended. */
  memoria: () => {
    const kept: unknown[] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => ({ at })));
  },
};

interface Pedido {
  name: string;
  /** null: at every pass. */
  pass: number | null;
  act: () => void;
  detail: string;
}

const pedido = readPedido(process.env.MALOTE_PONTO_DE_FALHA ?? '');
let passes = 0;
let override: ((name: Failpoint) => void) | null = null;

function readPedido(text: string): Pedido | null {
  const [, name, pass = '1', act = 'matar', detail = ''] =
    /^(\w+)(?::(\d+|\*))?(?::(\w+))?(?:@(.*))?$/.exec(text) ?? [];
  if (name === undefined) return null;
  const found = ATOS[act];
  if (!found) throw new Error(`a failpoint has no act ${act}`);
  return { name, pass: pass === '*' ? null : Number(pass), act: found, detail };
}

/**
 * Does nothing, unless a test asked for a failure here.
 * @param detail what this pass is about; asked for only when it matters
 */
export function failpoint(name: Failpoint, detail?: () => string): void {
  if (override) {
    override(name);
    return;
  }
  if (pedido?.name !== name) return;
  if (pedido.detail !== '' && !detail?.().includes(pedido.detail)) return;
  passes += 1;
  if (pedido.pass === null || pedido.pass === passes) pedido.act();
}

/** Replaces failing by an act of the test (throwing, mostly); null ends that. */
export function onFailpoint(act: ((name: Failpoint) => void) | null): void {
  override = act;
}
