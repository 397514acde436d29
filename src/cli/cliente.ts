import type { Command } from 'commander';
import { registerCliente } from '../contas/clientes.ts';
import { deliverRetidos } from '../documentos/store/retidos.ts';
import { formatCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import { contar } from './contar.ts';
import { clientesDe, type DepsDoComando, noEscritorio } from './deps.ts';
import { CRM, CRM_E_CLIENTE, type Registrar, required } from './programa.ts';

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

export const registerClientes: Registrar = (program: Command, executar) => {
  const cliente = program.command('cliente').description('clientes (empresas e pessoas) de um escritório');
  required(cliente.command('criar'), {
    ...CRM_E_CLIENTE,
    '--nome <nome>': 'nome ou razão social',
    '--email <email>': 'e-mail do cliente',
  })
    .description('cadastra um cliente; documentos que esperavam por ele são entregues na hora')
    .action(
      executar<{ crm: string; cpfCnpj: string; nome: string; email: string }>(async ({ opcoes, saida }) => {
        const criado = await noEscritorio(opcoes.crm, (deps, { contadorId }) => {
          const { cpfCnpj, nome, email } = opcoes;
          return createClienteDoContador(deps, { contadorId, cpfCnpj, nome, email });
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

  required(cliente.command('listar'), CRM)
    .description('lista os clientes de um escritório e o último NSU de cada um')
    .action(
      executar<{ crm: string }>(async ({ opcoes, saida }) => {
        const clientes = await noEscritorio(opcoes.crm, async (deps, { contadorId }) => {
          const all: { cpfCnpj: string; nome: string; email: string; ultimoNsu: number }[] = [];
          for await (const { cpfCnpj, nome, email, ultimoNsu } of clientesDe(deps, contadorId))
            all.push({ cpfCnpj, nome, email, ultimoNsu });
          return all;
        });
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
