/** All scenarios, in the order of the plan. */
import type { Cenario } from './cenario.ts';
import { quedaDeQuatro, quedaDeUm } from './cenarios/r01-quedas.ts';
import { pontosDeFalha } from './cenarios/r02-pontos-de-falha.ts';
import { quatroProcessos } from './cenarios/r03-quatro-processos.ts';
import { corridaDeNsu } from './cenarios/r04-corrida-de-nsu.ts';
import { bancoQueCai, conexoesCortadas, poucasConexoes } from './cenarios/r05-banco-que-cai.ts';
import { integridade } from './cenarios/r06-integridade.ts';
import { discoCheio } from './cenarios/r07-disco-cheio.ts';
import { fsyncQueFalha, ordemDaDurabilidade } from './cenarios/r08-fsync.ts';
import { relogio } from './cenarios/r10-relogio.ts';
import { clientesLentos } from './cenarios/r11-clientes-lentos.ts';
import { muitosEnvios } from './cenarios/r12-muitos-envios.ts';
import { abortos } from './cenarios/r13-abortos.ts';
import { mesmoEnvio } from './cenarios/r14-mesmo-envio.ts';
import { duplicados } from './cenarios/r15-duplicados.ts';
import { ordem } from './cenarios/r16-ordem.ts';
import { threadQueMorre } from './cenarios/r18-thread-que-morre.ts';
import { paradaDeUm, paradaEmRodizio } from './cenarios/r20-parada.ts';
import { copiaDeSeguranca } from './cenarios/r21-copia.ts';
import { atualizacao } from './cenarios/r22-atualizacao.ts';
import { bucketQueFalha } from './cenarios/r23-s3.ts';
import { bitsTrocados } from './cenarios/r24-bits.ts';
import { bitsEmQualquerPagina } from './cenarios/r24-paginas.ts';
import { bitsEmQualquerPaginaDoPostgres } from './cenarios/r24-paginas-postgres.ts';
import { paginasEstaveis, statusMonotono } from './cenarios/r29-leitura-ao-vivo.ts';

export const CENARIOS: readonly Cenario[] = [
  quedaDeUm,
  quedaDeQuatro,
  pontosDeFalha,
  quatroProcessos,
  corridaDeNsu,
  bancoQueCai,
  conexoesCortadas,
  integridade,
  discoCheio,
  fsyncQueFalha,
  ordemDaDurabilidade,
  relogio,
  clientesLentos,
  muitosEnvios,
  abortos,
  mesmoEnvio,
  duplicados,
  ordem,
  threadQueMorre,
  paradaDeUm,
  paradaEmRodizio,
  copiaDeSeguranca,
  atualizacao,
  bucketQueFalha,
  bitsTrocados,
  bitsEmQualquerPagina,
  bitsEmQualquerPaginaDoPostgres,
  poucasConexoes,
  statusMonotono,
  paginasEstaveis,
];
