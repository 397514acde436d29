import type { Command } from 'commander';
import { listClientes, registerCliente } from '../contas/clientes.ts';
import { findContador } from '../contas/contadores.ts';
import { deliverRetidos } from '../documentos/store/retidos.ts';
import { formatCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import { contar } from './contar.ts';
import { comInstalacao, type DepsDoComando } from './deps.ts';
import { type Registrar, required } from './programa.ts';

const LIST_STEP = 500;

/** Registers a client of an office; documents that waited for it become its entries in the same transaction. */
export async function createClienteDoContador(
  deps: DepsDoComando,
  input: { contadorId: number; cpfCnpj: string; nome: string; email: string },
): Promise<{ id: number; cpfCnpj: string; documentosEntregues: number }> {
  const { homologacao } = deps.config;
  let documentosEntregues = 0;
  const { id, cpfCnpj } = await registerCliente(deps, {
    ...input,
    autor: 'cli',
    aoRegistrar: async (trx, cliente) => {
      documentosEntregues = await deliverRetidos(trx, cliente, { agora: deps.clock.now(), homologacao });
    },
  });
  return { id, cpfCnpj, documentosEntregues };
}

export const registrarCliente: Registrar = (program: Command, executar) => {
  const cliente = program.command('cliente').description('clientes (empresas e pessoas) de um escritório');
  required(cliente.command('criar'), {
    '--crm <codigo>': 'código CRM do escritório',
    '--cpf-cnpj <numero>': 'CPF ou CNPJ do cliente, com ou sem máscara',
    '--nome <nome>': 'nome ou razão social',
    '--email <email>': 'e-mail do cliente',
  })
    .description('cadastra um cliente; documentos que esperavam por ele são entregues na hora')
    .action(
      executar<{ crm: string; cpfCnpj: string; nome: string; email: string }>(async ({ opcoes, saida }) => {
        const criado = await comInstalacao(async (deps) => {
          const contador = await findContador(deps.db.read, { codigoCrm: opcoes.crm });
          const { cpfCnpj, nome, email } = opcoes;
          return createClienteDoContador(deps, { contadorId: contador.id, cpfCnpj, nome, email });
        });
        const { documentosEntregues: n } = criado;
        saida.resultado(criado, [
          `Cliente ${formatCpfCnpj(criado.cpfCnpj)} cadastrado.`,
          ...(n > 0
            ? [
                `${contar(n, 'documento que esperava por ele foi entregue', 'documentos que esperavam por ele foram entregues')}.`,
              ]
            : []),
        ]);
      }),
    );

  required(cliente.command('listar'), { '--crm <codigo>': 'código CRM do escritório' })
    .description('lista os clientes de um escritório e o último NSU de cada um')
    .action(
      executar<{ crm: string }>(async ({ opcoes, saida }) => {
        const clientes = await comInstalacao((deps) => listAll(deps, opcoes.crm));
        saida.resultado(
          { clientes },
          clientes.length === 0
            ? ['Nenhum cliente cadastrado.']
            : clientes.map(
                (c) =>
                  `${formatCpfCnpj(c.cpfCnpj).padEnd(18)}  ${String(c.ultimoNsu).padStart(9)}  ${c.nome}`,
              ),
        );
      }),
    );
};

async function listAll(deps: DepsDoComando, crm: string) {
  const contador = await findContador(deps.db.read, { codigoCrm: crm });
  const all: { cpfCnpj: string; nome: string; email: string; ultimoNsu: number }[] = [];
  for (let depoisDe = ''; ; ) {
    const page = await listClientes(deps.db.read, { contadorId: contador.id, depoisDe, limite: LIST_STEP });
    all.push(...page.map(({ cpfCnpj, nome, email, ultimoNsu }) => ({ cpfCnpj, nome, email, ultimoNsu })));
    const last = page.at(-1);
    if (!last || page.length < LIST_STEP) return all;
    depoisDe = last.cpfCnpj;
  }
}
