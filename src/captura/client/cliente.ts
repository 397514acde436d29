/** The calls of capture, one function each. Nothing here decides whether a call may be made (`../decidir.ts`). */
import type { Ambiente } from '../../banco/tabelas-captura.ts';
import type { NomeDoEndereco, Transporte } from './tipos.ts';

/** What every call needs. */
export interface ClienteDaCaptura {
  transporte: Transporte;
  ambiente: Ambiente;
  /** Base address of a service, without slash at its end. */
  endereco(nome: NomeDoEndereco): string;
}
