import { isIP } from 'node:net';
import { join, resolve } from 'node:path';

/** Every setting of the service. The environment is the only source; this list is the only place that names them. */
interface Setting {
  env: string;
  default: string;
  unit: string;
  /** One sentence in pt-BR; `docs/configuracao.md` is made from it. */
  about: string;
}

export const SETTINGS = {
  host: { env: 'HOST', default: '127.0.0.1', unit: 'endereço', about: 'Endereço em que o servidor escuta.' },
  port: {
    env: 'PORT',
    default: '8080',
    unit: 'porta TCP',
    about: 'Porta em que o servidor escuta; 0 escolhe uma livre.',
  },
  data: {
    env: 'MALOTE_DATA',
    default: './data',
    unit: 'pasta',
    about: 'Pasta dos dados: banco SQLite, arquivos enviados e chave mestra.',
  },
  modo: {
    env: 'MALOTE_MODO',
    default: 'tudo',
    unit: 'tudo | api | worker',
    about: 'Partes que este processo executa.',
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    default: '',
    unit: 'URL',
    about:
      'Vazio: SQLite na pasta dos dados. Senão, PostgreSQL 15 ou mais novo: postgres://usuario:senha@servidor:5432/banco.',
  },
  conexoes: {
    env: 'MALOTE_CONEXOES',
    default: '10',
    unit: 'conexões',
    about: 'Máximo de conexões com o PostgreSQL para as requisições; a importação usa até 4 a mais.',
  },
  arquivos: {
    env: 'MALOTE_ARQUIVOS',
    default: '',
    unit: 's3://bucket/prefixo',
    about:
      'Onde ficam os arquivos enviados. Vazio: disco, na pasta dos dados. `s3://bucket/prefixo`: S3 ou compatível, com as credenciais usuais `AWS_*`; veja [copia-de-seguranca.md](copia-de-seguranca.md).',
  },
  s3Endpoint: {
    env: 'S3_ENDPOINT',
    default: '',
    unit: 'URL',
    about: 'Endereço de um serviço compatível com S3 (o bucket vai no caminho); vazio: o da Amazon.',
  },
  limiteMinuto: {
    env: 'MALOTE_LIMITE_MINUTO',
    default: '0',
    unit: 'requisições por minuto e token',
    about:
      'Limite de requisições por token, na importação e na exportação em separado; 0: nenhum. O que passa dele espera até 5 segundos e, se ainda passa, recebe 429. Sem limite ninguém é recusado por pedir muito: de cada token são atendidas até 64 requisições ao mesmo tempo, e as outras esperam a vez.',
  },
  filaMaxima: {
    env: 'MALOTE_FILA_MAXIMA',
    default: '20000',
    unit: 'arquivos',
    about:
      'Com tantos arquivos à espera da importação, novos envios recebem 503 com Retry-After; escritórios com poucos arquivos na fila ainda são aceitos até o dobro. 0 desliga.',
  },
  discoMinimo: {
    env: 'MALOTE_DISCO_MINIMO',
    default: '500',
    unit: 'MB',
    about:
      'Com menos espaço livre que isto na pasta dos dados, novos envios recebem 503 até que haja espaço; nunca mais que um décimo do disco. 0 desliga.',
  },
  homologacao: {
    env: 'MALOTE_HOMOLOGACAO',
    default: '0',
    unit: '0 | 1',
    about: 'Com 1, documentos de homologação (tpAmb 2) entram nas listas e recebem NSU.',
  },
  chaveMestra: {
    env: 'MALOTE_CHAVE_MESTRA',
    default: '',
    unit: '32 bytes em Base64',
    about:
      'Chave que sela segredos; vazia: é gerada na pasta dos dados (chave-mestra, modo 0600). Na troca, a nova e a atual separadas por vírgula, a nova primeiro.',
  },
  urlBase: {
    env: 'MALOTE_URL_BASE',
    default: '',
    unit: 'URL',
    about: 'Endereço público da área de exportação; vazio: o que o cliente usou na requisição.',
  },
  urlImportacao: {
    env: 'MALOTE_URL_IMPORTACAO',
    default: '',
    unit: 'URL',
    about: 'Endereço público da área de importação; vazio: igual a MALOTE_URL_BASE.',
  },
  urlUpload: {
    env: 'MALOTE_URL_UPLOAD',
    default: '',
    unit: 'URL',
    about: 'Endereço público de envio de arquivos; vazio: MALOTE_URL_IMPORTACAO + /upload.',
  },
  urlContas: {
    env: 'MALOTE_URL_CONTAS',
    default: '',
    unit: 'URL',
    about: 'Endereço público da área de contas; vazio: igual a MALOTE_URL_BASE.',
  },
  urlAuth: {
    env: 'MALOTE_URL_AUTH',
    default: '',
    unit: 'URL',
    about: 'Endereço público do emissor de tokens; vazio: igual a MALOTE_URL_BASE.',
  },
  reino: {
    env: 'MALOTE_REINO',
    default: 'service',
    unit: 'letras, dígitos, _ e -',
    about: 'Nome do reino no endereço do emissor de tokens: /auth/realms/<reino>.',
  },
  emissorEmbutido: {
    env: 'MALOTE_EMISSOR_EMBUTIDO',
    default: '1',
    unit: '0 | 1',
    about: 'Com 0, o emissor embutido fica desligado e só valem os de MALOTE_EMISSORES.',
  },
  emissores: {
    env: 'MALOTE_EMISSORES',
    default: '',
    unit: 'JSON',
    about:
      'Emissores OIDC cujos tokens de acesso são aceitos, além do embutido; o formato está em [emissores.md](emissores.md).',
  },
  entrarCom: {
    env: 'MALOTE_ENTRAR_COM',
    default: '',
    unit: 'JSON',
    about:
      'Provedores OpenID Connect (Google, Microsoft, Keycloak …) por que se entra no console, além da senha; o formato está em [entrar.md](entrar.md).',
  },
  copiaPasta: {
    env: 'MALOTE_COPIA_PASTA',
    default: '',
    unit: 'pasta',
    about:
      'Onde o próprio serviço guarda uma cópia de segurança por dia, de preferência em outro disco; vazia: nenhuma. A mesma em todos os processos; veja [copia-de-seguranca.md](copia-de-seguranca.md).',
  },
  copiaHora: {
    env: 'MALOTE_COPIA_HORA',
    default: '02:30',
    unit: 'HH:MM, hora de Brasília',
    about: 'Quando a cópia do dia é feita. A que passou com o serviço parado é feita quando ele inicia.',
  },
  copiaGuardar: {
    env: 'MALOTE_COPIA_GUARDAR',
    default: '7',
    unit: 'cópias',
    about: 'Quantas das mais novas ficam na pasta; as mais antigas são apagadas depois de uma que deu certo.',
  },
  avisoDeVersao: {
    env: 'MALOTE_AVISO_DE_VERSAO',
    default: '',
    unit: 'URL',
    about:
      'Vazia: o Malote não pergunta nada a ninguém. Senão, uma vez por dia ele lê este endereço (um JSON com `version` ou `tag_name`, como o que um registro de pacotes ou o GitHub dão da última versão) e avisa no console se há uma mais nova. O pedido não leva nada da instalação, nem a versão dela.',
  },
  proxies: {
    env: 'MALOTE_PROXIES',
    default: '',
    unit: 'endereços ou redes, separados por vírgula',
    about:
      'Proxies de confiança (por exemplo 10.0.0.0/8): só deles valem X-Forwarded-For, X-Forwarded-Proto e X-Forwarded-Host; vazio: de ninguém.',
  },
  exigirHttps: {
    env: 'MALOTE_EXIGIR_HTTPS',
    default: '0',
    unit: '0 | 1',
    about:
      'Com 1, o emissor de tokens recusa pedidos que não chegaram por https (403 "HTTPS required"); atrás de um proxy, preencha também MALOTE_PROXIES.',
  },
  esperaAoParar: {
    env: 'MALOTE_ESPERA_AO_PARAR',
    default: '2',
    unit: 'segundos',
    about:
      'Depois de um SIGTERM, por quanto tempo o servidor ainda aceita conexões, com /readyz já em 503, para que o proxy o retire antes; por mais esse tempo (até 2,5) as conexões abertas ainda são atendidas. De 0 a 5.',
  },
  leitores: {
    env: 'MALOTE_LEITORES',
    default: '0',
    unit: 'threads',
    about:
      'Threads que leem documentos na importação; 0: uma por núcleo do processador, menos uma, pois quem grava ocupa um núcleo.',
  },
  compactarEnvios: {
    env: 'MALOTE_COMPACTAR_ENVIOS',
    default: '1',
    unit: '0 | 1',
    about:
      'Com 1, o arquivo enviado cujo conteúdo já está todo no banco passa a ser guardado como receita, que o refaz byte a byte; com 0, fica como veio: ocupa muito mais disco, e serve de segunda cópia de que "malote verificar --reparar" tira documentos danificados.',
  },
  urlIcp: {
    env: 'MALOTE_URL_ICP',
    default: 'http://acraiz.icpbrasil.gov.br/credenciadas/CertificadosAC-ICP-Brasil/ACcompactado.zip',
    unit: 'URL',
    about:
      'De onde `malote icp atualizar` busca as autoridades da ICP-Brasil; o resumo que as confere (hashsha512.txt) fica ao lado. O servidor nunca busca nada sozinho.',
  },
  captura: {
    env: 'MALOTE_CAPTURA',
    default: '1',
    unit: '0 | 1',
    about:
      'Com 0, este processo não busca nada na SEFAZ, no ADN e no SAE. Com 1, busca só o que cada escritório ligou para cada cliente; veja [captura.md](captura.md).',
  },
  capturaAmbiente: {
    env: 'MALOTE_CAPTURA_AMBIENTE',
    default: 'producao',
    unit: 'producao | homologacao',
    about: 'Ambiente dos serviços de que a captura busca.',
  },
  capturaEnderecos: {
    env: 'MALOTE_CAPTURA_ENDERECOS',
    default: '',
    unit: 'JSON ou caminho de um arquivo JSON',
    about:
      'Outros endereços dos serviços da captura: um objeto com nfe, nfe_eventos, cte, cte_eventos, adn, sefin, sae_chaves, sae_download e convenio, ou alguns deles; os que faltam são os oficiais.',
  },
  capturaAutoridades: {
    env: 'MALOTE_CAPTURA_AUTORIDADES',
    default: '',
    unit: 'arquivo PEM',
    about:
      'Autoridades em que a captura confia, além das do Node e das da ICP-Brasil, ao conferir os servidores dos serviços.',
  },
  log: {
    env: 'MALOTE_LOG',
    default: 'info',
    unit: 'debug | info | warn | error | silent',
    about: 'Nível do registro (uma linha JSON por acontecimento).',
  },
} as const satisfies Record<string, Setting>;

