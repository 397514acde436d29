import type { CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import {
  type Empresa,
  generateCnpj,
  generateEmpresa,
  generateFilial,
  generatePessoa,
  type Perfil,
  type Pessoa,
} from './empresas.ts';

/** Who trades in a scenario: the clients of an accounting office and those they deal with. */
export interface Mundo {
  /** CNPJ of the office, named in `autXML` of some notes. It is no client. */
  escritorio: CpfCnpj;
  clientes: readonly Empresa[];
  /** Sell to the clients. */
  fornecedores: readonly Empresa[];
  /** Buy from the clients. */
  compradores: readonly Empresa[];
  /** Rural producers from whom clients buy with a note of their own. */
  produtores: readonly Empresa[];
  transportadoras: readonly Empresa[];
  consumidores: readonly Pessoa[];
  filiais: ReadonlyMap<CpfCnpj, Empresa>;
}

/** The first clients cover every activity; the others are drawn. */
const FIRST_PROFILES: readonly Perfil[] = [
  'comercio',
  'varejo',
  'industria',
  'restaurante',
  'distribuidora',
  'produtor',
];

const clamp = (n: number, min: number, max: number) => Math.max(min, Math.min(max, Math.floor(n)));

/** Invents the world of a scenario, sized by its number of clients and documents. */
export function generateMundo(
  semente: string,
  clientes: number,
  documentos: number,
  alfanumericos: boolean,
): Mundo {
  const random = new Aleatorio(`mundo/${semente}`);
  const uf = random.pick(['SP', 'PR', 'MG', 'SC', 'RS', 'GO', 'BA', 'MT']);
  const company = (label: string, i: number, perfil: Perfil, lettersEvery: number, local: number): Empresa =>
    generateEmpresa(`${semente}/${label}/${i}`, {
      perfil,
      alfanumerico: alfanumericos && i % lettersEvery === lettersEvery - 1,
      ...(random.chance(local) ? { uf } : {}),
    });
  const many = (label: string, count: number, perfis: readonly Perfil[], local: number): Empresa[] =>
    Array.from({ length: count }, (_, i) =>
      company(label, i, perfis[i % perfis.length] ?? 'comercio', 6, local),
    );
  const drawn: readonly Perfil[] = [
    'comercio',
    'comercio',
    'varejo',
    'varejo',
    'restaurante',
    'distribuidora',
  ];
  const clients = Array.from({ length: clientes }, (_, i) =>
    company('cliente', i, FIRST_PROFILES[i] ?? random.pick(drawn), 4, 0.85),
  );
  const branches = clients
    .filter((c) => c.perfil === 'industria' || c.perfil === 'distribuidora')
    .map((c) => [c.id, generateFilial(c, 2, semente)] as const);
  return {
    escritorio: generateCnpj(random),
    clientes: clients,
    fornecedores: many(
      'fornecedor',
      clamp(documentos / 50, 4, 60),
      ['distribuidora', 'industria', 'comercio'],
      0.5,
    ),
    compradores: many(
      'comprador',
      clamp(documentos / 10, 8, 200),
      ['comercio', 'varejo', 'restaurante'],
      0.6,
    ),
    produtores: many('produtor', 3, ['produtor'], 1),
    transportadoras: many('transportadora', 4, ['transportadora'], 0.7),
    consumidores: Array.from({ length: clamp(documentos / 5, 10, 300) }, (_, i) =>
      generatePessoa(`${semente}/${i}`, random.chance(0.85) ? uf : undefined),
    ),
    filiais: new Map(branches),
  };
}
