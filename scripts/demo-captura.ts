/** The demonstration's last stop: Malote fetches by itself what the simulated services of the tax authorities hold. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { comBanco, openCofreDe } from '../src/cli/deps.ts';
import { keepCertificado } from '../src/contas/certificado/guardar.ts';
import { readPfx } from '../src/contas/certificado/ler-pfx.ts';
import { findCliente } from '../src/contas/clientes.ts';
import { findContador } from '../src/contas/contadores.ts';
import { type Empresa, generateEmpresa } from '../src/gerador/empresas.ts';
import { generateNfse } from '../src/gerador/nfse.ts';
import { certificadoDoCliente, raizEmPem } from '../src/simulador/certificados.ts';
import { RelogioVirtual } from '../src/simulador/relogio.ts';
import { serveSimulador } from '../src/simulador/servidor.ts';
import { Simulador } from '../src/simulador/simulador.ts';

const SENHA_DO_PFX = 'demonstracao';
const NOTAS = 3;
const ASKED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 500;

export interface FiscoDeDemonstracao {
  /** Settings with which a server captures from it. */
  env: Record<string, string>;
  /** Puts some NFS-e that somebody has issued against a company into its queue. */
  issueTo(empresa: Empresa): void;
  encerrar(): Promise<void>;
}

/** The simulated services, on the air. */
export async function startFisco(): Promise<FiscoDeDemonstracao> {
  const pasta = mkdtempSync(join(tmpdir(), 'malote-demo-fisco-'));
  const relogio = RelogioVirtual.going();
  const simulador = new Simulador({ relogio });
  const noAr = await serveSimulador({ simulador, relogio });
  const raiz = join(pasta, 'raiz.pem');
  writeFileSync(raiz, raizEmPem());
  return {
    env: {
      MALOTE_CAPTURA_ENDERECOS: JSON.stringify(noAr.enderecos),
      MALOTE_CAPTURA_AUTORIDADES: raiz,
    },
    issueTo: (empresa) => {
      const prestador = generateEmpresa('demonstracao/prestador', { perfil: 'servicos' });
      for (let numero = 1; numero <= NOTAS; numero++) {
        const serial = { semente: `demonstracao/nfse/${numero}`, numero, dps: { serie: 1, numero } };
        const emissao = new Date(Date.now() - numero * 60_000);
        simulador.publish(generateNfse({ ...serial, prestador, tomador: empresa, emissao }).xml);
      }
    },
    encerrar: async () => {
      await noAr[Symbol.asyncDispose]();
      rmSync(pasta, { recursive: true, force: true });
    },
  };
}

/** Keeps an A1 of the laboratory for a client, as if the office had sent its PFX file. */
export async function keepA1(crm: string, empresa: Empresa): Promise<void> {
  await comBanco(async (deps) => {
    const { id: contadorId } = await findContador(deps.db.read, { codigoCrm: crm });
    const cliente = await findCliente(deps.db.read, { contadorId, cpfCnpj: empresa.id });
    const vault = await openCofreDe(deps);
    const lido = readPfx(certificadoDoCliente(empresa, new Date()).pfx(SENHA_DO_PFX), SENHA_DO_PFX);
    if (!cliente || 'falha' in lido) throw new Error('the certificate of the demonstration does not open');
    const { certificado } = lido;
    const { uf } = empresa;
    const input = { contadorId, clienteId: cliente.id, certificado, uf, agora: Date.now(), autor: 'cli' };
    await deps.db.write.transaction().execute((trx) => keepCertificado(trx, vault, input));
  });
}

/** A service as `GET …/captura` tells it. */
export interface ServicoMostrado {
  servico: string;
  documentos: number;
  ultima_resposta: string | null;
  proxima_em: string | null;
}

export interface AcessoDaCaptura {
  /** `…/api/v1/{crm}/{cnpj}/captura` */
  url: string;
  token: string;
}

export async function turnOn({ url, token }: AcessoDaCaptura, servico: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ ligada: true });
  const answer = await fetch(`${url}/${servico}`, { method: 'PUT', headers, body });
  if (!answer.ok) throw new Error(`capture could not be turned on: ${await answer.text()}`);
}

/** Waits until every service that is on has been asked, and the ADN has given what it had. */
export async function askedServices({ url, token }: AcessoDaCaptura): Promise<ServicoMostrado[]> {
  const deadline = performance.now() + ASKED_WITHIN_MS;
  for (;;) {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const { servicos } = (await answer.json()) as { servicos: (ServicoMostrado & { ligada: boolean })[] };
    const on = servicos.filter(({ ligada }) => ligada);
    const asked = on.every(({ ultima_resposta }) => ultima_resposta !== null);
    const came = on.some(({ servico, documentos }) => servico === 'nfse' && documentos >= NOTAS);
    if ((asked && came) || performance.now() > deadline) return on;
    await delay(LOOK_EVERY_MS);
  }
}
