/**
 * Names of elements that nobody has put into words, as near to words as can be: `xNovoCampo` → `Novo campo`, `DT_EMISSAO` →
 * `Data emissão`. Cities name the fields of their notes as they like.
 */

/** First letters by which the national layouts tell what a field holds. */
const PREFIXOS: Readonly<Record<string, string>> = {
  x: '',
  g: '',
  inf: '',
  v: 'valor',
  q: 'quantidade',
  p: 'percentual',
  n: 'número',
  c: 'código',
  d: 'data',
  dh: 'data e hora',
  h: 'hora',
  tp: 'tipo',
  ind: 'indicador',
};

/** Parts of names, without accents and in small letters. */
const PALAVRAS: Readonly<Record<string, string>> = {
  aliq: 'alíquota',
  aliquota: 'alíquota',
  base: 'base',
  calc: 'cálculo',
  calculo: 'cálculo',
  cd: 'código',
  cod: 'código',
  codigo: 'código',
  competencia: 'competência',
  cnpjcpf: 'CNPJ / CPF',
  cpfcnpj: 'CPF / CNPJ',
  contribuicao: 'contribuição',
  data: 'data',
  ded: 'dedução',
  deducao: 'dedução',
  deducoes: 'deduções',
  desc: 'descrição',
  descricao: 'descrição',
  dt: 'data',
  emissao: 'emissão',
  endereco: 'endereço',
  incidencia: 'incidência',
  informacao: 'informação',
  informacoes: 'informações',
  inscricao: 'inscrição',
  liq: 'líquido',
  liquido: 'líquido',
  logr: 'logradouro',
  mun: 'município',
  municipio: 'município',
  nfe: 'NF-e',
  nfse: 'NFS-e',
  nao: 'não',
  nr: 'número',
  nro: 'número',
  num: 'número',
  numero: 'número',
  obs: 'observações',
  observacao: 'observação',
  observacoes: 'observações',
  operacao: 'operação',
  prestacao: 'prestação',
  qtd: 'quantidade',
  qtde: 'quantidade',
  razao: 'razão',
  ret: 'retido',
  retencao: 'retenção',
  retencoes: 'retenções',
  serie: 'série',
  serv: 'serviço',
  servico: 'serviço',
  servicos: 'serviços',
  situacao: 'situação',
  tel: 'telefone',
  tomador: 'tomador',
  tributacao: 'tributação',
  usuario: 'usuário',
  verificacao: 'verificação',
  vl: 'valor',
  vlr: 'valor',
};

const SIGLAS = new Set(
  'cbs cep cest cfop cnae cnpj cofins cpf csll dps fcp ibge ibs icms id ie im inss ipi irrf is iss issqn mei nbs ncm nif pis rps rg st uf url'.split(
    ' ',
  ),
);

export function emPalavras(name: string): string {
  const partes = name
    .replaceAll(/NF(S?)e(?![a-z])/g, (_nome, s: string) => ` Nf${s.toLowerCase()}e `)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter(Boolean)
    .map((parte) => parte.toLowerCase());
  const [primeira = '', ...resto] = partes;
  const prefixo = resto.length > 0 && Object.hasOwn(PREFIXOS, primeira) ? PREFIXOS[primeira] : undefined;
  const todas = prefixo === undefined ? partes.map(palavra) : [prefixo, ...resto.map(palavra)];
  return todas
    .filter(Boolean)
    .join(' ')
    .replace(/^./, (first) => first.toUpperCase());
}

function palavra(parte: string): string {
  if (SIGLAS.has(parte)) return parte.toUpperCase();
  return Object.hasOwn(PALAVRAS, parte) ? (PALAVRAS[parte] ?? parte) : parte;
}
