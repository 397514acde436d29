/** Ready documents for some clients: what integrators and demonstrations capture. Signed by the laboratory. */
import { generateCte } from '../gerador/cte.ts';
import { type Empresa, generateEmpresa } from '../gerador/empresas.ts';
import { generateEvento } from '../gerador/eventos.ts';
import { generateNfe } from '../gerador/nfe.ts';
import { generateNfse } from '../gerador/nfse.ts';
import type { Simulador } from './simulador.ts';
import type { Entrega } from './tipos.ts';

export interface Exemplos {
  clientes: readonly Empresa[];
  /** Publishes that many documents, now, one client after the other and one kind after the other. */
  add(quantidade: number): Entrega[];
}

/** @param semente the same seed makes the same companies */
export function makeExemplos(simulador: Simulador, semente: string, quantos: number): Exemplos {
  const company = (nome: string, perfil: 'comercio' | 'distribuidora' | 'transportadora' | 'servicos') =>
    generateEmpresa(`${semente}/${nome}`, { perfil, uf: 'SP' });
  const clientes = Array.from({ length: quantos }, (_, i) => company(`cliente/${i}`, 'comercio'));
  const fornecedor = company('fornecedor', 'distribuidora');
  const transportadora = company('transportadora', 'transportadora');
  const prestador = company('prestador', 'servicos');
  let numero = 0;

  /** One kind after the other; each gives one document at least. */
  const KINDS: readonly ((cliente: Empresa, serial: Serial) => string[])[] = [
    (cliente, serial) => [notaFor(fornecedor, cliente, serial).xml],
    (cliente, serial) => [
      generateCte({
        ...serial,
        emitente: transportadora,
        remetente: fornecedor,
        destinatario: cliente,
        serie: 1,
        carga: { notas: [], valor: 100_000 },
      }).xml,
    ],
    (cliente, serial) => [
      generateNfse({ ...serial, prestador, tomador: cliente, dps: { serie: 1, numero: serial.numero } }).xml,
    ],
    (cliente, serial) => [
      generateNfe({ ...serial, emitente: cliente, destinatario: null, modelo: '65', serie: 1, itens: 1 }).xml,
    ],
    (cliente, serial) => {
      const nota = notaFor(fornecedor, cliente, serial);
      const codigo = '110111';
      const nProt = nota.protocolo?.nProt ?? null;
      const { chave } = nota;
      const cancel = { semente: serial.semente, codigo, chave, autor: fornecedor, em: serial.emissao, nProt };
      return [nota.xml, generateEvento(cancel).xml];
    },
  ];

  return {
    clientes,
    add: (quantidade) =>
      Array.from({ length: quantidade }, (_, i) => {
        const cliente = clientes[i % clientes.length];
        const kind = KINDS[Math.floor(i / clientes.length) % KINDS.length];
        numero++;
        const serial = {
          semente: `${semente}/${numero}`,
          numero,
          emissao: new Date(simulador.now() - EMITIDOS_HA_MS),
        };
        return cliente && kind ? kind(cliente, serial).flatMap((xml) => simulador.publish(xml)) : [];
      }).flat(),
  };
}

/** An authorisation takes some seconds: nobody manifests a note before it. */
const EMITIDOS_HA_MS = 300_000;

interface Serial {
  semente: string;
  numero: number;
  emissao: Date;
}

function notaFor(emitente: Empresa, destinatario: Empresa, serial: Serial) {
  return generateNfe({ ...serial, emitente, destinatario, modelo: '55', serie: 1, itens: 2 });
}