/** A bucket of S3 or of a service that speaks like it. */
export interface ArquivosEmS3 {
  bucket: string;
  /** Without slashes at its ends; may be empty. */
  prefix: string;
  /** Empty: Amazon's own. Else an http(s) address, and the bucket goes into the path. */
  endpoint: string;
}

type Modo = 'tudo' | 'api' | 'worker';

export interface Config {
  host: string;
  port: number;
  /** Absolute path. */
  dataFolder: string;
  sqlitePath: string;
  /** Address of PostgreSQL; empty: SQLite. */
  databaseUrl: string;
  /** Connections of the pool that serves HTTP. */
  conexoes: number;
  /** Where uploaded files lie; null: in the data folder. */
  arquivos: ArquivosEmS3 | null;
  modo: Modo;
  /** 0: none. */
  requestsPerMinute: number;
  /** Files in the queue from which on uploads are put off; 0: no limit. */
  filaMaxima: number;
  /** Free bytes below which uploads are put off; 0: no limit. */
  discoMinimoBytes: number;
  homologacao: boolean;
  /** Whether uploads that are done become recipes (`importacao/recipe/compactar.ts`). */
  compactarEnvios: boolean;
  /** Base64 of 32 bytes, newest first when several are separated by commas; empty: a file of the data folder. */
  chaveMestra: string;
  /** Name of the embedded issuer's realm. */
  reino: string;
  emissorEmbutido: boolean;
  /** JSON, read by `autorizacao/emissores-externos.ts`. */
  emissores: string;
  /** JSON, read by `autorizacao/provedores/ler-provedores.ts`. */
  entrarCom: string;
  /** Without trailing slash; empty where the request's own origin is to be used. */
  urls: { base: string; importacao: string; upload: string; contas: string; auth: string };
  readerThreads: number;
  /** Where `malote icp atualizar` gets ITI's file of authorities. */
  urlIcp: string;
  /** Backups by schedule: the folder (absolute; empty: none), the time of day in Brasília, how many stay. */
  copia: { pasta: string; hora: string; guardar: number };
  /** Where the newest version is told; empty: nobody is asked. */
  avisoDeVersao: string;
  /** Addresses and networks whose forwarding headers are believed. */
  proxies: readonly string[];
  exigirHttps: boolean;
  /** How long a stopping process goes on after it has said so. */
  esperaAoPararMs: number;
  /** Whether this process captures, where it is one that works. */
  captura: boolean;
  capturaAmbiente: 'producao' | 'homologacao';
  /** JSON or a path, and a path: read by `captura/abrir.ts`. */
  capturaEnderecos: string;
  capturaAutoridades: string;
  logLevel: string;
  /** Names in the environment that look like settings of ours and are none: a slip of the pen, which had no effect. */
  desconhecidas: string[];
}

