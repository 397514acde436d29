/** The figures of `npm run bench -- --json`: names and order are fixed, so that runs can be compared. */
export const RAZOES = [
  'nucleo',
  'nucleo_com_assinatura',
  'importacao_sqlite_sobre_nativo',
  'importacao_postgres_sobre_nativo',
  'importacao_sobre_etapa_mais_lenta',
  'pagina_xml_fria',
  'pagina_xml_quente',
  'pagina_fria',
  'pagina_quente',
  'pagina_xml_antiga',
  'pagina_p99_sobre_mediana',
  'memoria_pico_mb',
  'memoria_em_repouso_mb',
  'pronto_s',
  'nota_sozinha_p50_ms',
  'disco_sobre_xml',
  'laco_p99_ms',
] as const;
export type Razao = (typeof RAZOES)[number];

const SEM_NGINX =
  'ainda não medido: falta a linha de base (arquivo estático servido por nginx) na mesma execução';

const SEM_NATIVO = 'a linha de base nativa não pôde ser compilada';

/** Why a figure is not there, unless a measure gives it or a better reason. */
export const MOTIVOS_PADRAO: Readonly<Record<Razao, string>> = {
  nucleo: SEM_NATIVO,
  nucleo_com_assinatura: SEM_NATIVO,
  importacao_sqlite_sobre_nativo: SEM_NATIVO,
  importacao_postgres_sobre_nativo: SEM_NATIVO,
  importacao_sobre_etapa_mais_lenta: 'a importação não terminou',
  pagina_xml_fria: SEM_NGINX,
  pagina_xml_quente: SEM_NGINX,
  pagina_fria: SEM_NGINX,
  pagina_quente: SEM_NGINX,
  pagina_xml_antiga: SEM_NGINX,
  pagina_p99_sobre_mediana: 'ainda não medido',
  memoria_pico_mb: 'a memória de pico só é lida no Linux (/proc)',
  memoria_em_repouso_mb: 'a memória só é lida no Linux (/proc)',
  pronto_s: 'o serviço não iniciou',
  nota_sozinha_p50_ms: 'a importação não terminou',
  disco_sobre_xml: 'a importação não terminou',
  laco_p99_ms: 'a importação não terminou',
};

/** One row of the printed table. */
export interface Linha {
  oQue: string;
  valor: number;
  /** `docs/s`, `págs/s`, `MB`, `ms`, `%`, `x`, `s`. */
  unidade: string;
  /** What it is held against, and how; empty for a baseline. */
  nota: string;
}

/** What one measure found. */
export interface Resultado {
  titulo: string;
  linhas: Linha[];
  razoes: Partial<Record<Razao, number>>;
  motivos: Partial<Record<Razao, string>>;
}
