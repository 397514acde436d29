import { cnpjCheckDigits, cpfCheckDigits, isCpf } from '../fiscal/cpf-cnpj.ts';
import type { CpfCnpj } from '../fiscal/tipos.ts';
import { Aleatorio } from './aleatorio.ts';
import type { Titular } from './certificado.ts';
import { MUNICIPIOS, type Municipio } from './municipios.ts';
import { CATALOGO, ean13, isFractioned, type Produto } from './produtos.ts';

/** Invented companies and people. Any likeness with real ones is chance; numbers have valid check digits only. */

export type Perfil =
  | 'comercio'
  | 'varejo'
  | 'restaurante'
  | 'industria'
  | 'distribuidora'
  | 'produtor'
  | 'transportadora'
  | 'servicos';

export interface Endereco {
  logradouro: string;
  numero: string;
  complemento: string | null;
  bairro: string;
  municipio: Municipio;
  cep: string;
  fone: string;
}

/** How the invoicing program of a company writes XML; both ways occur in real files and mean the same. */
export interface EstiloXml {
  /** Empty elements of the signature as `<a/>` instead of `<a></a>`. */
  autoFechado: boolean;
  /** `versao` before `Id` in `infNFe`. */
  versaoPrimeiro: boolean;
  /** Decimal places of unit prices. */
  casasPreco: 4 | 10;
}

/** A natural person who buys. */
export interface Pessoa {
  id: CpfCnpj;
  nome: string;
  email: string;
  endereco: Endereco;
}

export interface Empresa extends Titular {
  perfil: Perfil;
  fantasia: string;
  ie: string;
  cnae: string;
  /** 1 Simples Nacional, 3 regime normal. */
  crt: '1' | '3';
  endereco: Endereco;
  produtos: readonly Produto[];
  estilo: EstiloXml;
  verProc: string;
  /** Secret of the NFC-e QR code. */
  csc: { id: string; codigo: string };
}

interface Ramo {
  nomes: readonly string[];
  segmentos: readonly string[];
  cnae: string;
  simples: number;
}

const RAMOS: Record<Perfil, Ramo> = {
  comercio: {
    nomes: ['Comercial', 'Casa', 'Depósito', 'Eletro', 'Armazém', 'Autopeças', 'Informática'],
    segmentos: ['construcao', 'eletrica', 'autopecas', 'papelaria', 'informatica', 'moveis', 'limpeza'],
    cnae: '4744099',
    simples: 0.6,
  },
  varejo: {
    nomes: ['Mercado', 'Mercearia', 'Papelaria', 'Loja', 'Empório', 'Modas', 'Supermercado'],
    segmentos: ['alimentos', 'bebidas', 'limpeza', 'vestuario', 'papelaria'],
    cnae: '4711302',
    simples: 0.7,
  },
  restaurante: {
    nomes: ['Restaurante', 'Pizzaria', 'Lanchonete', 'Padaria e Confeitaria', 'Cantina', 'Café'],
    segmentos: ['refeicoes'],
    cnae: '5611201',
    simples: 0.9,
  },
  industria: {
    nomes: ['Indústria de Móveis', 'Metalúrgica', 'Indústria e Comércio', 'Embalagens', 'Confecções'],
    segmentos: ['metal', 'moveis', 'embalagens', 'vestuario', 'limpeza', 'bebidas'],
    cnae: '2599399',
    simples: 0.2,
  },
  distribuidora: {
    nomes: ['Distribuidora', 'Atacado', 'Importadora', 'Distribuidora de Bebidas', 'Atacadista'],
    segmentos: ['alimentos', 'bebidas', 'limpeza', 'autopecas', 'eletrica', 'informatica'],
    cnae: '4691500',
    simples: 0.1,
  },
  produtor: { nomes: ['Fazenda'], segmentos: ['agro'], cnae: '0115600', simples: 0 },
  transportadora: {
    nomes: ['Transportes', 'Transportadora', 'Logística', 'Expresso', 'Rodoviário'],
    segmentos: ['embalagens'],
    cnae: '4930202',
    simples: 0.3,
  },
  servicos: {
    nomes: ['Consultoria', 'Serviços', 'Soluções', 'Assessoria', 'Manutenção e Serviços'],
    segmentos: ['papelaria'],
    cnae: '8211300',
    simples: 0.5,
  },
};

const FIRST_NAMES =
  'Ana|José|Antônio|João|Mariana|Cláudia|Luís|Sérgio|Patrícia|Márcio|Inês|Fábio|Conceição|Otávio|Lúcia|Paulo|Débora|Vinícius|Helena|Ângelo'.split(
    '|',
  );
