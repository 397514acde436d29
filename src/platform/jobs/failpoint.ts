/**
 * Named places at which the process can be made to die, so that the crash tests hit each of them and not only
 * those that chance picks. `MALOTE_PONTO_DE_FALHA=<name>` kills at the first pass, `<name>:<n>` at the n-th. It is
 * no setting of the service: nothing but tests sets it.
 */
export const FAILPOINTS = [
  'upload_blob_duravel',
  'upload_antes_do_commit',
  'upload_depois_do_commit',
  'job_tomado',
  'lote_lido',
  'lote_antes_do_commit',
  'lote_depois_do_commit',
  'ultimo_lote_antes_do_commit',
  'ultimo_lote_depois_do_commit',
] as const;
/** Those of a rotation of the master key, which is a command of its own. */
export const FAILPOINTS_DA_CHAVE_MESTRA = [
  'chave_mestra_no_arquivo',
  'reselagem_antes_do_commit',
  'reselagem_depois_do_commit',
  'chave_mestra_antes_de_sair',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number] | (typeof FAILPOINTS_DA_CHAVE_MESTRA)[number];

const passes = new Map<string, number>();
let override: ((name: Failpoint) => void) | null = null;

/** Does nothing, unless a test asked for a death here. */
export function failpoint(name: Failpoint): void {
  if (override) {
    override(name);
    return;
  }
  const wanted = process.env.MALOTE_PONTO_DE_FALHA;
  if (!wanted) return;
  const [wantedName, wantedPass = '1'] = wanted.split(':');
  if (wantedName !== name) return;
  const pass = (passes.get(name) ?? 0) + 1;
  passes.set(name, pass);
  if (pass === Number(wantedPass)) process.kill(process.pid, 'SIGKILL');
}

/** Replaces dying by an act of the test (throwing, mostly); null ends that. */
export function onFailpoint(act: ((name: Failpoint) => void) | null): void {
  override = act;
}
