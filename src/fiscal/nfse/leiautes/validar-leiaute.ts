/**
 * Whether something that came from elsewhere (a JSON file) is the description of a layout, as strictly as ours are: every
 * field known, every place readable, nothing larger than a description is.
 */
import { readMunicipio } from '../valores.ts';
import { readCaminho } from './caminho.ts';
import type { Leiaute } from './leiaute.ts';

/** More than this no layout has. */
export const LEIAUTE_MAX = { caminhos: 12, nomes: 40, sinais: 12, texto: 300, faltas: 50 } as const;

const ID = /^[a-z][a-z0-9-]{1,39}$/;
const NOME_DE_ELEMENTO = /^[A-Za-z_][A-Za-z0-9_.-]{0,79}$/;
const LUGAR_AO_REDOR = /^[A-Za-z_][A-Za-z0-9_.-]{0,79}(?:\/[A-Za-z_][A-Za-z0-9_.-]{0,79}){0,3}$/;

/** Tells what is wrong with a value; `onde` names it, such as `prestador.cpfCnpj`. */
type Regra = (valor: unknown, onde: string) => string[];

type Campos = Readonly<Record<string, Regra>>;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with these fields and no others. */
function objeto(obrigatorios: Campos, opcionais: Campos = {}): Regra {
  const known = new Map(Object.entries({ ...obrigatorios, ...opcionais }));
  return (valor, onde) => {
    if (!isObject(valor)) return [`${onde || 'O leiaute'} deve ser um objeto.`];
    const at = (campo: string): string => (onde === '' ? campo : `${onde}.${campo}`);
    const missing = Object.keys(obrigatorios)
      .filter((campo) => !Object.hasOwn(valor, campo))
      .map((campo) => `Falta o campo ${at(campo)}.`);
    const faults = Object.entries(valor).flatMap(([campo, inner]) => {
      const rule = known.get(campo);
      return rule ? rule(inner, at(campo)) : [`O campo ${at(campo.slice(0, 40))} não existe em leiautes.`];
    });
    return [...missing, ...faults];
  };
}

function lista(regra: Regra, { min = 0, max }: { min?: number; max: number }): Regra {
  return (valor, onde) => {
    if (!Array.isArray(valor)) return [`${onde} deve ser uma lista.`];
    if (valor.length < min) return [`${onde} deve ter ao menos ${min}.`];
    if (valor.length > max) return [`${onde} passa de ${max}.`];
    return valor.flatMap((inner, at) => regra(inner, `${onde}[${at + 1}]`));
  };
}

function texto(pattern: RegExp, deve: string): Regra {
  return (valor, onde) =>
    typeof valor === 'string' && valor.length <= LEIAUTE_MAX.texto && pattern.test(valor)
      ? []
      : [`${onde} deve ser ${deve}.`];
}

function umDe(...valores: readonly string[]): Regra {
  return (valor, onde) =>
    valores.includes(valor as string) ? [] : [`${onde} deve ser ${valores.join(' ou ')}.`];
}

const simNao: Regra = (valor, onde) =>
  typeof valor === 'boolean' ? [] : [`${onde} deve ser true ou false.`];

const caminho: Regra = (valor, onde) => {
  if (typeof valor !== 'string') return [`${onde} deve ser um texto.`];
  const read = readCaminho(valor);
  return 'falta' in read ? [`${onde}: o caminho "${valor.slice(0, 60)}" ${read.falta}.`] : [];
};

const frase = texto(/\S/, `um texto de até ${LEIAUTE_MAX.texto} letras`);
const nomeDeElemento = texto(NOME_DE_ELEMENTO, 'o nome de um elemento');
const codigo = texto(/^[^\s].{0,29}$/, 'um código de até 30 letras');
const municipio: Regra = (valor, onde) =>
  typeof valor === 'string' && readMunicipio(valor) !== null
    ? []
    : [`${onde} deve ser um código do IBGE, de 7 dígitos.`];

const caminhos = lista(caminho, { max: LEIAUTE_MAX.caminhos });
const umOuMais = lista(caminho, { min: 1, max: LEIAUTE_MAX.caminhos });
const nomes = lista(nomeDeElemento, { min: 1, max: LEIAUTE_MAX.nomes });
const codigos = lista(codigo, { min: 1, max: LEIAUTE_MAX.nomes });
const lugares = lista(texto(LUGAR_AO_REDOR, 'o nome de um elemento, ou de um dentro de outro (a/b)'), {
  min: 1,
  max: LEIAUTE_MAX.caminhos,
});