const SURNAMES =
  'Souza|Araújo|Gonçalves|Conceição|Oliveira|Magalhães|Guimarães|Ribeiro|Antunes|Falcão|Moreira|Brandão|Pacheco|Nóbrega|Teixeira|Camargo|Sampaio|Bianchi|Schneider|Yamada|Assunção|Peçanha'.split(
    '|',
  );
const THEMES =
  'São José|Boa Vista|Ipê|Três Irmãos|Nova Esperança|Araucária|Horizonte|Santa Luzia|Cruzeiro do Sul|Alvorada|Serra Azul|Imperial|Pontual|Estrela|Pioneiro|União|Atlântico|Bom Preço|Jequitibá|Primavera'.split(
    '|',
  );
const STREETS =
  'Rua das Acácias|Avenida Brasil|Rua XV de Novembro|Avenida Getúlio Vargas|Rua São João|Travessa do Comércio|Rua Sete de Setembro|Avenida dos Imigrantes|Rodovia BR-116 km 12|Rua Padre Anchieta|Alameda das Tílias|Rua Conceição & Silva'.split(
    '|',
  );
const DISTRICTS =
  'Centro|Jardim América|Vila Nova|Distrito Industrial|Boa Vista|São Francisco|Água Verde|Santo Antônio|Cidade Alta|Parque Industrial'.split(
    '|',
  );
const COMPLEMENTS = ['Sala 12', 'Galpão 3', 'Loja 2 & 3', 'Fundos', 'Bloco B', 'Térreo'];
const PROGRAMS = ['ERP Fictício 4.2', 'GestorFácil 12.1', 'NotaPronta 2026.3', 'SisVendas 9', 'Emissor 4.00'];
const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** IE length by UF; 9 where not listed. */
const IE_LENGTH: Record<string, number> = {
  SP: 12,
  RJ: 8,
  MG: 13,
  PR: 10,
  RS: 10,
  PE: 9,
  MT: 11,
  DF: 13,
  RO: 14,
  AC: 13,
  TO: 11,
};

interface OpcoesEmpresa {
  perfil?: Perfil;
  /** CNPJ with letters (never for a produtor, who has a CPF). */
  alfanumerico?: boolean;
  /** City is drawn from this UF. */
  uf?: string;
}

/** Invents a CNPJ with valid check digits; matriz (`0001`) when numeric. */
export function generateCnpj(random: Aleatorio, alfanumerico = false): CpfCnpj {
  // One letter at least, or the flag would not say what the number is.
  const base = alfanumerico
    ? `${random.text(1, ALPHANUMERIC.slice(10))}${random.text(7, ALPHANUMERIC)}${random.text(4, ALPHANUMERIC)}`
    : `${random.integer(10, 69)}${random.digits(6)}0001`;
  return `${base}${cnpjCheckDigits(base)}` as CpfCnpj;
}

/** Invents a CPF with valid check digits. */
export function generateCpf(random: Aleatorio): CpfCnpj {
  for (;;) {
    const base = random.digits(9);
    const cpf = `${base}${cpfCheckDigits(base)}`;
    if (isCpf(cpf)) return cpf as CpfCnpj;
  }
}

function generateNome(random: Aleatorio): string {
  return `${random.pick(FIRST_NAMES)} ${random.pick(SURNAMES)} ${random.pick(SURNAMES)}`;
}

function generateEndereco(random: Aleatorio, uf?: string): Endereco {
  const cities = uf ? MUNICIPIOS.filter((m) => m.uf === uf) : MUNICIPIOS;
  // Half of the economy sits in the first rows: draw the smaller of two indexes.
  const index = Math.min(random.integer(0, cities.length - 1), random.integer(0, cities.length - 1));
  const municipio = cities[index];
  if (!municipio) throw new RangeError(`unknown UF ${uf}`);
  return {
    logradouro: random.pick(STREETS),
    numero: random.chance(0.08) ? 'S/N' : String(random.integer(1, 4_800)),
    complemento: random.chance(0.25) ? random.pick(COMPLEMENTS) : null,
    bairro: random.pick(DISTRICTS),
    municipio,
    cep: municipio.cep + random.digits(5),
    fone: `${municipio.ddd}3${random.digits(7)}`,
  };
}

function companyName(random: Aleatorio, perfil: Perfil): { nome: string; fantasia: string } {
  const activity = random.pick(RAMOS[perfil].nomes);
  const partners = `${random.pick(SURNAMES)} & ${random.pick([...SURNAMES, 'Filhos', 'Irmãos', 'Cia'])}`;
  const theme = random.chance(0.3) ? partners : random.pick(THEMES);
  const suffix = random.weighted([
    ['Ltda', 6],
    ['Ltda ME', 2],
    ['Ltda EPP', 2],
    [perfil === 'industria' ? 'S.A.' : 'Eireli', 1],
  ]);
  return { nome: `${activity} ${theme} ${suffix}`.slice(0, 60).trim(), fantasia: `${activity} ${theme}` };
}

