/** Every screen of the console, for the walk of the tests and for the pictures. */
export interface TelaDoConsole {
  nome: string;
  /** Below `/console`; `{documento}`, `{importacao}` and `{cliente}` stand for what the office has. */
  caminho: string;
  /** Its heading; absent where it names what is shown. */
  titulo?: string;
}

export const TELAS: readonly TelaDoConsole[] = [
  { nome: 'inicio', caminho: '/', titulo: 'Início' },
  { nome: 'documentos', caminho: '/documentos', titulo: 'Documentos' },
  { nome: 'documento', caminho: '/documentos/{documento}' },
  { nome: 'importacoes', caminho: '/importacoes', titulo: 'Importações' },
  { nome: 'retidos', caminho: '/importacoes?aba=retidos', titulo: 'Importações' },
  { nome: 'importacao', caminho: '/importacoes/{importacao}' },
  { nome: 'captura', caminho: '/captura', titulo: 'Captura' },
  { nome: 'captura-cliente', caminho: '/captura/{cliente}' },
  { nome: 'manifestacao', caminho: '/manifestacao', titulo: 'Manifestação' },
  { nome: 'leiautes', caminho: '/leiautes', titulo: 'Leiautes a ensinar' },
  { nome: 'faltantes', caminho: '/faltantes', titulo: 'Faltantes' },
  { nome: 'downloads', caminho: '/downloads', titulo: 'Downloads' },
  { nome: 'clientes', caminho: '/clientes', titulo: 'Clientes' },
  { nome: 'cliente', caminho: '/clientes/{cliente}' },
  { nome: 'perfil', caminho: '/conta', titulo: 'Opções da conta' },
  { nome: 'seguranca', caminho: '/conta/seguranca', titulo: 'Opções da conta' },
  { nome: 'usuarios', caminho: '/conta/usuarios', titulo: 'Opções da conta' },
  { nome: 'integracao', caminho: '/conta/integracao', titulo: 'Opções da conta' },
  { nome: 'retencao', caminho: '/retencao', titulo: 'Retenção e guarda' },
  { nome: 'auditoria', caminho: '/auditoria', titulo: 'Auditoria' },
  { nome: 'saude', caminho: '/saude', titulo: 'Saúde do sistema' },
];

export function preencher(caminho: string, valores: Readonly<Record<string, string>>): string {
  return caminho.replace(/\{(\w+)\}/g, (_all, name: string) => valores[name] ?? name);
}
