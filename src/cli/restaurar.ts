import { resolve } from 'node:path';
import type { Command } from 'commander';
import { MIGRATIONS } from '../banco/migrations.ts';
import type { Tabelas } from '../banco/tabelas.ts';
import { type Config, readConfig } from '../config.ts';
import { type Restaurada, restoreCopia } from '../copia/restaurar.ts';
import { systemClock } from '../platform/clock.ts';
import { connectHere } from '../platform/db/connect.ts';
import type { BlobStore } from '../platform/storage/blob-store.ts';
import { openBlobStore } from '../platform/storage/open.ts';
import { documentosEm } from './backup.ts';
import type { Relatorio } from './conferencias.ts';
import { contar, envios } from './contar.ts';
import { forgetSelados, linhasDoEsquecido } from './perder-chave-mestra.ts';
import { type Registrar, required } from './programa.ts';
import { Etapas } from './progresso.ts';
import { FalhaDoComando, type Saida } from './saida.ts';

interface Opcoes {
  de: string;
  substituir: boolean;
  semChave: boolean;
}

export const registerRestaurar: Registrar = (program: Command, executar) => {
  required(program.command('restaurar'), { '--de <copia>': 'pasta ou arquivo .tar feito por malote backup' })
    .option('--substituir', 'põe a cópia no lugar do que o destino tem', false)
    .option('--sem-chave', 'restaura mesmo sem a chave mestra; o que está selado não abre mais', false)
    .description(
      'restaura uma cópia de segurança na instalação das variáveis de ambiente, com o servidor parado',
    )
    .action(
      executar<Opcoes>(async ({ opcoes, saida }) => {
        const { feita, relatorio } = await restore(opcoes, saida);
        saida.resultado(
          { ...resumoDe(feita), verificacao: { ...relatorio, achados: relatorio.achados.slice(0, 100) } },
          linhasDe(feita, relatorio),
        );
        if (relatorio.achados.length > 0) {
          throw new FalhaDoComando(
            'inconsistencias',
            `A cópia foi restaurada, mas ${contar(relatorio.achados.length, 'inconsistência já estava', 'inconsistências já estavam')} nela; rode malote verificar.`,
          );
        }
      }),
    );
};

async function restore(opcoes: Opcoes, saida: Saida): Promise<{ feita: Restaurada; relatorio: Relatorio }> {
  const config = readConfig();
  const storage = await openBlobStore(config);
  const andamento = andamentoEm(saida);
  try {
    const feita = await restoreCopia(
      { config, storage, migracoes: MIGRATIONS },
      { ...opcoes, de: resolve(opcoes.de), andamento },
    ).finally(() => andamento.fim());
    saida.info('Verificando o que foi restaurado …');
    return { feita, relatorio: await conferir({ config, storage, feita }, saida) };
  } finally {
    await storage.close();
  }
}

async function conferir(
  { config, storage, feita }: { config: Config; storage: BlobStore; feita: Restaurada },
  saida: Saida,
): Promise<Relatorio> {
  const db = connectHere<Tabelas>(config);
  try {
    // Else no server would start on it: it holds what nothing opens.
    if (feita.chave === 'ausente')
      for (const line of linhasDoEsquecido(await forgetSelados({ db, clock: systemClock }))) saida.info(line);
    const { conferir: conferirTudo } = await import('./conferencias.ts');
    const { relatorio } = await conferirTudo({ config, clock: systemClock, db, storage }, saida);
    return relatorio;
  } finally {
    await db.close();
  }
}

function andamentoEm(saida: Saida) {
  const etapas = new Etapas(saida);
  let mega = 0;
  return {
    etapa(nome: string, bytes: number) {
      mega = 0;
      etapas.begin({ total: Math.ceil(bytes / 1e6), unidade: `MB (${nome})` });
    },
    avancar(bytes: number) {
      const before = Math.floor(mega);
      mega += bytes / 1e6;
      etapas.avancar(Math.floor(mega) - before);
    },
    fim: etapas.end,
  };
}

function resumoDe({ manifesto, anterior, chave }: Restaurada) {
  const { criadaEm, motor, malote, arquivos, faltas } = manifesto;
  return {
    criadaEm,
    motor,
    malote,
    documentos: documentosEm(manifesto),
    arquivos: arquivos.quantidade,
    faltas,
    chave,
    anterior,
  };
}

function linhasDe(feita: Restaurada, relatorio: Relatorio): string[] {
  const { criadaEm, documentos, arquivos, anterior, chave } = resumoDe(feita);
  return [
    `Restaurado o momento ${criadaEm}: ${contar(documentos, 'documento')}, ${envios(arquivos)}.`,
    ...(anterior === null ? [] : [`O banco que estava lá foi guardado em ${anterior}.`]),
    ...(chave === 'ausente'
      ? ['ATENÇÃO: sem a chave mestra os certificados restaurados não abrem. Cadastre-os de novo.']
      : []),
    ...relatorio.achados.slice(0, 100).map(({ conferencia, mensagem }) => `✗ ${conferencia}: ${mensagem}`),
    ...(relatorio.achados.length === 0 ? ['Tudo confere.'] : []),
  ];
}
