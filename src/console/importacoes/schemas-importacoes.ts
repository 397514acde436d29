/** Wire shapes of imports and held documents in the console. */
import { Type } from '../../platform/http/esquema.ts';
import { parameter, tamanhoDaPagina } from '../../platform/http/parametros.ts';
import { diaEmConsulta, palavraDe } from '../documentos/schemas-documentos.ts';
import { ORIGENS } from '../queries-origem.ts';
import { depoisDoNumero, instante, ouNulo, texto, textoEmConsulta } from '../schemas.ts';

const STATUS_DA_IMPORTACAO = [
  'Aguardando Upload',
  'Em Processamento',
  'Uploaded',
  'Com Erro',
  'Expirado',
] as const;
const RESULTADOS = [
  'novo',
  'atualizado',
  'duplicado',
  'evento',
  'esperado',
  'sem_cliente',
  'sem_leiaute',
  'homologacao',
  'conflito',
  'ignorado',
  'rejeitado',
] as const;

const proximo = ouNulo(texto('Para o parâmetro `depois`; null no fim.'));

export const ImportacaoParams = Type.Object({
  id: parameter<string>({
    codigo: 'dados_invalidos',
    mensagem: 'id deve ser o id de um arquivo.',
    schema: { type: 'string', description: 'Id do arquivo.' },
    read: (given) => (/^[0-9a-f-]{36}$/i.test(given) ? given.toLowerCase() : undefined),
  }),
});

