/** `malote captura`: how the capture of an office's clients stands, and what is decided about it. */
import type { Command } from 'commander';
import { openDepsDaCaptura } from '../captura/abrir.ts';
import { mensagemDoPedido, presentEstado } from '../captura/apresentar.ts';
import { askForChave } from '../captura/chaves.ts';
import { type EstadoDaCaptura, estadosDaCaptura } from '../captura/estado.ts';
import { captureNow, setCaptura } from '../captura/ligar.ts';
import { SERVICOS } from '../captura/servicos.ts';
import { lerChave } from '../fiscal/chave.ts';
import { formatCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import { clienteDe, clientesDe, type DepsDoComando, noEscritorio } from './deps.ts';
import { registerManifestar } from './manifestar.ts';
import { CRM, CRM_E_CLIENTE, type Registrar, required } from './programa.ts';
import { FalhaDoComando } from './saida.ts';

const AUTOR = 'cli';

interface Alvo {
  crm: string;
  cpfCnpj: string;
}

interface AlvoComServico extends Alvo {
  servico: string;
}

const DO_SERVICO = { ...CRM_E_CLIENTE, '--servico <nome>': `${SERVICOS.join(', ')} ou todos` };

export const registerCaptura: Registrar = (program: Command, executar) => {
  const captura = program
    .command('captura')
    .description('o que o Malote busca sozinho na SEFAZ, no ADN e no SAE');
  registerEstado(captura, executar);
  registerLigar(captura, executar, 'ligar');
  registerLigar(captura, executar, 'desligar');
  registerAgora(captura, executar);
  registerChave(captura, executar);
  registerManifestar(captura, executar);
};

type Executar = Parameters<Registrar>[1];

function registerEstado(captura: Command, executar: Executar): void {
  required(captura.command('estado'), CRM)
    .option('--cpf-cnpj <numero>', 'só este cliente')
    .description('mostra a captura dos clientes, serviço por serviço')
    .action(
      executar<{ crm: string; cpfCnpj?: string }>(async ({ opcoes, saida }) => {
        const clientes = await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          listEstados(deps, { contadorId, cpfCnpj: opcoes.cpfCnpj }),
        );
        saida.resultado(
          {
            clientes: clientes.map(({ estados, ...quem }) => ({
              ...quem,
              servicos: estados.map(presentEstado),
            })),
          },
          clientes.flatMap(({ cpfCnpj, nome, estados }) => [
            `${formatCpfCnpj(cpfCnpj)}  ${nome}`,
            ...estados.map(lineOf),
          ]),
        );
      }),
    );
}

function registerLigar(captura: Command, executar: Executar, palavra: 'ligar' | 'desligar'): void {
  const ligada = palavra === 'ligar';
  required(captura.command(palavra), DO_SERVICO)
    .option('--passiva', 'outro programa já captura este CNPJ: não consulta, só busca chaves pedidas')
    .description(
      ligada
        ? 'liga a captura de um serviço para um cliente, que consentiu; fica na auditoria'
        : 'desliga a captura de um serviço para um cliente',
    )
    .action(
      executar<AlvoComServico & { passiva?: boolean }>(async ({ opcoes, saida }) => {
        const estados = await eachServico(opcoes, (deps, pedido) =>
          setCaptura(deps, { ...pedido, ligada, passiva: opcoes.passiva === true }),
        );
        saida.resultado({ servicos: estados.map(presentEstado) }, estados.map(lineOf));
      }),
    );
}

function registerAgora(captura: Command, executar: Executar): void {
  required(captura.command('agora'), DO_SERVICO)
    .description('pede a próxima consulta assim que o serviço a permitir; diz quando é')
    .action(
      executar<AlvoComServico>(async ({ opcoes, saida }) => {
        const pedidas = await eachServico(opcoes, captureNow);
        saida.resultado(
          {
            servicos: pedidas.map((pedida) => ({
              agora: pedida.agora,
              mensagem: mensagemDoPedido(pedida),
              estado: presentEstado(pedida.estado),
            })),
          },
          pedidas.map((pedida) => `${pedida.estado.servico}: ${mensagemDoPedido(pedida)}`),
        );
      }),
    );
}

function registerChave(captura: Command, executar: Executar): void {
  required(captura.command('chave'), { ...CRM_E_CLIENTE, '--chave <chave>': 'chave de acesso do documento' })
    .description('pede um documento pela chave, dentro do limite por hora')
    .action(
      executar<Alvo & { chave: string }>(async ({ opcoes, saida }) => {
        const chave = lerChave(opcoes.chave);
        if (!chave)
          throw new FalhaDoComando('chave_invalida', 'A chave não tem o formato de uma chave de acesso.');
        const { servico, estado } = await withCliente(opcoes, (deps, quem) =>
          askForChave(deps, { ...quem, chave, autor: AUTOR }),
        );
        saida.resultado({ chave, servico, estado }, [`Pedida: ${chave}.`]);
      }),
    );
}

type Deps = Awaited<ReturnType<typeof openDepsDaCaptura>>;
type Quem = { contadorId: number; cliente: { id: number; cpfCnpj: string } };

function withCliente<T>(alvo: Alvo, act: (deps: Deps, quem: Quem) => Promise<T>): Promise<T> {
  return noEscritorio(alvo.crm, async (deps, { contadorId }) => {
    const cliente = await clienteDe(deps, { contadorId, cpfCnpj: alvo.cpfCnpj });
    return act(await openDepsDaCaptura(deps), { contadorId, cliente });
  });
}

function eachServico<T>(
  alvo: AlvoComServico,
  act: (deps: Deps, pedido: Parameters<typeof captureNow>[1]) => Promise<T>,
): Promise<T[]> {
  const wanted = alvo.servico === 'todos' ? SERVICOS : SERVICOS.filter((servico) => servico === alvo.servico);
  if (wanted.length === 0)
    throw new FalhaDoComando('servico_invalido', `--servico deve ser ${SERVICOS.join(', ')} ou todos.`);
  return withCliente(alvo, async (deps, quem) => {
    const done: T[] = [];
    for (const servico of wanted) done.push(await act(deps, { ...quem, servico, autor: AUTOR }));
    return done;
  });
}

async function listEstados(
  deps: DepsDoComando,
  { contadorId, cpfCnpj }: { contadorId: number; cpfCnpj: string | undefined },
) {
  const captura = await openDepsDaCaptura(deps);
  const found: { cpfCnpj: string; nome: string; estados: EstadoDaCaptura[] }[] = [];
  const clientes =
    cpfCnpj === undefined ? clientesDe(deps, contadorId) : [await clienteDe(deps, { contadorId, cpfCnpj })];
  for await (const cliente of clientes) {
    const estados = await estadosDaCaptura(captura, { contadorId, cliente });
    found.push({ cpfCnpj: cliente.cpfCnpj, nome: cliente.nome, estados });
  }
  return found;
}

function lineOf(estado: EstadoDaCaptura): string {
  const { servico, ligada, passiva, ultimaResposta, proximaEm, ultNsu } = estado;
  if (!ligada) return `  ${servico.padEnd(5)} desligada`;
  const modo = passiva ? 'passiva' : 'ligada';
  const next = proximaEm === null ? 'parada' : `próxima ${new Date(proximaEm).toISOString()}`;
  return `  ${servico.padEnd(5)} ${modo}, última resposta ${ultimaResposta ?? '–'}, NSU ${ultNsu}, ${next}`;
}
