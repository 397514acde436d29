/**
 * The table of the layouts that are read: the first that fits counts, so that what is told by few names stands behind what
 * is told by many, and the one for layouts that nobody described is the last.
 */
import { compilar } from './compilar.ts';
import type { Leiaute } from './leiaute.ts';
import { Reconhecedor } from './reconhecer.ts';
import { abrasf } from './tabela/abrasf.ts';
import { agili } from './tabela/agili.ts';
import { assessorPublico } from './tabela/assessor-publico.ts';
import { barueri } from './tabela/barueri.ts';
import { cambe } from './tabela/cambe.ts';
import { cecam } from './tabela/cecam.ts';
import { conam } from './tabela/conam.ts';
import { dsExportar } from './tabela/ds-exportar.ts';
import { dsf } from './tabela/dsf.ts';
import { dsfPortal } from './tabela/dsf-portal.ts';
import { el } from './tabela/el.ts';
import { equiplano } from './tabela/equiplano.ts';
import { equiplanoPortal } from './tabela/equiplano-portal.ts';
import { florianopolis } from './tabela/florianopolis.ts';
import { geisweb } from './tabela/geisweb.ts';
import { generico } from './tabela/generico.ts';
import { giap } from './tabela/giap.ts';
import { goiania } from './tabela/goiania.ts';
import { govdigital } from './tabela/govdigital.ts';
import { governa } from './tabela/governa.ts';
import { infisc } from './tabela/infisc.ts';
import { ipm } from './tabela/ipm.ts';
import { itemDeNotas } from './tabela/item-de-notas.ts';
import { joinville } from './tabela/joinville.ts';
import { notaPreTom } from './tabela/nota-pre-tom.ts';
import { osasco } from './tabela/osasco.ts';
import { paulistana } from './tabela/paulistana.ts';
import { rlz } from './tabela/rlz.ts';
import { saoLuis } from './tabela/sao-luis.ts';
import { siappa } from './tabela/siappa.ts';
import { sigcorp } from './tabela/sigcorp.ts';
import { sigissDadosNota } from './tabela/sigiss-dadosnota.ts';
import { sigissEspelho } from './tabela/sigiss-espelho.ts';
import { sigissweb } from './tabela/sigissweb.ts';
import { simple } from './tabela/simple.ts';
import { smarapd } from './tabela/smarapd.ts';
import { webfisco } from './tabela/webfisco.ts';
import { xmlReport } from './tabela/xml-report.ts';

export const LEIAUTES: readonly Leiaute[] = [
  goiania,
  abrasf,
  sigcorp,
  paulistana,
  dsf,
  dsfPortal,
  ipm,
  equiplano,
  equiplanoPortal,
  saoLuis,
  infisc,
  agili,
  florianopolis,
  sigissEspelho,
  geisweb,
  el,
  smarapd,
  sigissDadosNota,
  dsExportar,
  sigissweb,
  conam,
  assessorPublico,
  joinville,
  giap,
  barueri,
  cecam,
  govdigital,
  governa,
  notaPreTom,
  osasco,
  siappa,
  simple,
  webfisco,
  rlz,
  cambe,
  itemDeNotas,
  xmlReport,
  generico,
];

const COMPILADOS = LEIAUTES.map(compilar);

/** Notes of the layouts of this table. */
export const NOTAS_MUNICIPAIS = new Reconhecedor(COMPILADOS);

/** The last of the table, by whose names an element that is no note is told what it lacks. */
export const GENERICO = COMPILADOS[COMPILADOS.length - 1] as (typeof COMPILADOS)[number];

/**
 * Notes of the layouts of this table and of others, which count behind ours, and before the one for what nobody described.
 *
 * @param outros descriptions that passed their check (`validar-leiaute.ts`)
 */
export function reconhecedorCom(outros: readonly Leiaute[]): Reconhecedor {
  return new Reconhecedor([...COMPILADOS.slice(0, -1), ...outros.map(compilar), GENERICO]);
}
