import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ACAO, auditar } from '../auditoria/auditar.ts';
import { makeCopia } from '../copia/fazer.ts';
import { insertCopia } from '../copia/queries.ts';
import { openDestino } from '../copia/recipiente.ts';
import type { Manifesto } from '../copia/schemas-da-copia.ts';
import { openSnapshot } from '../platform/db/open-snapshot.ts';
import { versaoDoMalote } from '../versao.ts';
import { contar, envios } from './contar.ts';
import { comArquivos, comInstalacao, type DepsDoComando, openCofreDe } from './deps.ts';
import { type Registrar, required } from './programa.ts';
import { Etapas } from './progresso.ts';
import { FalhaDoComando, type Saida } from './saida.ts';

interface Opcoes {
  para: string;
  comChave: boolean;
}

export const registerBackup: Registrar = (program: Command, executar) => {
  required(program.command('backup'), {
    '--para <destino>': 'pasta que ainda não existe, ou arquivo terminado em .tar',
  })
    .option('--com-chave', 'inclui a chave mestra: guarde a cópia como se guarda a própria chave', false)
    .description('faz uma cópia de segurança de tudo, com o servidor no ar; docs/copia-de-seguranca.md')
    .action(
      executar<Opcoes>(async ({ opcoes, saida }) => {
        const feita = await comInstalacao((deps) => copiar(deps, { opcoes, saida }));
        const { manifesto } = feita;
        saida.resultado(resumoDe(feita), linhasDe(feita));
        if (manifesto.faltas.length > 0) {
          throw new FalhaDoComando(
            'arquivos_ausentes',
            `${contar(manifesto.faltas.length, 'arquivo enviado já faltava e não está', 'arquivos enviados já faltavam e não estão')} na cópia; rode malote verificar.`,
          );
        }
      }),
    );
};

interface Feita {
  destino: string;
  manifesto: Manifesto;
  sha256: string;
}

async function copiar(
  deps: DepsDoComando,
  { opcoes, saida }: { opcoes: Opcoes; saida: Saida },
): Promise<Feita> {
  // Before anything is written: without its key a copy is of no use.
  const vault = await openCofreDe(deps);
  const para = resolve(opcoes.para);
  const destino = await openDestino(para);
  try {
    return await comArquivos(deps, async ({ storage }) => {
      const snapshot = await openSnapshot(deps.config);
      const etapas = new Etapas(saida);
      const andamento = {
        total: (total: number) => etapas.begin({ total, unidade: 'linhas copiadas' }),
        avancar: etapas.avancar,
      };
      try {
        const feita = await makeCopia(
          { ...deps, storage, snapshot, destino, chaves: vault.keys.current() },
          { malote: versaoDoMalote(), comChave: opcoes.comChave, andamento },
        ).finally(etapas.end);
        await destino.finish();
        await note(deps, { destino: para, ...feita });
        return { destino: para, ...feita };
      } finally {
        await snapshot.close();
      }
    });
  } catch (error) {
    await destino.abandon();
    throw error;
  }
}

/** Only a backup that is whole is noted, where the console shows it. */
async function note(deps: DepsDoComando, { destino, manifesto, sha256 }: Feita): Promise<void> {
  const agora = deps.clock.now();
  const { quantidade: arquivos } = manifesto.arquivos;
  const documentos = documentosEm(manifesto);
  await deps.db.write.transaction().execute(async (trx) => {
    await insertCopia(trx, {
      criada_em: Date.parse(manifesto.criadaEm),
      concluida_em: agora,
      destino,
      bytes: manifesto.bytes,
      documentos,
      arquivos,
      faltas: manifesto.faltas.length,
      com_chave: manifesto.chaveMestra.incluida ? 1 : 0,
      manifesto: sha256,
    });
    await auditar(trx, {
      acao: ACAO.copiaDeSeguranca,
      autor: 'cli',
      contadorId: null,
      alvo: 'instalacao',
      em: agora,
      detalhe: { destino, documentos, arquivos, comChave: manifesto.chaveMestra.incluida, manifesto: sha256 },
    });
  });
}

/** How many documents a copy has. */
export function documentosEm({ tabelas }: Manifesto): number {
  return tabelas.find(({ nome }) => nome === 'documento')?.linhas ?? 0;
}

function resumoDe({ destino, manifesto, sha256 }: Feita) {
  const { criadaEm, motor, arquivos, bytes, faltas, chaveMestra } = manifesto;
  return {
    destino,
    criadaEm,
    motor,
    documentos: documentosEm(manifesto),
    arquivos: arquivos.quantidade,
    bytes,
    chaveMestra,
    manifesto: sha256,
    faltas,
  };
}

const MEGABYTES = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

function linhasDe({ destino, manifesto, sha256 }: Feita): string[] {
  const { incluida, nomes } = manifesto.chaveMestra;
  return [
    `Cópia feita em ${destino}: ${contar(documentosEm(manifesto), 'documento')}, ${envios(manifesto.arquivos.quantidade)}, ${MEGABYTES.format(manifesto.bytes / 1e6)} MB.`,
    `Mostra o momento ${manifesto.criadaEm}. SHA-256 do manifesto: ${sha256}`,
    incluida
      ? 'A CHAVE MESTRA ESTÁ NA CÓPIA: quem a tiver abre os certificados.'
      : `A chave mestra (${nomes.join(', ')}) não está na cópia. Guarde-a à parte: sem ela os certificados da cópia não abrem nunca mais.`,
    ...manifesto.faltas.slice(0, 20).map((key) => `✗ não encontrado: ${key}`),
  ];
}
