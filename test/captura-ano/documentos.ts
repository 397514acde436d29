/**
 * Documents of a simulated year: one signed document of each kind and pair of parties, of which others are made by another
 * number and date. Their signatures do not fit, which a service that gives them answers for.
 */
import { chaveCheckDigit } from '../../src/fiscal/chave.ts';
import type { Chave } from '../../src/fiscal/tipos.ts';
import { generateCte } from '../../src/gerador/cte.ts';
import { type Empresa, generateEmpresa } from '../../src/gerador/empresas.ts';
import { localIso } from '../../src/gerador/municipios.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import { generateNfse } from '../../src/gerador/nfse.ts';

/** What a client receives, or issues: an NF-e by autXML, an NF-e as its recipient, a CT-e, an NFS-e, an NFC-e. */
export type Tipo = 'nfe_autorizado' | 'nfe_destinatario' | 'cte' | 'nfse' | 'nfce';

interface Modelo {
  xml: string;
  chave: Chave;
}

const MODELO_EM = new Date('2026-01-05T12:00:00Z');

export class Documentos {
  readonly #fornecedor: Empresa;
  readonly #comprador: Empresa;
  readonly #transportadora: Empresa;
  readonly #prestador: Empresa;
  readonly #modelos = new Map<string, Modelo>();
  #numero = 1_000;

  constructor(semente: string) {
    const company = (nome: string, perfil: 'distribuidora' | 'comercio' | 'transportadora' | 'servicos') =>
      generateEmpresa(`${semente}/${nome}`, { perfil, uf: 'SP' });
    this.#fornecedor = company('fornecedor', 'distribuidora');
    this.#comprador = company('comprador', 'comercio');
    this.#transportadora = company('transportadora', 'transportadora');
    this.#prestador = company('prestador', 'servicos');
  }

  /** @param em ms */
  make(tipo: Tipo, cliente: Empresa, em: number): Modelo {
    const numero = ++this.#numero;
    const modelo = this.#modelo(tipo, cliente);
    return tipo === 'nfse' ? numberNfse(modelo, numero, em) : numberDfe(modelo, numero, em);
  }

  #modelo(tipo: Tipo, cliente: Empresa): Modelo {
    const id = `${tipo}/${cliente.id}`;
    const known = this.#modelos.get(id) ?? this.#sign(tipo, cliente);
    this.#modelos.set(id, known);
    return known;
  }

  #sign(tipo: Tipo, cliente: Empresa): Modelo {
    const comum = { semente: `${tipo}/${cliente.id}`, numero: 1, emissao: MODELO_EM, serie: 1 };
    const nota = { ...comum, modelo: '55' as const, emitente: this.#fornecedor, itens: 1 };
    switch (tipo) {
      case 'nfe_autorizado':
        return generateNfe({ ...nota, destinatario: this.#comprador, autorizados: [cliente.id] });
      case 'nfe_destinatario':
        return generateNfe({ ...nota, destinatario: cliente });
      case 'cte':
        return generateCte({
          ...comum,
          emitente: this.#transportadora,
          remetente: this.#fornecedor,
          destinatario: cliente,
          carga: { notas: [], valor: 100_000 },
        });
      case 'nfse':
        return generateNfse({
          ...comum,
          prestador: this.#prestador,
          tomador: cliente,
          dps: { serie: 1, numero: 1 },
        });
      case 'nfce':
        return generateNfe({ ...nota, emitente: cliente, destinatario: null, modelo: '65' });
    }
  }
}

function numberDfe({ xml, chave }: Modelo, numero: number, em: number): Modelo {
  const dhEmi = localIso(new Date(em - 60_000), 'SP');
  const [serie, nNF] = [1 + Math.floor(numero / 900_000_000), numero % 900_000_000];
  const body = `${chave.slice(0, 2)}${dhEmi.slice(2, 4)}${dhEmi.slice(5, 7)}${chave.slice(6, 22)}${String(serie).padStart(3, '0')}${String(nNF).padStart(9, '0')}${chave.slice(34, 43)}`;
  const other = (body + chaveCheckDigit(body)) as Chave;
  const text = xml
    .replaceAll(chave, other)
    .replace(/<(nNF|nCT)>\d+</, `<$1>${nNF}<`)
    .replace(/<cDV>\d</, `<cDV>${other.slice(43)}<`)
    .replace(/<dhEmi>[^<]+/, `<dhEmi>${dhEmi}`)
    .replace(/<dhRecbto>[^<]+/, `<dhRecbto>${localIso(new Date(em - 30_000), 'SP')}`);
  return { xml: text, chave: other };
}

function numberNfse({ xml, chave }: Modelo, numero: number, em: number): Modelo {
  const dhEmi = localIso(new Date(em - 60_000), 'SP');
  const body = `${chave.slice(0, 23)}${String(numero).padStart(13, '0')}${dhEmi.slice(2, 4)}${dhEmi.slice(5, 7)}${chave.slice(40, 49)}`;
  const other = (body + chaveCheckDigit(body)) as Chave;
  const dps = /<infDPS Id="(DPS\w+)"/.exec(xml)?.[1] ?? '';
  const text = xml
    .replaceAll(chave, other)
    .replaceAll(dps, `${dps.slice(0, -15)}${String(numero).padStart(15, '0')}`)
    .replace(/<nNFSe>\d+</, `<nNFSe>${numero}<`)
    .replace(/<nDPS>\d+</, `<nDPS>${numero}<`)
    .replaceAll(/<(dhEmi|dhProc)>[^<]+/g, `<$1>${dhEmi}`);
  return { xml: text, chave: other };
}