/** `<ms>.<id>` of the last file that was told. */
const depois = parameter<{ em: number; id: string }>({
  codigo: 'pagina_invalida',
  mensagem: 'depois deve ser o `proximo` de uma resposta desta lista.',
  schema: { type: 'string', description: 'O `proximo` da página anterior.' },
  read: (given) => {
    const [, em, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(given) ?? [];
    return em && id ? { em: Number(em), id } : undefined;
  },
});

const remetente = parameter<string>({
  codigo: 'dados_invalidos',
  mensagem: `remetente deve ser ${ORIGENS.join(', ')}, token:<número> ou usuario:<número>.`,
  schema: { type: 'string', examples: ['token:3', 'usuario:1', 'console'] },
  read: (given) => {
    const known =
      /^(?:token|usuario):\d{1,15}$/.test(given) || (ORIGENS as readonly string[]).includes(given);
    return known ? given : undefined;
  },
});

export const ImportacoesQuery = Type.Object({
  status: Type.Optional(palavraDe('status', STATUS_DA_IMPORTACAO)),
  remetente: Type.Optional(remetente),
  de: Type.Optional(diaEmConsulta('de', 'Primeiro dia.')),
  ate: Type.Optional(diaEmConsulta('ate', 'Último dia.')),
  busca: Type.Optional(textoEmConsulta('busca', 'Parte do nome do arquivo, ou o id.')),
  Tamanho: tamanhoDaPagina,
  depois: Type.Optional(depois),
});

export const ItensDaImportacaoQuery = Type.Object({
  resultado: Type.Optional(palavraDe('resultado', RESULTADOS)),
  Tamanho: tamanhoDaPagina,
  depois: Type.Optional(depoisDoNumero),
});

export const AnunciarBody = Type.Object({
  nome: texto('Nome do arquivo: .xml ou .zip.', { minLength: 1, maxLength: 255 }),
  tamanho: Type.Integer({ minimum: 1, maximum: 30_000_000, description: 'Bytes.' }),
});
export const Anunciado = Type.Object({
  id: texto('Id do arquivo.'),
  url: texto('Endereço para o PUT dos bytes, válido por 60 segundos.'),
});
export const Reimportado = Type.Object({ id: texto('Id do novo arquivo.') });

const resumo = {
  id: texto('Id.'),
  nome: ouNulo(texto('Nome dado no console.')),
  extensao: texto('Extensão.'),
  status: texto('Situação.', { enum: [...STATUS_DA_IMPORTACAO] }),
  falhou: Type.Boolean({
    description: 'Algo dele falhou; falso em um `Com Erro` que só traz retidos ou homologação.',
  }),
  tamanho: Type.Integer({ description: 'Bytes; antes do envio, os anunciados.' }),
  origem: texto(`${ORIGENS.join(', ')}.`),
  token: ouNulo(texto('Nome do token que enviou.')),
  usuario: ouNulo(texto('Nome de quem enviou.')),
  criadaEm: instante('Quando foi anunciado.'),
  recebidaEm: instante('Quando os bytes chegaram.'),
  inicioEm: instante('Quando a importação começou.'),
  fimEm: instante('Quando terminou.'),
  itens: Type.Integer({ description: 'Documentos encontrados até agora.' }),
  resumo: ouNulo(texto('O que houve, em uma linha; só quando há problema.')),
  reimportadoDe: ouNulo(texto('O arquivo de que este é outra tentativa.')),
};

export const PaginaDeImportacoes = Type.Object({ itens: Type.Array(Type.Object(resumo)), proximo });
export const Importacao = Type.Object({
  ...resumo,
  log: texto('O `log` que a integração recebe.'),
  sha256: ouNulo(texto('Dos bytes recebidos.')),
  temArquivo: Type.Boolean({ description: 'Os bytes ainda estão guardados.' }),
  resultados: Type.Array(Type.Object({ resultado: texto('Resultado.'), quantidade: Type.Integer() })),
  reimportacoes: Type.Array(texto('Id de outra tentativa com os mesmos bytes.')),
});

export const ItensDaImportacao = Type.Object({
  itens: Type.Array(
    Type.Object({
      ordem: Type.Integer(),
      caminho: texto('Caminho dentro do .zip.'),
      especie: texto('O que é.'),
      chave: ouNulo(texto('Chave.')),
      sha256: ouNulo(texto('Dos bytes do documento.')),
      resultado: texto('O que se fez dele.', { enum: [...RESULTADOS] }),
      codigo: ouNulo(texto('Código do problema.')),
      mensagem: ouNulo(texto('O problema deste documento.')),
      causa: ouNulo(texto('O que o código quer dizer.')),
      remedio: ouNulo(texto('O que fazer.')),
      linha: ouNulo(Type.Integer()),
      coluna: ouNulo(Type.Integer()),
      elemento: ouNulo(texto('Elemento do XML em que está a falha.')),
      documentoId: ouNulo(Type.Integer({ description: 'Documento, para abrir.' })),
    }),
  ),
  proximo,
});

/** `<documents>.<CPF/CNPJ>` of the last company that was told. */
const empresaDepois = parameter<{ documentos: number; cpfCnpj: string }>({
  codigo: 'pagina_invalida',
  mensagem: 'depois deve ser o `proximo` de uma resposta desta lista.',
  schema: { type: 'string', description: 'O `proximo` da página anterior.' },
  read: (given) => {
    const [, documentos, cpfCnpj] = /^(\d{1,9})\.([0-9A-Z]{1,14})$/.exec(given) ?? [];
    return documentos && cpfCnpj ? { documentos: Number(documentos), cpfCnpj } : undefined;
  },
});
export const RetidosQuery = Type.Object({ Tamanho: tamanhoDaPagina, depois: Type.Optional(empresaDepois) });

export const Retidos = Type.Object({
  itens: Type.Array(
    Type.Object({
      cpfCnpj: texto('CPF ou CNPJ.'),
      nome: ouNulo(texto('Nome, como está nos documentos.')),
      documentos: Type.Integer({ description: 'Documentos e eventos à espera em que esta empresa é parte.' }),
      papeis: Type.Array(texto('Papel.')),
      primeiraEmissao: instante('Do mais antigo.'),
      ultimaEmissao: instante('Do mais novo.'),
    }),
    { description: 'As empresas com mais documentos primeiro.' },
  ),
  total: ouNulo(Type.Integer({ description: 'Empresas ao todo; só na primeira página.' })),
  proximo,
  limitado: Type.Boolean({ description: 'Há mais documentos retidos do que os 20.000 que se olharam.' }),
});
export const CadastrarRetidoBody = Type.Object({
  cpfCnpj: texto('CPF ou CNPJ.', { maxLength: 20 }),
  nome: texto('Nome da empresa.', { minLength: 1, maxLength: 200 }),
  email: texto('E-mail.', { maxLength: 254 }),
});
export const RetidoCadastrado = Type.Object({
  cpfCnpj: texto('CPF ou CNPJ.'),
  documentos: Type.Integer({ description: 'Entradas que o novo cliente recebeu.' }),
});
export const ResumoDosRetidos = Type.Object({
  documentos: Type.Integer({
    description: 'Documentos à espera do cadastro de um cliente; conta até 1.000.',
  }),
  haMais: Type.Boolean({ description: 'Há mais que isso.' }),
});
export const ProvaveisClientes = Type.Object({
  itens: Type.Array(
    Type.Object({
      cpfCnpj: texto('CPF ou CNPJ.'),
      nome: ouNulo(texto('Nome, como está nos documentos.')),
      emitidos: Type.Integer({ description: 'Documentos retidos que ela emitiu.' }),
      recebidos: Type.Integer({ description: 'Documentos retidos que ela recebeu.' }),
    }),
    { description: 'As menos empresas que explicam todos os documentos retidos, das que mais explicam.' },
  ),
});
/** Registrations of one request: each is a transaction that delivers what was held. */
const VARIOS_MAX = 50;
export const CadastrarVariosBody = Type.Object({
  empresas: Type.Array(
    Type.Object({
      cpfCnpj: texto('CPF ou CNPJ.', { maxLength: 20 }),
      nome: texto('Nome da empresa.', { maxLength: 200 }),
    }),
    { minItems: 1, maxItems: VARIOS_MAX },
  ),
});
export const VariosCadastrados = Type.Object({
  cadastrados: Type.Integer({ description: 'Empresas que são clientes agora.' }),
  recusados: Type.Array(
    Type.Object({ cpfCnpj: texto('CPF ou CNPJ.'), mensagem: texto('Por que não foi cadastrada.') }),
  ),
});