/** A setting has a value that cannot be; the message names it and says what may stand there (pt-BR). */
export class ConfigError extends Error {}

/** Reads the settings from an environment. @throws ConfigError with the name of the faulty setting */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const value = (name: keyof typeof SETTINGS) => env[SETTINGS[name].env]?.trim() || SETTINGS[name].default;
  const dataFolder = resolve(value('data'));
  const base = url(value('urlBase'), 'urlBase');
  const importacao = url(value('urlImportacao'), 'urlImportacao') || base;
  return {
    host: value('host'),
    port: integer(value('port'), 'port', 0, 65_535),
    dataFolder,
    sqlitePath: join(dataFolder, 'malote.sqlite'),
    databaseUrl: postgresUrl(value('databaseUrl')),
    conexoes: integer(value('conexoes'), 'conexoes', 1, 1_000),
    arquivos: bucketOf(value('arquivos'), url(value('s3Endpoint'), 's3Endpoint')),
    modo: oneOf(value('modo'), 'modo', ['tudo', 'api', 'worker']),
    requestsPerMinute: integer(value('limiteMinuto'), 'limiteMinuto', 0, 10_000_000),
    filaMaxima: integer(value('filaMaxima'), 'filaMaxima', 0, 10_000_000),
    discoMinimoBytes: integer(value('discoMinimo'), 'discoMinimo', 0, 10_000_000) * 1_000_000,
    homologacao: oneOf(value('homologacao'), 'homologacao', ['0', '1']) === '1',
    compactarEnvios: oneOf(value('compactarEnvios'), 'compactarEnvios', ['0', '1']) === '1',
    chaveMestra: masterKey(value('chaveMestra')),
    urls: {
      base,
      importacao,
      upload: url(value('urlUpload'), 'urlUpload') || (importacao && `${importacao}/upload`),
      contas: url(value('urlContas'), 'urlContas') || base,
      auth: url(value('urlAuth'), 'urlAuth') || base,
    },
    reino: realm(value('reino')),
    emissorEmbutido: oneOf(value('emissorEmbutido'), 'emissorEmbutido', ['0', '1']) === '1',
    emissores: value('emissores'),
    entrarCom: value('entrarCom'),
    copia: {
      pasta: value('copiaPasta') && resolve(value('copiaPasta')),
      hora: hourOfDay(value('copiaHora')),
      guardar: integer(value('copiaGuardar'), 'copiaGuardar', 1, 1_000),
    },
    avisoDeVersao: versionUrl(value('avisoDeVersao')),
    proxies: proxyList(value('proxies')),
    exigirHttps: oneOf(value('exigirHttps'), 'exigirHttps', ['0', '1']) === '1',
    esperaAoPararMs: integer(value('esperaAoParar'), 'esperaAoParar', 0, 5) * 1_000,
    readerThreads: integer(value('leitores'), 'leitores', 0, 64),
    urlIcp: url(value('urlIcp'), 'urlIcp'),
    captura: oneOf(value('captura'), 'captura', ['0', '1']) === '1',
    capturaAmbiente: oneOf(value('capturaAmbiente'), 'capturaAmbiente', ['producao', 'homologacao']),
    capturaEnderecos: value('capturaEnderecos'),
    capturaAutoridades: value('capturaAutoridades'),
    logLevel: oneOf(value('log'), 'log', ['debug', 'info', 'warn', 'error', 'silent']),
    desconhecidas: unknownIn(env),
  };
}

