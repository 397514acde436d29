/** An example of each operation for the command line, made from the examples of its parameters and of its body. */
import { resolver } from './componentes.ts';
import type { Documento, Esquema, METODOS, Operacao, Parametro } from './tipos.ts';

const ARQUIVO = 'application/octet-stream';
const FORMULARIO = 'application/x-www-form-urlencoded';

interface Alvo {
  caminho: string;
  metodo: (typeof METODOS)[number];
  operacao: Operacao;
  servers?: { url: string }[] | undefined;
}

/** A command that can be copied. What only the caller has stands in it as a variable of the shell. */
export function exemploDeCurl(documento: Documento, alvo: Alvo): string {
  const { operacao } = alvo;
  const parts = [
    ...metodoDe(alvo),
    aspas(enderecoDe(documento, alvo)),
    ...((operacao.security ?? []).length > 0
      ? [`-H ${aspas(`Authorization: Bearer ${tokenDe(operacao)}`)}`]
      : []),
    ...corpo(documento, operacao),
  ];
  return `curl -s ${parts.join(' \\\n  ')}`;
}

/** What curl would not do by itself: it reads without a body, posts one, and puts a file. */
function metodoDe({ metodo, operacao }: Alvo): string[] {
  const postsItself = metodo === 'post' && operacao.requestBody !== undefined;
  const byItself = metodo === 'get' || postsItself || mandaArquivo(operacao);
  return byItself ? [] : [`-X ${metodo.toUpperCase()}`];
}

const mandaArquivo = ({ requestBody }: Operacao) => ARQUIVO in (requestBody?.content ?? {});

function enderecoDe(documento: Documento, { caminho, operacao, servers }: Alvo): string {
  const given = operacao['x-endereco'];
  if (given !== undefined) return `$${given}`;
  const parametros = operacao.parameters ?? [];
  const base = (servers ?? documento.servers)?.[0]?.url ?? '';
  const filled = caminho.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const parametro = parametros.find((one) => one.in === 'path' && one.name === name);
    return parametro ? valorDe(parametro) : '';
  });
  const query = parametros
    .filter((one) => one.in === 'query' && (one.required || one.example !== undefined))
    .map((one) => `${one.name}=${valorDe(one)}`);
  return base + filled + (query.length > 0 ? `?${query.join('&')}` : '');
}

/** The accounts area takes access tokens only. */
function tokenDe({ security = [] }: Operacao): string {
  return security.some((one) => 'token' in one) ? '$TOKEN' : '$TOKEN_DE_ACESSO';
}

function valorDe({ example, examples, schema }: Parametro): string {
  const { 'x-variavel': variavel } = schema;
  if (variavel !== undefined) return `$${variavel}`;
  return encodeURIComponent(
    String(example ?? Object.values(examples ?? {})[0]?.value ?? schema.default ?? ''),
  );
}

const aspas = (text: string) => `"${text.replaceAll('"', '\\"')}"`;

/** The fields that are required, or that say what one writes there. */
function corpo(documento: Documento, operacao: Operacao): string[] {
  if (mandaArquivo(operacao)) return ['-T nota.xml'];
  const [type, media] = Object.entries(operacao.requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || !media) return [];
  const { properties = {}, required = [] } = resolver(documento, media.schema);
  const campos = Object.entries(properties).flatMap(([name, campo]) => {
    const schema = resolver(documento, campo);
    const isShown = required.includes(name) || schema.examples || schema['x-variavel'];
    return isShown ? [[name, exemploDoCampo(schema)] as const] : [];
  });
  if (type === FORMULARIO) return campos.map(([name, value]) => `-d ${aspas(`${name}=${value}`)}`);
  return [`-H "Content-Type: ${type}"`, `-d '${JSON.stringify(Object.fromEntries(campos))}'`];
}

function exemploDoCampo({ 'x-variavel': variavel, examples, enum: words }: Esquema): unknown {
  return variavel === undefined ? (examples?.[0] ?? words?.[0] ?? '') : `$${variavel}`;
}