function generateProdutos(random: Aleatorio, perfil: Perfil): Produto[] {
  const { segmentos } = RAMOS[perfil];
  const chosen = random.shuffled(segmentos).slice(0, perfil === 'varejo' ? 4 : 2);
  return chosen.flatMap((segmento) =>
    (CATALOGO[segmento] ?? []).map((modelo) => ({
      codigo: random.chance(0.5)
        ? random.digits(6)
        : `${segmento.slice(0, 3).toUpperCase()}-${random.digits(4)}`,
      descricao: modelo.descricao,
      ncm: modelo.ncm,
      unidade: modelo.unidade,
      preco: random.integer(modelo.precoMinimo, modelo.precoMaximo),
      st: modelo.cest !== null,
      cest: modelo.cest,
      gtin: random.chance(0.6) ? ean13(`789${random.digits(9)}`) : 'SEM GTIN',
      fracionado: isFractioned(modelo.unidade),
    })),
  );
}

function plainAddress(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
    .slice(0, 20);
}

/** Invents a company (or, with perfil `produtor`, a rural producer with CPF). Deterministic by seed. */
export function generateEmpresa(semente: string, opcoes: OpcoesEmpresa = {}): Empresa {
  const random = new Aleatorio(`empresa/${semente}`);
  const drawn = random.weighted<Perfil>([
    ['comercio', 4],
    ['varejo', 3],
    ['restaurante', 2],
    ['industria', 2],
    ['distribuidora', 2],
    ['produtor', 1],
  ]);
  const perfil = opcoes.perfil ?? drawn;
  const isProdutor = perfil === 'produtor';
  const endereco = generateEndereco(random.fork('endereco'), opcoes.uf);
  const { uf, nome: municipio } = endereco.municipio;
  const responsavel = {
    nome: generateNome(random),
    cpf: generateCpf(random),
    nascimento: `${String(random.integer(1, 28)).padStart(2, '0')}${String(random.integer(1, 12)).padStart(2, '0')}${random.integer(1950, 1999)}`,
  };
  const company = companyName(random, perfil);
  return {
    id: isProdutor ? responsavel.cpf : generateCnpj(random, opcoes.alfanumerico ?? false),
    nome: isProdutor ? responsavel.nome : company.nome,
    fantasia: isProdutor ? `Fazenda ${random.pick(THEMES)}` : company.fantasia,
    municipio,
    uf,
    email: `fiscal@${plainAddress(company.fantasia)}.example`,
    responsavel,
    perfil,
    ie: `${random.integer(1, 9)}${random.digits((IE_LENGTH[uf] ?? 9) - 1)}`,
    cnae: RAMOS[perfil].cnae,
    crt: random.chance(RAMOS[perfil].simples) ? '1' : '3',
    endereco,
    produtos: generateProdutos(random.fork('produtos'), perfil),
    estilo: {
      autoFechado: random.chance(0.35),
      versaoPrimeiro: random.chance(0.35),
      casasPreco: random.chance(0.5) ? 4 : 10,
    },
    verProc: random.pick(PROGRAMS),
    csc: { id: String(random.integer(1, 3)), codigo: random.text(36, ALPHANUMERIC) },
  };
}

/** Another establishment of the same company (same CNPJ root and articles) in the same UF. Numeric or not. */
export function generateFilial(matriz: Empresa, ordem: number, semente: string): Empresa {
  if (matriz.id.length !== 14) throw new RangeError('only a CNPJ has establishments');
  const random = new Aleatorio(`filial/${semente}/${matriz.id}/${ordem}`);
  const base = `${matriz.id.slice(0, 8)}${String(ordem).padStart(4, '0')}`;
  const endereco = generateEndereco(random, matriz.uf);
  return {
    ...matriz,
    id: `${base}${cnpjCheckDigits(base)}` as CpfCnpj,
    municipio: endereco.municipio.nome,
    endereco,
    ie: `${random.integer(1, 9)}${random.digits(matriz.ie.length - 1)}`,
  };
}

/** Invents a consumer, in the UF when one is given. */
export function generatePessoa(semente: string, uf?: string): Pessoa {
  const random = new Aleatorio(`pessoa/${semente}`);
  const nome = generateNome(random);
  return {
    id: generateCpf(random),
    nome,
    email: `${plainAddress(nome)}@correio.example`,
    endereco: generateEndereco(random, uf),
  };
}
