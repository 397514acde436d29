/** `malote orfao …`: stored files that no row names, where only a person can tell whose they are. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { readBlobDoEnvio } from '../importacao/blob-do-envio.ts';
import { findOrfaos } from './conferir-arquivos.ts';
import { contar } from './contar.ts';
import { comArquivos, comInstalacao, contadorDe } from './deps.ts';
import { type DepsDosOrfaos, destinoDe, importOrfao, type Orfao } from './orfaos.ts';
import { type Registrar, required } from './programa.ts';
import * as queries from './queries-orfaos.ts';
import { FalhaDoComando } from './saida.ts';
import { quando, tabela } from './tabela.ts';

const ARQUIVO = { '--arquivo <chave>': 'o nome do arquivo guardado, como malote verificar o mostra' };
const PRIVATE_FILE = 0o600;

export const registerOrfao: Registrar = (program: Command, executar) => {
  const orfao = program
    .command('orfao')
    .description('arquivos guardados que nenhum registro do banco nomeia, e que nada apaga');
  orfao
    .command('listar')
    .description('lista os que esperam por alguém')
    .action(
      executar(async ({ saida }) => {
        const orfaos = await comOrfaos(listar);
        const rows = orfaos.map(({ arquivo, bytes, em, motivo }) => [
          arquivo,
          String(bytes),
          quando(em),
          motivo,
        ]);
        saida.resultado({ orfaos }, [
          ...tabela([['arquivo', 'bytes', 'de', 'situação'], ...rows]),
          `${contar(orfaos.length, 'arquivo')}.`,
        ]);
      }),
    );
  required(orfao.command('copiar'), { ...ARQUIVO, '--para <caminho>': 'arquivo novo, para ver o que é' })
    .description('copia um deles para onde possa ser aberto; não o muda')
    .action(
      executar<{ arquivo: string; para: string }>(async ({ opcoes, saida }) => {
        await comOrfaos(async (deps) => {
          await requireOrfao(deps, opcoes.arquivo);
          const { stream } = await deps.storage.read(opcoes.arquivo);
          await pipeline(stream, createWriteStream(opcoes.para, { flags: 'wx', mode: PRIVATE_FILE }));
        });
        saida.resultado(opcoes, [`Copiado para ${opcoes.para}.`]);
      }),
    );
  required(orfao.command('importar'), { ...ARQUIVO, '--crm <codigo>': 'código CRM do escritório de quem é' })
    .description('registra um deles como envio de um escritório, e o põe na fila')
    .action(
      executar<{ arquivo: string; crm: string }>(async ({ opcoes, saida }) => {
        const feito = await comOrfaos((deps) => importar(deps, opcoes));
        saida.resultado(feito, [
          `Registrado como o envio ${feito.id} do escritório ${feito.codigoCrm}. O servidor o importa em seguida.`,
        ]);
      }),
    );
};

const comOrfaos = <T>(work: (deps: DepsDosOrfaos) => Promise<T>) =>
  comInstalacao((deps) => comArquivos(deps, work));

async function listar(deps: DepsDosOrfaos) {
  const orfaos: { arquivo: string; bytes: number; em: number; motivo: string }[] = [];
  for await (const key of findOrfaos(deps)) {
    const orfao = await destinoDe(deps, key);
    const found = await deps.storage.stat(key);
    if (!orfao || !found) continue;
    orfaos.push({ arquivo: key, bytes: found.sizeBytes, em: found.modifiedAt, motivo: situacaoDe(orfao) });
  }
  return orfaos;
}

function situacaoDe(orfao: Orfao): string {
  if (orfao.destino === 'sem_dono') return orfao.motivo;
  if (orfao.destino === 'sobra') return 'o que traz está também em outro lugar';
  return 'malote verificar --reparar cuida dele';
}

async function requireOrfao(deps: DepsDosOrfaos, key: string): Promise<Orfao> {
  for await (const one of findOrfaos(deps)) {
    if (one !== key) continue;
    const orfao = await destinoDe(deps, key);
    if (orfao) return orfao;
  }
  throw new FalhaDoComando(
    'orfao_nao_encontrado',
    `Não há arquivo guardado sem registro com o nome ${key}. Veja os que há: malote orfao listar (os de menos de uma hora ainda podem ser de um envio em curso).`,
  );
}

async function importar(deps: DepsDosOrfaos, opcoes: { arquivo: string; crm: string }) {
  const { contadorId, codigoCrm } = await contadorDe(deps, opcoes.crm);
  const orfao = await requireOrfao(deps, opcoes.arquivo);
  if (orfao.destino !== 'sem_dono') {
    throw new FalhaDoComando(
      'orfao_com_destino',
      'De quem é este arquivo já se sabe: malote verificar --reparar cuida dele.',
    );
  }
  const lido = readBlobDoEnvio(opcoes.arquivo);
  if (lido === null) {
    throw new FalhaDoComando(
      'orfao_sem_envio',
      'Este arquivo não é um envio. Copie-o (malote orfao copiar), veja o que traz, e envie os documentos com malote importar.',
    );
  }
  const taken = await queries.findEnvio(deps.db.read, lido.arquivoId);
  const arquivoId = taken ? null : lido.arquivoId;
  const id = await importOrfao(deps, { key: opcoes.arquivo, contadorId, arquivoId });
  if (id === null) throw new FalhaDoComando('orfao_nao_encontrado', 'O arquivo não está mais guardado.');
  return { id, codigoCrm, arquivo: opcoes.arquivo };
}
