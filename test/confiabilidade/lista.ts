/** All scenarios, in the order of the plan. */
import type { Cenario } from './cenario.ts';
import { quedaDeQuatro, quedaDeUm } from './cenarios/r01-quedas.ts';
import { pontosDeFalha } from './cenarios/r02-pontos-de-falha.ts';
import { integridade } from './cenarios/r06-integridade.ts';
import { muitosEnvios } from './cenarios/r12-muitos-envios.ts';
import { abortos } from './cenarios/r13-abortos.ts';
import { mesmoEnvio } from './cenarios/r14-mesmo-envio.ts';
import { duplicados } from './cenarios/r15-duplicados.ts';
import { ordem } from './cenarios/r16-ordem.ts';
import { threadQueMorre } from './cenarios/r18-thread-que-morre.ts';
import { paradaDeUm, paradaEmRodizio } from './cenarios/r20-parada.ts';
import { bitsTrocados } from './cenarios/r24-bits.ts';
import { paginasEstaveis, statusMonotono } from './cenarios/r29-leitura-ao-vivo.ts';

export const CENARIOS: readonly Cenario[] = [
  quedaDeUm,
  quedaDeQuatro,
  pontosDeFalha,
  integridade,
  muitosEnvios,
  abortos,
  mesmoEnvio,
  duplicados,
  ordem,
  threadQueMorre,
  paradaDeUm,
  paradaEmRodizio,
  bitsTrocados,
  statusMonotono,
  paginasEstaveis,
];
