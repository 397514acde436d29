/** Routes that the server does not have yet, as they are agreed; each goes away when the server's description has it. */
type Lista<T> = { total: number; paginas: number; tamanho: number; pagina: number; itens: T[] };
type Cursor<T> = { itens: T[]; proximo: string | null; total: number | null };
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

export interface RotasPrevistas {
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
