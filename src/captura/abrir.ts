/** Makes capture out of the settings. */
import { existsSync, readFileSync } from 'node:fs';
import { haSelados } from '../autorizacao/queries-reselar.ts';
import type { Ambiente } from '../banco/tabelas-captura.ts';
import { type Config, ConfigError } from '../config.ts';
import {
  AUTORIDADES_DO_PRODUTO,
  AutoridadesInvalidas,
  autoridadesAlemDoNode,
} from '../contas/certificado/autoridades-tls.ts';
import type { Deps } from '../deps.ts';
import { openVault } from '../platform/crypto/cofre.ts';
import { Captor } from './captor.ts';
import type { ClienteDaCaptura } from './client/cliente.ts';
import { enderecosDe, NOMES_DE_ENDERECOS } from './client/enderecos.ts';
import type { NomeDoEndereco } from './client/tipos.ts';
import { TransporteHttps } from './client/transporte.ts';
import type { DepsDaCaptura } from './deps-da-captura.ts';
import { Remetente } from './manifestacao/enviar.ts';
import { Relogio } from './relogio.ts';
import { VigiaDaCaptura } from './situacao/vigia.ts';

type Settings = Pick<Config, 'capturaAmbiente' | 'capturaEnderecos' | 'capturaAutoridades'>;

/** As services and the log know this program. */
const AGENTE = 'Malote (captura)';

export function ambienteDe({ capturaAmbiente }: Pick<Config, 'capturaAmbiente'>): Ambiente {
  return capturaAmbiente === 'producao' ? 1 : 2;
}

/** The client over HTTPS, as the settings want it. @throws ConfigError */
function openCliente(config: Settings): ClienteDaCaptura {
  const autoridades = readAutoridades(config.capturaAutoridades);
  const ambiente = ambienteDe(config);
  return {
    transporte: new TransporteHttps({ autoridades: () => autoridades, agente: AGENTE }),
    ambiente,
    endereco: enderecosDe(ambiente, readEnderecos(config.capturaEnderecos)),
  };
}

/** What captures in this process. @throws ConfigError */
export async function openCaptor(deps: Deps): Promise<Captor> {
  const { config, db } = deps;
  const vault = openVault(config, { selados: await haSelados(db.read) });
  return new Captor({ ...deps, vault, cliente: openCliente(config), relogio: await Relogio.open(deps) });
}

/** What sends manifestações in this process. @throws ConfigError */
export async function openRemetente(deps: Deps): Promise<Remetente> {
  const { config, db } = deps;
  const vault = openVault(config, { selados: await haSelados(db.read) });
  return new Remetente({ ...deps, vault, cliente: openCliente(config) });
}

/** What tells of capture that stands still. */
export async function openVigiaDaCaptura(deps: Deps): Promise<VigiaDaCaptura> {
  return new VigiaDaCaptura({ ...(await openDepsDaCaptura(deps)), log: deps.log });
}

/** What acts of people and programs need: they only write down what is wanted. */
export async function openDepsDaCaptura({
  config,
  db,
  clock,
}: Pick<Deps, 'config' | 'db' | 'clock'>): Promise<DepsDaCaptura & { relogio: Relogio }> {
  return { db, ambiente: ambienteDe(config), relogio: await Relogio.open({ db, clock }) };
}

/** An installation without its own file of authorities serves all the same: public ones are trusted, and the import says what is missing. */
function readAutoridades(path: string): string[] {
  const semArquivo = !existsSync(AUTORIDADES_DO_PRODUTO);
  if (path === '' && semArquivo) return [];
  try {
    return autoridadesAlemDoNode(path === '' ? {} : { adicionais: [readFileSync(path)] });
  } catch (error) {
    const why = error instanceof AutoridadesInvalidas ? error.message : 'não pode ser lido';
    throw new ConfigError(`MALOTE_CAPTURA_AUTORIDADES: o arquivo "${path}" não serve: ${why}.`, {
      cause: error,
    });
  }
}

/** Only `https:`: a client certificate is never shown without TLS. */
function readEnderecos(text: string): Partial<Record<NomeDoEndereco, string>> {
  if (text === '') return {};
  const entries = Object.entries(readJson(text));
  const wrong = entries.find(([nome, valor]) => !isNome(nome) || !isAddress(valor));
  if (!wrong) return Object.fromEntries(entries.map(([nome, valor]) => [nome, valor.replace(/\/+$/, '')]));
  throw new ConfigError(
    `MALOTE_CAPTURA_ENDERECOS: "${wrong[0]}" não serve; os nomes são ${NOMES_DE_ENDERECOS.join(', ')}, e cada endereço começa por https://.`,
  );
}

function isNome(nome: string): nome is NomeDoEndereco {
  return (NOMES_DE_ENDERECOS as string[]).includes(nome);
}

function isAddress(valor: unknown): boolean {
  return typeof valor === 'string' && URL.parse(valor)?.protocol === 'https:';
}

function readJson(text: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text.startsWith('{') ? text : readFileSync(text, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, string>;
  } catch (error) {
    throw new ConfigError(
      'MALOTE_CAPTURA_ENDERECOS deve ser um objeto JSON, ou o caminho de um arquivo com um.',
      { cause: error },
    );
  }
  throw new ConfigError('MALOTE_CAPTURA_ENDERECOS deve ser um objeto JSON.');
}
