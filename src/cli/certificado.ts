import type { Command } from 'commander';
import { checkSelos } from '../contas/certificado/guardar.ts';
import { type CertificadoListado, listCertificados } from '../contas/certificado/vigia.ts';
import { formatCpfCnpj } from '../fiscal/cpf-cnpj.ts';
import { contar } from './contar.ts';
import { comInstalacao, noEscritorio, openCofreDe } from './deps.ts';
import { CRM, inteiro, type Registrar, required } from './programa.ts';
import { FalhaDoComando } from './saida.ts';

export const registerCertificado: Registrar = (program: Command, executar) => {
  const certificado = program.command('certificado').description('certificados A1 dos clientes');
  required(certificado.command('listar'), CRM)
    .option('--dias <n>', 'só os que vencem em até tantos dias', inteiro('--dias', -999_999, 999_999))
    .description('lista os certificados de um escritório, o que vence primeiro no começo')
    .action(
      executar<{ crm: string; dias?: number }>(async ({ opcoes, saida }) => {
        const { dias: limite = Number.POSITIVE_INFINITY } = opcoes;
        const certificados = await noEscritorio(opcoes.crm, (deps, { contadorId }) =>
          listCertificados(deps, { contadorId }),
        );
        const shown = certificados.filter(({ diasRestantes }) => diasRestantes <= limite);
        saida.resultado(
          { certificados: shown },
          shown.length === 0 ? ['Nenhum certificado.'] : shown.map(line),
        );
      }),
    );
  certificado
    .command('conferir')
    .description('abre cada certificado guardado, para saber que todos ainda se leem')
    .action(
      executar(async ({ saida }) => {
        const { total, naoAbrem } = await comInstalacao(async (deps) =>
          checkSelos({ ...deps, vault: await openCofreDe(deps) }, { autor: 'cli' }),
        );
        saida.resultado({ total, naoAbrem }, [
          `${contar(total, 'certificado guardado', 'certificados guardados')}.`,
          ...naoAbrem.map((id) => `✗ ${id} não abre: foi alterado, trocado de lugar, ou a sua chave falta.`),
          ...(naoAbrem.length === 0 ? ['Todos abrem.'] : []),
        ]);
        if (naoAbrem.length > 0)
          throw new FalhaDoComando(
            'certificados_que_nao_abrem',
            `${contar(naoAbrem.length, 'certificado não abre', 'certificados não abrem')}.`,
          );
      }),
    );
};

function line({ cpfCnpj, nome, validoAte, diasRestantes: dias }: CertificadoListado): string {
  const left = dias < 0 ? 'vencido' : contar(dias, 'dia');
  return `${formatCpfCnpj(cpfCnpj).padEnd(18)}  ${left.padStart(12)}  ${validoAte.slice(0, 10)}  ${nome}`;
}
