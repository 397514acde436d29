import { type Command, InvalidArgumentError } from 'commander';
import { criarCliente } from '../cliente/cliente.ts';
import { contar } from './contar.ts';
import { exportar } from './exportar.ts';
import { type ExportarUm, exportVarios, frase, readQuais, saoVarios } from './exportar-clientes.ts';
import { CRM, comAcesso, type Executar, type Registrar, required } from './programa.ts';
import { FalhaDoComando, type Saida } from './saida.ts';

interface Opcoes {
  url: string;
  token: string;
  crm: string;
  cpfCnpj?: string[];
  lista?: string;
  todos: boolean;
  desde: number;
  para: string;
  xml: boolean;
}

export const registerExportar: Registrar = (program: Command, executar: Executar) => {
  const command = required(program.command('exportar'), {
    ...CRM,
    '--para <pasta>':
      'pasta de destino; com vários clientes, cada um tem nela a sua, com o CPF ou CNPJ por nome',
  });
  comAcesso(command)
    .option('--cpf-cnpj <numero...>', 'CPF ou CNPJ do cliente, ou de vários')
    .option('--lista <arquivo>', 'arquivo com um CPF ou CNPJ por linha: texto, CSV ou .xlsx')
    .option('--todos', 'todos os clientes que o token alcança', false)
    .option('--desde <nsu>', 'NSU a partir do qual começar quando a pasta ainda não tem o seu', parseNsu, 0)
    .option('--xml', 'usa o texto das páginas em vez de baixar os bytes originais de cada documento', false)
    .description('baixa os documentos de um cliente, de vários ou de todos e continua de onde parou')
    .action(executar<Opcoes>(({ opcoes, saida }) => run(opcoes, saida)));
};

async function run(opcoes: Opcoes, saida: Saida): Promise<void> {
  const { url, token, crm, para: pasta } = opcoes;
  const codigoCrm = crm.padStart(6, '0');
  const quais = { cpfCnpj: opcoes.cpfCnpj ?? [], lista: opcoes.lista, todos: opcoes.todos };
  const cliente = criarCliente({ url, token, codigoCrm });
  const ids = await readQuais(cliente, quais);
  const exportarUm: ExportarUm = (cpfCnpj, pasta) =>
    exportar(
      { cliente: cliente.daEmpresa(cpfCnpj), saida },
      {
        desde: opcoes.desde,
        pasta,
        comXml: opcoes.xml,
        dono: { servidor: url.replace(/\/+$/, ''), codigoCrm, cpfCnpj },
      },
    );
  const [unico = ''] = ids;
  if (!saoVarios(quais)) {
    const resumo = await exportarUm(unico, pasta);
    return saida.resultado(resumo, [frase(resumo)]);
  }
  const resumo = await exportVarios({ saida, exportarUm }, { ids, pasta });
  const { clientes, documentos, novos, falhas } = resumo;
  saida.resultado(resumo, [
    `${contar(clientes.length, 'cliente')}, ${contar(documentos, 'documento')} (${contar(novos, 'arquivo novo', 'arquivos novos')}) em ${pasta}.`,
  ]);
  if (falhas === 0) return;
  throw new FalhaDoComando(
    'clientes_sem_exportacao',
    `${contar(falhas, 'cliente não foi exportado', 'clientes não foram exportados')}: veja acima por quê.`,
  );
}

function parseNsu(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('o NSU é um número inteiro a partir de 0');
  return Number(text);
}