/** Codes of the layout's own, each with the city that it stands for. */
const proprios: Regra = (valor, onde) => {
  if (!isObject(valor)) return [`${onde} deve ser um objeto.`];
  const rows = Object.entries(valor);
  if (rows.length > LEIAUTE_MAX.nomes) return [`${onde} passa de ${LEIAUTE_MAX.nomes}.`];
  return rows.flatMap(([key, city]) => [
    ...codigo(key, onde),
    ...municipio(city, `${onde}.${key.slice(0, 30)}`),
  ]);
};

const parte = objeto({ cpfCnpj: caminhos }, { nome: caminhos, noTexto: caminhos });

/** The prestador has a place for its id, of either kind, or the file says it around its notes. */
function semPrestador({ prestador, aoRedor = {} }: Leiaute): string[] {
  const places = [prestador.cpfCnpj, prestador.noTexto, aoRedor.cpfCnpj].flat();
  return places.some((place) => place !== undefined)
    ? []
    : ['prestador deve ter um caminho em cpfCnpj ou noTexto, ou aoRedor um lugar em cpfCnpj.'];
}

const situacao = objeto(
  { tipo: umDe('situacao'), campos: umOuMais },
  { cancelada: codigos, substituida: codigos, normal: codigos, soCodigos: simNao },
);
const outroSinal = objeto({
  tipo: umDe('situacao', 'sim_nao', 'data', 'motivo', 'confirmacao', 'substituta'),
  campos: umOuMais,
});
const sinal: Regra = (valor, onde) =>
  (isObject(valor) && valor.tipo === 'situacao' ? situacao : outroSinal)(valor, onde);

const nota = objeto(
  { elemento: nomes, tem: umOuMais },
  {
    envoltorio: nomes,
    aoLado: nomes,
    dentroDe: nomes,
    namespace: lista(frase, { min: 1, max: LEIAUTE_MAX.nomes }),
    naoTem: umOuMais,
    norma: simNao,
  },
);

const leiaute = objeto(
  {
    id: texto(ID, 'um nome de letras minúsculas, dígitos e -, de 2 a 40'),
    nome: frase,
    fonte: frase,
    nota,
    numero: umOuMais,
    data: objeto({ campos: umOuMais }, { hora: caminhos, ordem: umDe('dia_mes', 'mes_dia') }),
    prestador: parte,
    valor: umOuMais,
  },
  {
    grupos: nomes,
    serie: caminhos,
    serieDoRps: caminhos,
    inscricao: caminhos,
    codigo: caminhos,
    competencia: caminhos,
    tomador: parte,
    intermediario: parte,
    aoRedor: objeto(
      {},
      {
        cpfCnpj: lugares,
        nome: lugares,
        inscricao: lugares,
        municipio: lugares,
        confere: objeto({ nome: umOuMais, inscricao: umOuMais }),
      },
    ),
    soma: umOuMais,
    base: umOuMais,
    municipio: objeto(
      {},
      {
        codigo: caminhos,
        daReceita: simNao,
        nome: caminhos,
        uf: caminhos,
        fixo: municipio,
        porNamespace: lista(objeto({ contem: frase, municipio }), { min: 1, max: LEIAUTE_MAX.nomes }),
        proprios,
      },
    ),
    prestacao: caminhos,
    situacao: lista(sinal, { max: LEIAUTE_MAX.sinais }),
    substitui: caminhos,
    chaveNacional: caminhos,
    chaveNacionalDaNota: simNao,
    teste: caminhos,
    ambiente: caminhos,
    versao: caminhos,
    mutaveis: nomes,
    semPrestador: objeto({ codigo: umDe('nfse_sem_prestador', 'mensagem_sem_documento'), mensagem: frase }),
  },
);

/**
 * Checks a description of a layout.
 *
 * @param valor what a JSON file held
 * @returns the layout, or what is wrong with it: each fault in words, with its place, at most {@link LEIAUTE_MAX}`.faltas`
 */
export function validateLeiaute(
  valor: unknown,
): { ok: true; leiaute: Leiaute } | { ok: false; faltas: string[] } {
  const formais = leiaute(valor, '');
  const faltas = formais.length > 0 ? formais : semPrestador(valor as Leiaute);
  return faltas.length === 0
    ? { ok: true, leiaute: valor as Leiaute }
    : { ok: false, faltas: faltas.slice(0, LEIAUTE_MAX.faltas) };
}
