/** Routes that the server does not have yet, as they are agreed; each goes away when the server's description has it. */
type Feito = { resposta: { mensagem: string } };
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

export interface RotasPrevistas {
  'GET /importacoes': {
    query: {
      /** Aguardando Upload, Em Processamento, Uploaded, Com Erro, Expirado */ status?:
        | 'Aguardando Upload'
        | 'Em Processamento'
        | 'Uploaded'
        | 'Com Erro'
        | 'Expirado';
      remetente?: string /** Primeiro dia. */;
      de?: string /** Último dia. */;
      ate?: string /** Parte do nome do arquivo, ou o id. */;
      busca?: string /** Registros por página, de 1 a 500. */;
      Tamanho?: number /** O `proximo` da página anterior. */;
      depois?: string;
    };
    resposta: {
      itens: Array<{
        /** Id. */ id: string;
        nome: string | null /** Extensão. */;
        extensao: string /** Situação. */;
        status:
          | 'Aguardando Upload'
          | 'Em Processamento'
          | 'Uploaded'
          | 'Com Erro'
          | 'Expirado' /** Bytes; antes do envio, os anunciados. */;
        tamanho: number /** api, console ou sistema. */;
        origem: string;
        token: string | null;
        usuario: string | null;
        criadaEm: string | null;
        recebidaEm: string | null;
        inicioEm: string | null;
        fimEm: string | null /** Documentos encontrados até agora. */;
        itens: number;
        resumo: string | null;
        reimportadoDe: string | null;
      }>;
      proximo: string | null;
    };
  };
  'GET /importacoes/{id}': {
    caminho: { /** Id do arquivo. */ id: string };
    resposta: {
      /** Id. */ id: string;
      nome: string | null /** Extensão. */;
      extensao: string /** Situação. */;
      status:
        | 'Aguardando Upload'
        | 'Em Processamento'
        | 'Uploaded'
        | 'Com Erro'
        | 'Expirado' /** Bytes; antes do envio, os anunciados. */;
      tamanho: number /** api, console ou sistema. */;
      origem: string;
      token: string | null;
      usuario: string | null;
      criadaEm: string | null;
      recebidaEm: string | null;
      inicioEm: string | null;
      fimEm: string | null /** Documentos encontrados até agora. */;
      itens: number;
      resumo: string | null;
      reimportadoDe: string | null /** O `log` que a integração recebe. */;
      log: string;
      sha256: string | null /** Os bytes ainda estão guardados. */;
      temArquivo: boolean;
      resultados: Array<{ /** Resultado. */ resultado: string; quantidade: number }>;
      reimportacoes: Array<string>;
    };
  };
  'GET /importacoes/{id}/arquivo': { caminho: { /** Id do arquivo. */ id: string }; resposta: unknown };
  'GET /importacoes/{id}/itens': {
    caminho: { /** Id do arquivo. */ id: string };
    query: {
      /** novo, atualizado, duplicado, evento, esperado, sem_cliente, homologacao, conflito, ignorado, rejeitado */ resultado?:
        | 'novo'
        | 'atualizado'
        | 'duplicado'
        | 'evento'
        | 'esperado'
        | 'sem_cliente'
        | 'homologacao'
        | 'conflito'
        | 'ignorado'
        | 'rejeitado' /** Registros por página, de 1 a 500. */;
      Tamanho?: number /** O `proximo` da página anterior. */;
      depois?: string;
    };
    resposta: {
      itens: Array<{
        ordem: number /** Caminho dentro do .zip. */;
        caminho: string /** O que é. */;
        especie: string;
        chave: string | null;
        sha256: string | null /** O que se fez dele. */;
        resultado:
          | 'novo'
          | 'atualizado'
          | 'duplicado'
          | 'evento'
          | 'esperado'
          | 'sem_cliente'
          | 'homologacao'
          | 'conflito'
          | 'ignorado'
          | 'rejeitado';
        codigo: string | null;
        mensagem: string | null;
        causa: string | null;
        remedio: string | null;
        linha: number | null;
        coluna: number | null;
        elemento: string | null;
        documentoId: number | null;
      }>;
      proximo: string | null;
    };
  };
  'GET /inicio': {
    query: {
      /** Cliente do escritório; sem ele, todos. */ cliente?: string /** Dias do gráfico. */;
      dias?: number;
    };
    resposta: {
      documentosPorDia: Array<{
        /** AAAA-MM-DD da emissão. */ dia: string /** nfe, nfce, cfe, cte, nfse. */;
        especie: string;
        quantidade: number;
      }> /** Tudo o que os clientes já receberam: a soma dos últimos NSU. */;
      entradas: number;
      importacoesHoje: { arquivos: number; documentos: number; comErro: number } | null;
      falhasPendentes: number | null;
      clientesQuietos: Array<{
        /** CPF ou CNPJ. */ cpfCnpj: string /** Nome. */;
        nome: string;
        ultimoEm: string | null /** Dias de silêncio. */;
        dias: number /** Dias que costumam separar as chegadas deste cliente. */;
        habitoDias: number;
      }> /** Vencidos, e os que vencem em 60 dias. */;
      certificados: Array<{
        /** CPF ou CNPJ. */ cpfCnpj: string /** Nome. */;
        nome: string;
        validoAte: string | null;
        dias: number;
      }>;
      faltantes: {
        /** NF-e e NFC-e dos últimos três meses. */ total: number;
        porCliente: Array<{ /** CPF ou CNPJ. */ cpfCnpj: string /** Nome. */; nome: string; total: number }>;
        calculadoEm: string | null;
      } | null;
      consumidores: Array<{
        /** CPF ou CNPJ. */ cpfCnpj: string /** Nome. */;
        nome: string /** Nome do token. */;
        token: string;
        nsuLido: number;
        ultimoNsu: number /** Entradas que o token ainda não leu. */;
        atraso: number;
        lidoEm: string | null;
      }>;
      armazenamento: { /** Dos arquivos recebidos. */ bytes: number; arquivos: number } | null;
    };
  };
  'GET /retidos': {
    resposta: {
      /** As 500 empresas com mais documentos. */ itens: Array<{
        /** CPF ou CNPJ. */ cpfCnpj: string;
        nome: string | null /** Documentos e eventos à espera em que esta empresa é parte. */;
        documentos: number;
        papeis: Array<string>;
        primeiraEmissao: string | null;
        ultimaEmissao: string | null;
      }> /** Há mais documentos retidos do que os 20.000 que se olharam. */;
      limitado: boolean;
    };
  };
  'POST /importacoes': {
    corpo: { /** Nome do arquivo: .xml ou .zip. */ nome: string /** Bytes. */; tamanho: number };
    resposta: {
      /** Id do arquivo. */ id: string /** Endereço para o PUT dos bytes, válido por 60 segundos. */;
      url: string;
    };
  };
  'POST /importacoes/{id}/reimportar': {
    caminho: { /** Id do arquivo. */ id: string };
    resposta: { /** Id do novo arquivo. */ id: string };
  };
  'POST /retidos/cadastrar': {
    corpo: {
      /** CPF ou CNPJ. */ cpfCnpj: string /** Nome da empresa. */;
      nome: string /** E-mail. */;
      email: string;
    };
    resposta: {
      /** CPF ou CNPJ. */ cpfCnpj: string /** Entradas que o novo cliente recebeu. */;
      documentos: number;
    };
  };
}
