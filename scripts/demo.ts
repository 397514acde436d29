/**
 * `npm run demo`: the whole way in one minute, against the real server and through its HTTP API. Stays up until
 * Ctrl-C; with `--sair` it ends after the tour.
 */

import { randomBytes } from 'node:crypto';
import { createClienteDoContador } from '../src/cli/cliente.ts';
import { type ContaCriada, createConta } from '../src/cli/conta.ts';
import { contar } from '../src/cli/contar.ts';
import { comBanco } from '../src/cli/deps.ts';
import { createProgresso } from '../src/cli/progresso.ts';
import { Saida } from '../src/cli/saida.ts';
import {
  type ArquivoEnviado,
  type Cliente,
  criarCliente,
  type ItemDoArquivo,
} from '../src/cliente/cliente.ts';
import { acceptConvite } from '../src/console/sessao/convites.ts';
import { findContador } from '../src/contas/contadores.ts';
import { formatCpfCnpj } from '../src/fiscal/cpf-cnpj.ts';
import { diaDe } from '../src/fiscal/dia.ts';
import type { Empresa } from '../src/gerador/empresas.ts';
import { askedServices, type FiscoDeDemonstracao, keepA1, startFisco, turnOn } from './demo-captura.ts';
import { generateMaterial, type MaterialDeDemonstracao } from './demo-documentos.ts';
import { type ServidorDeDemonstracao, startServidor } from './demo-servidor.ts';
import { installLaboratorio } from './laboratorio.ts';

const CRM = '123456';
const PAGE_ROWS = 8;
const MISSING_ROWS = 5;
/** Uploads at once, as several machines of an office would send. */
const SENDERS = 3;

const saida = new Saida({ json: false });
const isTerminal = process.stdout.isTTY === true;
const bold = (text: string) => (isTerminal ? `\x1b[1m${text}\x1b[22m` : text);
const say = (text = '') => saida.info(text);
const step = (text: string) => say(`\n${bold(`▸ ${text}`)}`);

async function main(): Promise<void> {
  const stays = !process.argv.includes('--sair');
  say(bold('Malote: demonstração'));
  step('Iniciando o servidor numa pasta temporária');
  const fisco = await startFisco();
  const servidor = await startServidor(fisco.env).catch(async (error: unknown) => {
    await fisco.encerrar();
    throw error;
  });
  say(`  ${servidor.url} (dados em ${servidor.pasta})`);
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
  const fallen = servidor.caiu.then((reason) => Promise.reject(new Error(reason)));
  try {
    const tourEnded = await Promise.race([
      tour(servidor, fisco).then(() => true),
      interrupted.then(() => false),
      fallen,
    ]);
    if (tourEnded && stays) {
      say('\nO servidor continua no ar. Ctrl-C encerra e apaga a pasta temporária.');
      await Promise.race([interrupted, fallen]);
    }
  } finally {
    await servidor.encerrar();
    await fisco.encerrar();
  }
  say('\nDemonstração encerrada; a pasta temporária foi apagada.');
}

async function tour(servidor: ServidorDeDemonstracao, fisco: FiscoDeDemonstracao): Promise<void> {
  const ate = new Date();
  const inicio = firstDayOfMonthUntil(ate);
  const dia = (day: string) => day.split('-').reverse().join('/');
  step(`Gerando e assinando os documentos de ${dia(inicio)} a ${dia(diaDe(ate.getTime()))}`);
  const material = await generateMaterial({ inicio, ate });
  for (const { nome, quantidade } of material.totais) say(`  ${String(quantidade).padStart(4)}  ${nome}`);

  step(
    'Criando um escritório e seus clientes, e confiando nas autoridades de laboratório que assinam tudo aqui',
  );
  const conta = await openOffice(material.empresas);
  for (const { id, nome } of material.empresas) say(`  ${formatCpfCnpj(id).padEnd(18)}  ${nome}`);

  const [first] = material.empresas;
  if (!first) throw new Error('the scenario has no client');
  const cliente = criarCliente({ url: servidor.url, token: conta.token, codigoCrm: CRM, cpfCnpj: first.id });
  step('Enviando os arquivos pela API');
  const enviados = await sendAll(cliente, material);
  await showKinds(cliente, enviados);
  await showProblems(cliente, enviados);
  await showPage(cliente, first);
  await showListings(cliente, material.empresas, inicio);
  await showCapture({ servidor, fisco, token: conta.token, cliente }, first);
  // Who ends with the tour cannot use what is gone.
  if (!process.argv.includes('--sair')) showAccess(servidor, conta, first);
}