const PREFIX = 'MALOTE_';
const OF_TESTS = 'MALOTE_TESTE_';
/** No settings of the service: what client commands are told, and what the entry point and tests tell a process. */
const OTHERS = [
  'MALOTE_URL',
  'MALOTE_TOKEN',
  'MALOTE_NODE_REEXEC',
  'MALOTE_PONTO_DE_FALHA',
  'MALOTE_NAVEGADOR',
];

function unknownIn(env: NodeJS.ProcessEnv): string[] {
  const known = new Set([...OTHERS, ...Object.values(SETTINGS).map((setting) => setting.env)]);
  return Object.keys(env).filter(
    (name) => name.startsWith(PREFIX) && !name.startsWith(OF_TESTS) && !known.has(name),
  );
}

function integer(text: string, name: keyof typeof SETTINGS, min: number, max: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < min || number > max) {
    throw new ConfigError(
      `${SETTINGS[name].env} deve ser um número inteiro de ${min} a ${max}; veio "${text}".`,
    );
  }
  return number;
}

function oneOf<T extends string>(text: string, name: keyof typeof SETTINGS, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === text);
  if (found === undefined)
    throw new ConfigError(`${SETTINGS[name].env} deve ser ${allowed.join(', ')}; veio "${text}".`);
  return found;
}

