/** What stands between a captor and the simulator, where lines break and processes die. */
import { enderecosDe } from '../../src/captura/client/enderecos.ts';
import {
  FalhaDeTransporte,
  type PedidoHttp,
  type RespostaHttp,
  type Transporte,
} from '../../src/captura/client/tipos.ts';
import type { Simulador } from '../../src/simulador/simulador.ts';
import type { CertificadoApresentado, Desfecho } from '../../src/simulador/tipos.ts';

export const MALOTE = 'malote';

export interface Linha {
  simulador: Simulador;
  /** By fingerprint. */
  certificados: ReadonlyMap<string, CertificadoApresentado>;
  /** Whether the process dies during this call: before the service has done its work, after it, or not. */
  morte(): 'antes' | 'depois' | null;
  /** An answer has come to somebody who lives. */
  onResposta(pedido: PedidoHttp, bytes: Buffer): void;
}

export class TransporteDoAno implements Transporte {
  readonly #linha: Linha;
  readonly #die: () => void;
  #morto = false;

  /** @param die the captor is dead: nothing it waits for will ever come */
  constructor(linha: Linha, die: () => void) {
    this.#linha = linha;
    this.#die = die;
  }

  async pedir(pedido: PedidoHttp): Promise<RespostaHttp> {
    const { simulador, morte, onResposta } = this.#linha;
    if (this.#morto) return never();
    const death = morte();
    if (death === 'antes') return this.#end();
    const desfecho = await simulador.call({
      servico: pedido.endereco,
      metodo: pedido.method,
      caminho: pedido.url.slice(enderecosDe(1)(pedido.endereco).length),
      cabecalhos: { ...pedido.headers, 'user-agent': MALOTE },
      corpo: pedido.body ?? '',
      certificado: this.#linha.certificados.get(pedido.certificado.impressao) ?? null,
    });
    if (death === 'depois' || this.#morto) {
      desfecho.origem.entregue = false;
      return this.#end();
    }
    const resposta = answerOf(desfecho);
    onResposta(pedido, resposta.bytes);
    return resposta;
  }

  close(): void {}

  #end(): Promise<never> {
    this.#morto = true;
    this.#die();
    return never();
  }
}

/** What a dead process waits for. */
const never = () => new Promise<never>(() => undefined);

function answerOf(desfecho: Desfecho): RespostaHttp {
  if (desfecho.tipo === 'queda')
    throw new FalhaDeTransporte(desfecho.queda === 'reset' ? 'interrompida' : 'prazo_de_resposta', {
      enviado: true,
    });
  const { status, cabecalhos, corpo } = desfecho.resposta;
  return { status, headers: cabecalhos, bytes: Buffer.from(corpo) };
}
