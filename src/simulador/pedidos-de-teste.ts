/** A simulated world with one supplier and one client, and the requests that a client makes of the services, for tests. */
import { gunzipSync } from 'node:zlib';
import { type Certificado, certificadoDe, SEMENTE_CERTIFICADOS } from '../gerador/certificado.ts';
import { type Empresa, generateEmpresa } from '../gerador/empresas.ts';
import { type EntradaNfe, generateNfe } from '../gerador/nfe.ts';
import { RelogioVirtual } from './relogio.ts';
import { Simulador } from './simulador.ts';
import { element, field } from './soap.ts';
import type { CertificadoApresentado, Desfecho, Pedido, Servico } from './tipos.ts';

const INICIO = Date.UTC(2026, 8, 1, 12);
export const HORA = 3_600_000;
export const DIA = 24 * HORA;

interface Resposta {
  cStat: string;
  ultNSU: number;
  maxNSU: number;
  /** `schema` and text of each document; null for one that is no gzip. */
  documentos: { nsu: number | null; schema: string; xml: string | null }[];
}

export class MundoSimulado {
  readonly relogio = new RelogioVirtual(INICIO);
  readonly simulador = new Simulador({ relogio: this.relogio });
  readonly fornecedor = generateEmpresa('simulador/fornecedor', { perfil: 'distribuidora', uf: 'SP' });
  readonly cliente = generateEmpresa('simulador/cliente', { perfil: 'comercio', uf: 'SP' });
  readonly outro = generateEmpresa('simulador/outro', { perfil: 'comercio', uf: 'SP' });
  #numero = 0;

  /** Publishes a note of the supplier to the client. @returns its key and its text */
  publishNota(mais: Partial<EntradaNfe> = {}) {
    this.#numero++;
    const nota = generateNfe({
      semente: `simulador/${this.#numero}`,
      emitente: this.fornecedor,
      destinatario: this.cliente,
      modelo: '55',
      serie: 1,
      numero: this.#numero,
      // SEFAZ answers some seconds later.
      emissao: new Date(this.relogio.now() - 300_000),
      itens: 1,
      ...mais,
    });
    return { ...nota, entregas: this.simulador.publish(nota.xml) };
  }

  certificado(de: Empresa): Certificado {
    return certificadoDe(de, SEMENTE_CERTIFICADOS, new Date(this.relogio.now()));
  }

  /** A request of the client. */
  pedido(servico: Servico, mais: Partial<Pedido> & { agente?: string; de?: Empresa } = {}): Pedido {
    const { agente = 'malote', de = this.cliente, ...rest } = mais;
    return {
      servico,
      metodo: 'POST',
      caminho: '',
      cabecalhos: { 'user-agent': agente, 'content-type': 'application/soap+xml; charset=utf-8' },
      corpo: '',
      certificado: apresentar(de),
      ...rest,
    };
  }

  distribuicao(pergunta: string, mais: Partial<Pergunta> = {}): Resposta {
    return lerDistribuicao(this.simulador.answer(this.pedidoDeDistribuicao(pergunta, mais)));
  }

  pedidoDeDistribuicao(pergunta: string, mais: Partial<Pergunta> = {}): Pedido {
    const { servico = 'nfe', interessado = this.cliente.id, certificado, agente, de } = mais;
    const Nome = servico === 'nfe' ? 'NFe' : 'CTe';
    const wsdl = `http://www.portalfiscal.inf.br/${servico}/wsdl/${Nome}DistribuicaoDFe`;
    const versao = servico === 'nfe' ? '1.01' : '1.00';
    const tag = interessado.length === 14 ? 'CNPJ' : 'CPF';
    const corpo =
      '<?xml version="1.0" encoding="utf-8"?><soap12:Envelope xmlns:soap12="http://www.w3.org/2003/05/soap-envelope">' +
      `<soap12:Body><${servico}DistDFeInteresse xmlns="${wsdl}"><${servico}DadosMsg>` +
      `<distDFeInt versao="${versao}" xmlns="http://www.portalfiscal.inf.br/${servico}"><tpAmb>1</tpAmb>` +
      `<cUFAutor>35</cUFAutor><${tag}>${interessado}</${tag}>${pergunta}</distDFeInt>` +
      `</${servico}DadosMsg></${servico}DistDFeInteresse></soap12:Body></soap12:Envelope>`;
    return this.pedido(servico, {
      corpo,
      ...(certificado === undefined ? {} : { certificado }),
      ...(agente === undefined ? {} : { agente }),
      ...(de === undefined ? {} : { de }),
    });
  }

  distNsu(ultNSU: number, mais: Partial<Pergunta> = {}): Resposta {
    const nsu = String(ultNSU).padStart(15, '0');
    return this.distribuicao(`<distNSU><ultNSU>${nsu}</ultNSU></distNSU>`, mais);
  }

  consNsu(NSU: number, mais: Partial<Pergunta> = {}): Resposta {
    return this.distribuicao(`<consNSU><NSU>${String(NSU).padStart(15, '0')}</NSU></consNSU>`, mais);
  }

  consChave(chave: string, mais: Partial<Pergunta> = {}): Resposta {
    return this.distribuicao(`<consChNFe><chNFe>${chave}</chNFe></consChNFe>`, mais);
  }

  /** The first call of the client, which starts the gathering; the hour after it passes. */
  start(servico: 'nfe' | 'cte' = 'nfe', de: Empresa = this.cliente): void {
    this.distNsu(0, { servico, interessado: de.id, de });
    this.relogio.advance(HORA);
  }
}

interface Pergunta {
  servico: 'nfe' | 'cte';
  interessado: string;
  certificado: CertificadoApresentado | null;
  agente: string;
  de: Empresa;
}

export function apresentar({ id }: Pick<Empresa, 'id'>): CertificadoApresentado {
  return { titular: id, validoDe: 0, validoAte: Number.MAX_SAFE_INTEGER };
}

/** Body of an answer. A broken line fails the test. */
export function corpoDe(desfecho: Desfecho): { status: number; texto: string } {
  if (desfecho.tipo === 'queda') throw new Error(`no answer: ${desfecho.queda}`);
  const { status, corpo } = desfecho.resposta;
  return { status, texto: Buffer.from(corpo).toString('utf8') };
}

function lerDistribuicao(desfecho: Desfecho): Resposta {
  const { texto } = corpoDe(desfecho);
  const ret = element(texto, 'retDistDFeInt') ?? '';
  return {
    cStat: field(ret, 'cStat') ?? texto,
    ultNSU: Number(field(ret, 'ultNSU')),
    maxNSU: Number(field(ret, 'maxNSU')),
    documentos: [...ret.matchAll(/<docZip(?: NSU="(\d+)")? schema="([^"]+)">([^<]+)</g)].map(
      ([, nsu, schema = '', base64 = '']) => ({
        nsu: nsu === undefined ? null : Number(nsu),
        schema,
        xml: gunzip(base64),
      }),
    ),
  };
}

function gunzip(base64: string): string | null {
  try {
    return gunzipSync(Buffer.from(base64, 'base64')).toString('utf8');
  } catch {
    return null;
  }
}
