/** All attacks, in the order in which they are run. */
import type { Ataque } from './ataque.ts';
import { autorizados } from './cenarios/autorizados.ts';
import { bancoParado } from './cenarios/banco-parado.ts';
import { caminhos } from './cenarios/caminhos.ts';
import { copias } from './cenarios/copias.ts';
import { direitos } from './cenarios/direitos.ts';
import { pedacos, prefixos } from './cenarios/documentos-caros.ts';
import { falsos } from './cenarios/falsos.ts';
import { enviosLentos } from './cenarios/lentos.ts';
import { downloadsSemLer, paginasSemLer } from './cenarios/sem-ler.ts';
import { senhas } from './cenarios/senhas.ts';
import { caminhosLongos, nomesLongos } from './cenarios/textos-longos.ts';
import { vistas } from './cenarios/vistas.ts';

export const ATAQUES: readonly Ataque[] = [
  copias,
  paginasSemLer,
  downloadsSemLer,
  nomesLongos,
  caminhosLongos,
  prefixos,
  pedacos,
  autorizados,
  enviosLentos,
  bancoParado,
  vistas,
  caminhos,
  senhas,
  falsos,
  direitos,
];
