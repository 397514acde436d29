/** Routes that the server does not have yet, as they are agreed; each goes away when the server's description has it. */
type Lista<T> = { total: number; paginas: number; tamanho: number; pagina: number; itens: T[] };
type Cursor<T> = { itens: T[]; proximo: string | null; total: number | null };
type PorId = { caminho: { id: number } };
type Feito = { resposta: { mensagem: string } };
type Pagina = { Pagina?: number; Tamanho?: number };

interface FiltroDeDocumentos {
  cliente?: string;
  especie?: string;
  visao?: string;
  papel?: string;
  status?: string;
  serie?: string;
  numero?: string;
  chave?: string;
  busca?: string;
  uf?: string;
  emissaoDe?: string;
  emissaoAte?: string;
  importacaoDe?: string;
  importacaoAte?: string;
  valorDe?: string;
  valorAte?: string;
  origem?: string;
  finalidade?: string;
  manifestacao?: string;
  ordem?: string;
}

interface Importacao {
  id: string;
  nome: string | null;
  extensao: string;
  tamanho: number;
  status: string;
  remetente: string | null;
  criadoEm: string;
  enviadoEm: string | null;
  inicioEm: string | null;
  fimEm: string | null;
  contagens: Record<string, number>;
  log: string;
}

interface ItemImportado {
  caminho: string;
  especie: string;
  chave: string | null;
  resultado: string;
  codigo: string | null;
  mensagem: string | null;
  causa: string | null;
  remedio: string | null;
  elemento: string | null;
  linha: number | null;
  coluna: number | null;
  documentoId: number | null;
}

interface Exportacao {
  id: number;
  tipo: 'zip' | 'xlsx' | 'csv';
  situacao: string;
  feitos: number;
  total: number;
  tamanho: number | null;
  nome: string;
  criadoEm: string;
  expiraEm: string | null;
  mensagem: string | null;
}

export interface RotasPrevistas {
  'GET /tokens': {
    resposta: {
      itens: {
        id: number;
        nome: string;
        finais: string;
        escopo: string[];
        clientes: string[] | null;
        criadoEm: string;
        expiraEm: string | null;
        ultimoUso: { em: string; ip: string } | null;
        revogadoEm: string | null;
      }[];
    };
  };
  'POST /tokens': {
    corpo: { nome: string; escopo: string[]; clientes?: string[]; expiraEm?: string };
    resposta: { id: number; token: string };
  };
  'PUT /tokens/{id}': PorId & { corpo: { nome: string } } & Feito;
  'POST /tokens/{id}/revogar': PorId & Feito;
  'GET /clientes-oauth': {
    resposta: {
      itens: {
        clientId: string;
        nome: string;
        criadoEm: string;
        ultimoUso: { em: string; ip: string } | null;
        revogadoEm: string | null;
      }[];
    };
  };
  'POST /clientes-oauth': { corpo: { nome: string }; resposta: { clientId: string; clientSecret: string } };
  'POST /clientes-oauth/{clientId}/trocar-segredo': {
    caminho: { clientId: string };
    resposta: { clientId: string; clientSecret: string };
  };
  'POST /clientes-oauth/{clientId}/revogar': { caminho: { clientId: string } } & Feito;
  'POST /integracao/testar': {
    corpo: { token: string; cpfCnpj?: string };
    resposta: { passos: { nome: string; certo: boolean; mensagem: string; ms: number }[] };
  };
  'GET /auditoria': {
    query: { quem?: string; ato?: string; de?: string; ate?: string; depois?: string; Tamanho?: number };
    resposta: Cursor<{
      id: number;
      em: string;
      quem: string;
      ato: string;
      alvo: string | null;
      ip: string | null;
      detalhe: unknown;
    }>;
  };
  'POST /auditoria/verificar': { resposta: { integra: boolean; conferidos: number; mensagem: string } };
  'GET /saude': { resposta: Record<string, unknown> };
  'GET /inicio': {
    query: { cliente?: string; dias?: number };
    resposta: {
      documentosPorDia: { dia: string; especie: string; quantidade: number }[];
      importacoesHoje: { arquivos: number; documentos: number; comErro: number };
      falhasPendentes: number;
      clientesQuietos: { cpfCnpj: string; nome: string; ultimoEm: string; habitoDias: number }[];
      certificados: { cpfCnpj: string; nome: string; validoAte: string; dias: number }[];
      faltantes: { total: number; porCliente: { cpfCnpj: string; nome: string; quantidade: number }[] };
      consumidores: {
        cpfCnpj: string;
        nome: string;
        token: string;
        nsuLido: number;
        ultimoNsu: number;
        atraso: number;
        lidoEm: string;
      }[];
      armazenamento: { bytes: number; documentos: number };
    };
  };
  'POST /documentos/finalidade': {
    corpo: { ids?: number[]; filtro?: FiltroDeDocumentos; finalidade: string };
  } & Feito;
  'GET /exportacoes': { resposta: { itens: Exportacao[] } };
  'POST /exportacoes': {
    corpo: {
      tipo: 'zip' | 'xlsx' | 'csv';
      filtro?: FiltroDeDocumentos;
      ids?: number[];
      pasta?: string;
      comPdf?: boolean;
    };
    resposta: { id: number };
  };
  'GET /exportacoes/{id}': PorId & { resposta: Exportacao };
  'DELETE /exportacoes/{id}': PorId & Feito;
  'POST /importacoes': { corpo: { nome: string; tamanho: number }; resposta: { id: string; url: string } };
  'GET /importacoes': {
    query: {
      status?: string;
      remetente?: string;
      de?: string;
      ate?: string;
      busca?: string;
      depois?: string;
      Tamanho?: number;
    };
    resposta: Cursor<Importacao>;
  };
  'GET /importacoes/{id}': { caminho: { id: string }; resposta: Importacao };
  'GET /importacoes/{id}/itens': {
    caminho: { id: string };
    query: { resultado?: string } & Pagina;
    resposta: Lista<ItemImportado>;
  };
  'POST /importacoes/{id}/reimportar': { caminho: { id: string } } & Feito;
  'GET /retidos': {
    resposta: { itens: { cpfCnpj: string; nome: string | null; quantidade: number; desde: string }[] };
  };
  'POST /retidos/cadastrar': { corpo: { cpfCnpj: string; nome: string; email: string } } & Feito;
}