/** Of the month that ends today in Brazil: what is shown of the last days is full. */
function firstDayOfMonthUntil(ate: Date): string {
  const [year = 0, month = 0, day = 0] = diaDe(ate.getTime()).split('-').map(Number);
  return new Date(Date.UTC(year, month - 2, day + 1)).toISOString().slice(0, 10);
}

/** The user who looks around. He is made anew for every demonstration, as its data is. */
const EMAIL = 'escritorio@exemplo.com.br';
const SENHA = `demo-${randomBytes(9).toString('base64url')}`;

async function openOffice(empresas: readonly Empresa[]): Promise<ContaCriada> {
  return comBanco(async (deps) => {
    const conta = await createConta(deps, {
      crm: CRM,
      nome: 'Escritório Demonstração',
      email: EMAIL,
    });
    const codigo = new URL(conta.convite_console).hash.slice(1);
    await acceptConvite(deps, { codigo, nome: 'Visita', senha: SENHA });
    const { id } = await findContador(deps.db.read, { codigoCrm: CRM });
    // The demonstration's documents are signed under authorities of a laboratory; trust in them ends with its folder.
    await installLaboratorio(deps);
    await installLaboratorio(deps, 'sat');
    for (const empresa of empresas) {
      await createClienteDoContador(deps, {
        contadorId: id,
        cpfCnpj: empresa.id,
        nome: empresa.nome,
        email: 'fiscal@exemplo.com.br',
      });
    }
    return conta;
  });
}

async function sendAll(cliente: Cliente, { arquivos }: MaterialDeDemonstracao): Promise<ArquivoEnviado[]> {
  const total = arquivos.reduce((sum, arquivo) => sum + arquivo.documentos, 0);
  const progresso = createProgresso(saida, { total, unidade: 'documentos' });
  const enviados = new Map<string, ArquivoEnviado>();
  const waiting = [...arquivos];
  const sendNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      enviados.set(next.nome, await cliente.enviarArquivo(next.bytes, { extensao: next.extensao }));
      progresso.avancar(next.documentos);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sendNext)).finally(() => progresso.fim());
  const results = arquivos.flatMap(({ nome, documentos }) => {
    const enviado = enviados.get(nome);
    if (!enviado) return [];
    const kb = `${Math.ceil(enviado.tamanho / 1000)} KB`;
    say(
      `  ${shortened(nome, 44).padEnd(44)} ${String(documentos).padStart(4)} doc. ${kb.padStart(7)}  ${enviado.status}`,
    );
    return [enviado];
  });
  return results;
}

/** What the server took each thing in the files for, and what became of it. */
async function showKinds(cliente: Cliente, enviados: readonly ArquivoEnviado[]): Promise<void> {
  step('O que o servidor encontrou nos arquivos, por espécie');
  const kinds = new Map<string, Map<string, number>>();
  for (const { id } of enviados) {
    for await (const { especie, resultado } of cliente.itensDoArquivo(id)) {
      const results = kinds.get(especie) ?? new Map<string, number>();
      kinds.set(especie, results.set(resultado, (results.get(resultado) ?? 0) + 1));
    }
  }
  for (const [especie, results] of [...kinds].sort(([a], [b]) => a.localeCompare(b))) {
    const counts = [...results].map(([resultado, n]) => `${n} ${resultado}`).join(', ');
    say(`  ${especie.padEnd(13)} ${counts}`);
  }
}

async function showProblems(cliente: Cliente, enviados: readonly ArquivoEnviado[]): Promise<void> {
  for (const { id, log } of enviados.filter(({ status }) => status === 'Com Erro')) {
    step(`O que o arquivo ${id} tem de errado`);
    const [summary] = log.split('\n');
    say(`  log: ${summary}`);
    for await (const item of cliente.itensDoArquivo(id)) {
      if (item.resultado === 'rejeitado' || item.resultado === 'sem_cliente') say(itemLine(item));
    }
  }
}

function itemLine({ caminho, resultado, mensagem, codigo, elemento }: ItemDoArquivo): string {
  const place = elemento ? ` (em ${elemento})` : '';
  return `  itens: ${caminho}: ${resultado} [${codigo}]${place}\n         ${mensagem}`;
}

