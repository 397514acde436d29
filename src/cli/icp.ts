import type { X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Confianca } from '../fiscal/certificado/autoridades.ts';
import type { Instalacao, Recusada } from '../importacao/standards/autoridades-instaladas.ts';
import { comInstalacao } from './deps.ts';
import type { Executar, Registrar } from './programa.ts';
import { FalhaDoComando, type Saida } from './saida.ts';
import { quando } from './tabela.ts';

const ARQUIVO_MAX_BYTES = 20_000_000;
const AUTOR = 'cli';

const MOTIVOS: Record<Recusada['motivo'], string> = {
  raiz_nao_confirmada: 'raiz nova: só vale se confirmada com --aceitar-raiz',
  nao_e_autoridade: 'não é certificado de autoridade',
  sem_raiz: 'não leva a nenhuma raiz de confiança',
};

const CONFIANCAS: Record<Confianca, string> = {
  icp_brasil: 'raiz',
  sat: 'raiz, só para CF-e SAT',
};

interface OpcoesDeRaiz {
  aceitarRaiz?: string[];
  sat?: boolean;
}

const collect = (value: string, before: string[] = []) => [...before, value];

export const registerIcp: Registrar = (program: Command, executar) => {
  const icp = program
    .command('icp')
    .description('autoridades que respondem pelos certificados das assinaturas');
  registerInstalar(icp, executar);
  registerAtualizar(icp, executar);
  registerListar(icp, executar);
};

function comRaiz(command: Command): Command {
  return command.option(
    '--aceitar-raiz <SHA-256>',
    'confia nesta raiz do arquivo; pode ser repetida. Confira antes o SHA-256 com quem a publica',
    collect,
  );
}

function registerInstalar(icp: Command, executar: Executar): void {
  comRaiz(icp.command('instalar'))
    .argument('<arquivos...>', 'ACcompactado.zip do ITI, ou arquivos .crt, .cer ou .pem')
    .option('--sat', 'as raízes aceitas valem só para o que equipamentos SAT assinam (CF-e)', false)
    .description(
      'instala autoridades que levam a uma raiz de confiança; vale em segundos, em todos os servidores',
    )
    .action(
      executar<OpcoesDeRaiz>(async ({ argumentos, opcoes, saida }) => {
        const files = [];
        for (const path of argumentos) {
          if ((await stat(path)).size > ARQUIVO_MAX_BYTES)
            throw new FalhaDoComando(
              'icp_grande_demais',
              `${path} é grande demais para um arquivo de certificados.`,
            );
          files.push({ nome: basename(path), bytes: await readFile(path) });
        }
        await instalar(files, { opcoes, saida });
      }),
    );
}

function registerAtualizar(icp: Command, executar: Executar): void {
  comRaiz(icp.command('atualizar'))
    .description(
      'busca o arquivo oficial da ICP-Brasil, confere o SHA-512 publicado e instala o que traz de novo',
    )
    .action(
      executar<OpcoesDeRaiz>(async ({ opcoes, saida }) => {
        const { downloadAutoridades } = await import('./icp-baixar.ts');
        const { readConfig } = await import('../config.ts');
        const file = await downloadAutoridades(readConfig().urlIcp);
        await instalar([file], { opcoes, saida });
      }),
    );
}

async function instalar(
  files: readonly { nome: string; bytes: Uint8Array }[],
  { opcoes, saida }: { opcoes: OpcoesDeRaiz; saida: Saida },
): Promise<void> {
  // Loaded here, because what unpacks zips is needed by few commands.
  const { certificadosDoArquivo, installAutoridades } = await import(
    '../importacao/standards/autoridades-instaladas.ts'
  );
  const certificados: X509Certificate[] = [];
  for (const file of files) certificados.push(...(await certificadosDoArquivo(file)));
  const { aceitarRaiz: aceitarRaizes = [], sat = false } = opcoes;
  const result = await comInstalacao((deps) =>
    installAutoridades(deps, { certificados, aceitarRaizes, sat, autor: AUTOR }),
  );
  saida.resultado(result, linesOf(result));
  if (result.novas.length === 0 && result.conhecidas === 0)
    throw new FalhaDoComando('icp_nada_instalado', 'Nenhuma autoridade do arquivo pôde ser instalada.');
}

function linesOf({ novas, conhecidas, recusadas }: Instalacao): string[] {
  return [
    `Autoridades novas: ${novas.length}; já conhecidas: ${conhecidas}; recusadas: ${recusadas.length}.`,
    ...novas.map(({ nome, confianca }) => `  + ${nome}${confianca ? ` (${CONFIANCAS[confianca]})` : ''}`),
    ...recusadas.map(({ nome, motivo, sha256 }) => `  - ${nome}: ${MOTIVOS[motivo]}. SHA-256 ${sha256}`),
    ...(novas.length > 0
      ? ['Documentos novos já são conferidos com elas; os guardados são conferidos de novo em segundo plano.']
      : []),
  ];
}

const dia = (instant: string | null) => instant?.slice(0, 10) ?? '?';

function registerListar(icp: Command, executar: Executar): void {
  icp
    .command('listar')
    .description('lista as raízes de confiança e as autoridades, as do produto e as instaladas')
    .action(
      executar(async ({ saida }) => {
        const { listAutoridades } = await import('../importacao/standards/autoridades-instaladas.ts');
        const autoridades = await comInstalacao(({ db }) => listAutoridades(db.read));
        saida.resultado(
          { autoridades },
          autoridades.map(({ nome, validaDe, validaAte, confianca, instaladaEm, sha256 }) => {
            const kind = confianca ? CONFIANCAS[confianca] : 'autoridade';
            const origin = instaladaEm === null ? 'do produto' : `instalada em ${quando(instaladaEm)}`;
            return `${nome}  ${dia(validaDe)} a ${dia(validaAte)}  ${kind}, ${origin}  ${sha256}`;
          }),
        );
      }),
    );
}
