/** `malote captura manifestar`: declares something of documents to SEFAZ, for a client. */
import type { Command } from 'commander';
import { ambienteDe } from '../captura/abrir.ts';
import { readJustificativa } from '../captura/manifestacao/justificativa.ts';
import { askForManifestacoes, type Pedida } from '../captura/manifestacao/pedir.ts';
import { MANIFESTACOES, manifestacaoDe, type TipoDeManifestacao } from '../captura/manifestacao/tipos.ts';
import { lerChave } from '../fiscal/chave.ts';
import { clienteDe, noEscritorio } from './deps.ts';
import { CRM_E_CLIENTE, type Registrar, required } from './programa.ts';
import { FalhaDoComando } from './saida.ts';

const AUTOR = 'cli';

interface Opcoes {
  crm: string;
  cpfCnpj: string;
  codigo: string;
  chave: string[];
  justificativa?: string;
  confirmo?: boolean;
}

/** Adds the command below `malote captura`. */
export const registerManifestar: Registrar = (captura: Command, executar) => {
  const codigos = Object.values(MANIFESTACOES)
    .map(({ codigo, nome }) => `${codigo} ${nome}`)
    .join('; ');
  required(captura.command('manifestar'), {
    ...CRM_E_CLIENTE,
    '--codigo <tpEvento>': codigos,
    '--chave <chaves...>': 'chave de acesso de um ou mais documentos',
  })
    .option('--justificativa <texto>', 'de 15 a 255 caracteres, onde se pede')
    .option('--confirmo', 'li o que a manifestação significa, e declaro em nome do cliente')
    .description(
      'declara à SEFAZ, em nome do cliente, o que ele sabe de uma nota; sem --confirmo, só diz o que significa',
    )
    .action(
      executar<Opcoes>(async ({ opcoes, saida }) => {
        const tipo = tipoDe(opcoes.codigo);
        if (opcoes.confirmo !== true)
          throw new FalhaDoComando('sem_confirmacao', `${tipo.efeito} Repita com --confirmo para enviar.`);
        const pedidas = await pedir(tipo, opcoes);
        const recusadas = pedidas.filter(({ aceita }) => !aceita);
        saida.resultado({ codigo: tipo.codigo, pedidas }, pedidas.map(lineOf));
        if (recusadas.length > 0)
          throw new FalhaDoComando('manifestacao_nao_pedida', `${recusadas.length} sem manifestação.`);
      }),
    );
};

function pedir(tipo: TipoDeManifestacao, opcoes: Opcoes): Promise<Pedida[]> {
  const chaves = opcoes.chave.map((texto) => {
    const chave = lerChave(texto);
    if (!chave)
      throw new FalhaDoComando('chave_invalida', `"${texto}" não tem o formato de uma chave de acesso.`);
    return chave;
  });
  const justificativa = justificativaDe(tipo, opcoes.justificativa ?? '');
  return noEscritorio(opcoes.crm, async (deps, { contadorId }) => {
    const { id: clienteId, cpfCnpj } = await clienteDe(deps, { contadorId, cpfCnpj: opcoes.cpfCnpj });
    const ambiente = ambienteDe(deps.config);
    const quem = { contadorId, clienteId, cpfCnpj, ambiente, autor: AUTOR };
    return askForManifestacoes(deps, { ...quem, chaves, codigo: tipo.codigo, justificativa });
  });
}

function tipoDe(codigo: string): TipoDeManifestacao {
  const tipo = manifestacaoDe(codigo);
  if (tipo) return tipo;
  throw new FalhaDoComando('dados_invalidos', `--codigo deve ser ${Object.keys(MANIFESTACOES).join(', ')}.`);
}

function justificativaDe(tipo: TipoDeManifestacao, texto: string): string | null {
  if (!tipo.justificativa) return null;
  const lida = readJustificativa(texto);
  if ('falha' in lida) throw new FalhaDoComando('dados_invalidos', lida.falha);
  return lida.texto;
}

function lineOf(pedida: Pedida): string {
  return pedida.aceita
    ? `${pedida.chave}: pedida, vai à SEFAZ em seguida.`
    : `${pedida.chave}: ${pedida.mensagem}`;
}