async function showPage(cliente: Cliente, { id, nome }: Empresa): Promise<void> {
  step(`Lendo o que há de novo para ${nome} desde o NSU 0`);
  const pagina = await cliente.novos(0, { tamanho: PAGE_ROWS });
  say(`  ${bold('nsu  emissão     modelo  número           tipo      status        valor de `chave`')}`);
  for (const documento of pagina.documentos) {
    const { nsu, data_emissao, modelo, numero, tipo, status, chave, evento } = documento;
    const what = evento ? `${status} ${evento.codigo}` : status;
    say(
      `  ${String(nsu).padEnd(4)} ${(data_emissao ?? '').slice(0, 10)}  ${modelo.padEnd(6)}  ${(numero ?? '').padEnd(15)}  ${tipo.padEnd(8)}  ${what.padEnd(12)}  ${chave}`,
    );
  }
  say(`  … ${pagina.total} no total para ${formatCpfCnpj(id)}`);
  const [document] = pagina.documentos;
  if (!document) return;
  const bytes = await cliente.baixar(document);
  say(`  url_download do NSU ${document.nsu}: ${bytes.length} bytes, o XML original`);
}

async function showListings(cliente: Cliente, empresas: readonly Empresa[], inicio: string): Promise<void> {
  step('Listagens do mês, por cliente');
  const missing: string[] = [];
  for (const { id, nome } of empresas) {
    const empresa = cliente.daEmpresa(id);
    const [nfe, nfce, canceladas, faltantes] = await Promise.all([
      empresa.nfe({ dataInicial: inicio }),
      empresa.nfce({ dataInicial: inicio }),
      empresa.nfe({ dataInicial: inicio, status: 'Canceladas' }),
      empresa.nfe({ dataInicial: inicio, status: 'Faltantes', tamanho: MISSING_ROWS }),
    ]);
    say(
      `  ${shortened(nome, 40).padEnd(40)} ${nfe.total} NF-e (${contar(canceladas.total, 'cancelada')}), ${nfce.total} NFC-e, ${contar(faltantes.total, 'número faltante', 'números faltantes')}`,
    );
    for (const { serie, numero } of faltantes.documentos) {
      missing.push(`  ${shortened(nome, 40).padEnd(40)} série ${serie}, nota ${numero}`);
    }
  }
  if (missing.length === 0) return;
  step('Números de NF-e que faltam na sequência');
  for (const line of missing.slice(0, MISSING_ROWS)) say(line);
  if (missing.length > MISSING_ROWS) say('  …');
}

/** What Malote fetches by itself. The hours that the services prescribe are real ones here, so each is asked once. */
async function showCapture(
  input: { servidor: ServidorDeDemonstracao; fisco: FiscoDeDemonstracao; token: string; cliente: Cliente },
  empresa: Empresa,
): Promise<void> {
  const { servidor, fisco, token, cliente } = input;
  step(`Capturando sozinho o que um simulador do fisco tem para ${empresa.nome}`);
  fisco.issueTo(empresa);
  await keepA1(CRM, empresa);
  const acesso = { url: `${servidor.url}/api/v1/${CRM}/${empresa.id}/captura`, token };
  for (const servico of ['nfe', 'nfse']) await turnOn(acesso, servico);
  for (const { servico, documentos, ultima_resposta, proxima_em } of await askedServices(acesso)) {
    const next = proxima_em === null ? '' : `; próxima consulta às ${clockOf(proxima_em)}`;
    say(
      `  ${servico.padEnd(5)} resposta ${ultima_resposta ?? 'nenhuma'}, ${contar(documentos, 'documento')}${next}`,
    );
  }
  const { total } = await cliente.novos(0, { tamanho: 1 });
  say(`  ${total} no total agora; a NF-e começa a ser juntada com a primeira consulta`);
}

function clockOf(iso: string): string {
  const options = { timeZone: 'America/Sao_Paulo', hour: '2-digit', minute: '2-digit' } as const;
  return new Date(iso).toLocaleTimeString('pt-BR', options);
}

function showAccess(servidor: ServidorDeDemonstracao, conta: ContaCriada, { id }: Empresa): void {
  step('Para usar agora');
  say(`  console:             ${servidor.url}/console/`);
  say(`  e-mail:              ${EMAIL}`);
  say(`  senha:               ${SENHA}`);
  say(`  endereço da API:     ${servidor.url}  (documentação em /docs)`);
  say(`  codigoCrm:           ${conta.codigoCrm}`);
  say(`  token de integração: ${conta.token}`);
  say(`  client_id:           ${conta.client_id}`);
  say(`  client_secret:       ${conta.client_secret}`);
  say('');
  say(
    `  curl -H 'Authorization: Bearer ${conta.token}' '${servidor.url}/api/v1/${CRM}/${id}/documentos/0/novos?Tamanho=5'`,
  );
}

function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

try {
  await main();
} catch (error) {
  saida.falha(error);
  process.exitCode = 1;
}
