/** The OpenAPI documents: the routes that the framework gathered, told apart by whom they are for. */
import { nomearEsquemas } from './componentes.ts';
import { exemploDeCurl } from './curl.ts';
import { type Caminho, type Documento, type Etiqueta, operacoesDe } from './tipos.ts';

/** Paths that begin alike, and where this installation has them. */
export interface AreaDaApi {
  area: string;
  url: string;
}

/** What one document says besides its routes. */
export interface DescricaoDeApi {
  title: string;
  version: string;
  /** Markdown, pt-BR. */
  description: string;
  tags: readonly Etiqueta[];
  /** Where callers reach this installation. */
  url: string;
  /** Areas in the order in which they are told; of two that fit a path the longer one is meant. */
  areas: readonly AreaDaApi[];
  securitySchemes: Record<string, object>;
}

/** Routes of one document, with their shapes named: the same for every caller. */
export type Rotas = ReturnType<typeof nomearEsquemas>;

/** Takes the routes of one document from all that were gathered. */
export function rotasDe(todos: Pick<Documento, 'paths'>, inclui: (caminho: string) => boolean): Rotas {
  return nomearEsquemas(
    Object.fromEntries(Object.entries(todos.paths).filter(([caminho]) => inclui(caminho))),
  );
}

/** Makes the document for one caller; every operation of it gets an example for the command line. */
export function assembleDocumento(rotas: Rotas, api: DescricaoDeApi): Documento {
  const { title, version, description, tags, url, securitySchemes } = api;
  const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };
  const documento: Documento = {
    openapi: '3.1.0',
    info: { title, version, description, license },
    servers: [{ url, description: 'Esta instalação' }],
    tags: [...tags],
    paths: porArea(rotas.paths, api),
    components: { schemas: rotas.schemas, securitySchemes },
  };
  for (const { operacao, ...um } of operacoesDe(documento)) {
    const source = exemploDeCurl(documento, { operacao, ...um });
    operacao['x-codeSamples'] = [{ lang: 'Shell', label: 'curl', source }];
  }
  return documento;
}

/** In the order of the areas, each path with its own server where that is another one. */
function porArea(paths: Documento['paths'], { url, areas }: DescricaoDeApi): Documento['paths'] {
  const placed = Object.entries(paths).map(([caminho, item]) => {
    const fits = areas.filter(({ area }) => caminho === area || caminho.startsWith(`${area}/`));
    const [mine] = fits.sort((one, other) => other.area.length - one.area.length);
    const servers = mine && mine.url !== url ? { servers: [{ url: mine.url }] } : {};
    return { rank: mine ? areas.indexOf(mine) : 0, caminho, item: { ...servers, ...copia(item) } };
  });
  const sorted = placed.sort((one, other) => one.rank - other.rank);
  return Object.fromEntries(sorted.map(({ caminho, item }) => [caminho, item]));
}

/** Operations are added to; what they hold is not. */
function copia(item: Caminho): Caminho {
  return Object.fromEntries(Object.entries(item).map(([metodo, operacao]) => [metodo, { ...operacao }]));
}
