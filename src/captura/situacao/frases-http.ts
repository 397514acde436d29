/** What it means that something answered which is not the service: HTTP statuses, as capture keeps them (`http_503`). */
import { tabela } from '../../fiscal/tabela.ts';
import type { Frase } from './frase.ts';

const CONHECIDOS: Readonly<Record<string, Frase>> = tabela<Frase>({
  400: {
    diz: 'O serviço não entendeu a consulta (HTTP 400).',
    fazer: 'É um defeito do Malote ou uma mudança no serviço: envie esta mensagem ao suporte do Malote.',
    quem: 'operador',
  },
  401: {
    diz: 'O serviço não aceitou o certificado do cliente (HTTP 401).',
    fazer: 'Confira se o certificado A1 é deste cliente e se não foi revogado; na dúvida, envie-o de novo.',
    quem: 'escritorio',
  },
  403: {
    diz: 'O serviço não recebeu ou não aceitou o certificado do cliente (HTTP 403).',
    fazer:
      'Confira se o certificado A1 está válido e não foi revogado, e envie-o de novo. Se acontecer com todos os clientes, um proxy ou antivírus abre as conexões no caminho: peça a quem cuida da rede que libere o endereço do serviço.',
    quem: 'escritorio',
  },
  404: {
    diz: 'O endereço do serviço não existe (HTTP 404).',
    fazer:
      'O serviço pode ter mudado de endereço: atualize o Malote; se já estiver atualizado, avise o suporte.',
    quem: 'operador',
  },
  405: {
    diz: 'O serviço não aceita esta consulta neste endereço (HTTP 405).',
    fazer: 'É um defeito do Malote ou uma mudança no serviço: envie esta mensagem ao suporte do Malote.',
    quem: 'operador',
  },
  429: {
    diz: 'O serviço pediu para diminuir o ritmo das consultas (HTTP 429).',
    fazer:
      'Nada a fazer: o Malote espera o tempo pedido e continua. Se repetir sempre, veja se outro programa faz consultas pela mesma internet.',
    quem: 'ninguem',
  },
});

const SHAPE = /^http_(\d{3})$/;

/** The sentence of a status that capture kept; null for any other code. */
export function fraseDeHttp(codigo: string): Frase | null {
  const status = SHAPE.exec(codigo)?.[1];
  if (status === undefined) return null;
  if (status.startsWith('5')) {
    return {
      diz: `O serviço está fora do ar (HTTP ${status}).`,
      fazer: 'Nada a fazer: o Malote tenta de novo sozinho, e nenhum documento se perde.',
      quem: 'ninguem',
    };
  }
  return (
    CONHECIDOS[status] ?? {
      diz: `Veio uma resposta que não é do serviço (HTTP ${status}).`,
      fazer:
        'O Malote tenta de novo mais tarde. Se durar mais de um dia, verifique se há um proxy ou antivírus no caminho da internet do servidor.',
      quem: 'operador',
    }
  );
}
