/** Routes that the server does not have yet, as they are agreed; each goes away when the server's description has it. */
type Papel = 'administrador' | 'operador' | 'cliente';
type Lista<T> = { total: number; paginas: number; tamanho: number; pagina: number; itens: T[] };

interface Cliente {
  cpfCnpj: string;
  nome: string;
  email: string;
  trabalhaComProcuracao: boolean;
  certificado: { titular: string; validoAte: string; dias: number; situacao: string } | null;
  ultimoDocumentoEm: string | null;
  ultimoNsu: number;
  ultimoNsuLido: { nsu: number; em: string; token: string } | null;
  documentosNoMes: number;
}

export interface RotasPrevistas {
  'GET /primeiro-uso': { resposta: { necessario: boolean } };
  'POST /primeiro-uso': {
    corpo: { codigo: string; crm: string; escritorio: string; nome: string; email: string; senha: string };
    resposta: null;
  };
  'POST /convite': {
    corpo: { codigo: string };
    resposta: { email: string; escritorio: string; codigoCrm: string; nome: string | null; papel: Papel };
  };
  'POST /convite/aceitar': { corpo: { codigo: string; nome: string; senha: string }; resposta: null };
  'POST /entrar': {
    corpo: { email: string; senha: string; codigoCrm?: string };
    resposta: { etapa: 'pronto' } | { etapa: 'totp'; desafio: string };
  };
  'POST /entrar/totp': { corpo: { desafio: string; codigo: string }; resposta: { etapa: 'pronto' } };
  'GET /clientes': {
    query: { busca?: string; ordem?: string; Pagina?: number; Tamanho?: number };
    resposta: Lista<Cliente>;
  };
  'GET /clientes/{cpfCnpj}': { caminho: { cpfCnpj: string }; resposta: Cliente };
}