function url(text: string, name: keyof typeof SETTINGS): string {
  if (text === '') return '';
  const parsed = URL.parse(text);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new ConfigError(`${SETTINGS[name].env} deve ser um endereço http(s); veio "${text}".`);
  }
  if (/[?#]/.test(text)) {
    throw new ConfigError(
      `${SETTINGS[name].env} não pode ter consulta (?) nem fragmento (#); veio "${text}".`,
    );
  }
  return text.replace(/\/+$/, '');
}

/** The value itself is not repeated: it holds a password. */
function postgresUrl(text: string): string {
  if (text === '' || /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new ConfigError(
    'DATABASE_URL deve ficar vazia (SQLite) ou ser um endereço postgres://usuario:senha@servidor:5432/banco.',
  );
}

/** `s3://bucket/prefixo`; the prefix may be missing. */
function bucketOf(text: string, endpoint: string): ArquivosEmS3 | null {
  if (text === '') return null;
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9!_.*'()/-]*))?$/.exec(text) ?? [];
  if (bucket === undefined) {
    throw new ConfigError(`MALOTE_ARQUIVOS deve ser vazia ou s3://bucket/prefixo; veio "${text}".`);
  }
  return { bucket, prefix: prefix.replace(/^\/+|\/+$/g, ''), endpoint };
}

function proxyList(text: string): string[] {
  const proxies = text.split(',').flatMap((one) => one.trim() || []);
  const wrong = proxies.find((one) => !isAddressOrNetwork(one));
  if (wrong === undefined) return proxies;
  throw new ConfigError(
    `MALOTE_PROXIES deve ter endereços IP ou redes como 10.0.0.0/8, separados por vírgula; veio "${wrong}".`,
  );
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

function hourOfDay(text: string): string {
  if (/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)) return text;
  throw new ConfigError(`MALOTE_COPIA_HORA deve ser uma hora como 02:30; veio "${text}".`);
}

/** Kept as it is: it may end in what a server wants. */
function versionUrl(text: string): string {
  if (text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new ConfigError(`MALOTE_AVISO_DE_VERSAO deve ser um endereço http(s); veio "${text}".`);
}

function realm(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(text)) {
    throw new ConfigError(`MALOTE_REINO deve ter de 1 a 64 letras, dígitos, _ ou -; veio "${text}".`);
  }
  return text;
}

function masterKey(text: string): string {
  const keys = text === '' ? [] : text.split(',');
  if (keys.some((key) => Buffer.from(key, 'base64').length !== 32)) {
    throw new ConfigError(
      'MALOTE_CHAVE_MESTRA deve ter 32 bytes em Base64 (por exemplo: openssl rand -base64 32); várias, separadas por vírgula.',
    );
  }
  return text;
}
