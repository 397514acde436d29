/** Wire shapes of the console's listing of documents. */

import { parseCpfCnpj } from '../../fiscal/cpf-cnpj.ts';
import { ehDia, inicioDoDia } from '../../fiscal/dia.ts';
import type { Direcao } from '../../fiscal/direcao.ts';
import { FINALIDADE_AQUISICAO } from '../../fiscal/finalidade.ts';
import { PAPEIS_POR_FORCA } from '../../fiscal/tipos.ts';
import { readUf } from '../../fiscal/uf.ts';
import { Type } from '../../platform/http/esquema.ts';
import { parameter, tamanhoDaPagina } from '../../platform/http/parametros.ts';
import { ORIGENS } from '../queries-origem.ts';
import { instante, ouNulo, texto, textoEmConsulta } from '../schemas.ts';
import { type Cursor, readCursor } from './cursor.ts';
import {
  type EspecieDaLista,
  FILTROS_DE_PROVA,
  type FiltroDeProva,
  MANIFESTACAO,
  type Manifestacao,
  MODELOS_DA_ESPECIE,
  ORDENS,
  type Ordem,
  VISOES,
  type Visao,
} from './filtro.ts';

/** One of several words, in any case. */
export function palavraDe<T extends string>(name: string, valid: readonly T[], padrao?: T) {
  const byKey = new Map(valid.map((word) => [word.toLowerCase(), word]));
  return parameter<T>({
    codigo: 'dados_invalidos',
    mensagem: `${name} deve ser um destes valores: ${valid.join(', ')}.`,
    schema: {
      type: 'string',
      enum: [...valid],
      ...(padrao === undefined ? {} : { default: padrao }),
      description: valid.join(', '),
    },
    read: (given) => byKey.get(given.trim().toLowerCase()),
  });
}

/** A day in São Paulo as its first instant, ms UTC. */
export const diaEmConsulta = (name: string, description: string) =>
  parameter<number>({
    codigo: 'data_invalida',
    mensagem: `${name} deve ser uma data AAAA-MM-DD que exista.`,
    schema: { type: 'string', format: 'date', description },
    read: (given) => {
      const day = given.trim();
      return ehDia(day) ? inicioDoDia(day) : undefined;
    },
  });

const dinheiro = (name: string) =>
  parameter<number>({
    codigo: 'dados_invalidos',
    mensagem: `${name} deve ser um valor como 1234.56.`,
    schema: { type: 'string', examples: ['1234.56'], description: 'Valor em reais.' },
    read: (given) => {
      const plain = given.trim().replace(/^R\$\s*/, '');
      const number = plain.includes(',') ? plain.replaceAll('.', '').replace(',', '.') : plain;
      return /^\d{1,13}(\.\d{1,2})?$/.test(number) ? Number(number) : undefined;
    },
  });

const numero = parameter<number>({
  codigo: 'dados_invalidos',
  mensagem: 'numero deve ter de 1 a 15 dígitos.',
  schema: { type: 'string', description: 'Número do documento.' },
  read: (given) => (/^\d{1,15}$/.test(given.trim()) ? Number(given.trim()) : undefined),
});

const chave = parameter<string>({
  codigo: 'chave_invalida',
  mensagem: 'chave deve ser uma chave de acesso ou o começo de uma, com ao menos 4 caracteres.',
  schema: { type: 'string', description: 'Chave inteira, ou o seu começo.' },
  read: (given) => {
    const plain = given.replaceAll(/\s+/g, '').toUpperCase();
    return /^[!-~]{4,120}$/.test(plain) ? plain : undefined;
  },
});

const uf = parameter<string>({
  codigo: 'dados_invalidos',
  mensagem: 'uf deve ser a sigla de um estado.',
  schema: { type: 'string', examples: ['SP'], description: 'Estado do emitente; na NFS-e, o do município.' },
  read: (given) => readUf(given)?.codigo,
});

const origem = parameter<string>({
  codigo: 'dados_invalidos',
  mensagem: `origem deve ser ${ORIGENS.join(', ')} ou token:<número>.`,
  schema: { type: 'string', examples: ['api', 'console', 'token:3'], description: 'Como o arquivo chegou.' },
  read: (given) => {
    const text = given.trim();
    const known = /^token:\d{1,15}$/.test(text) || (ORIGENS as readonly string[]).includes(text);
    return known ? text : undefined;
  },
});

const codigoDoItem = (name: string, valid: RegExp, mensagem: string) =>
  parameter<string>({
    codigo: 'dados_invalidos',
    mensagem,
    schema: { type: 'string', description: `${name} de ao menos um item.` },
    read: (given) => {
      const digits = given.replaceAll(/[.\s]/g, '');
      return valid.test(digits) ? digits : undefined;
    },
  });
const cfop = codigoDoItem('CFOP', /^[1-7]\d{3}$/, 'cfop deve ter quatro dígitos, como 5102.');
const ncm = codigoDoItem(
  'NCM, ou o seu começo,',
  /^\d{2,8}$/,
  'ncm deve ter de dois a oito dígitos, como 84713012.',
);

const depois = parameter<Cursor>({
  codigo: 'pagina_invalida',
  mensagem: 'depois deve ser o `proximo` de uma resposta desta lista.',
  schema: { type: 'string', description: 'O `proximo` da página anterior.' },
  read: (given) => readCursor(given),
});

const cliente = parameter<string>({
  codigo: 'cpf_cnpj_invalido',
  mensagem: 'cliente deve ser um CPF ou CNPJ com dígitos verificadores válidos.',
  schema: { type: 'string', description: 'Cliente do escritório; sem ele, todos.' },
  read: (given) => (parseCpfCnpj(given) ? given : undefined),
});

export const clienteEmConsulta = cliente;

const especies = Object.keys(MODELOS_DA_ESPECIE) as EspecieDaLista[];
const finalidades = Object.values(FINALIDADE_AQUISICAO);
const manifestacoes = [...Object.keys(MANIFESTACAO), 'sem'] as Manifestacao[];
const STATUS = ['Autorizada', 'Cancelada', 'Denegada', 'Pendente', 'Inutilizada'];

/** What narrows a listing; the same names are accepted by mass exports. */
const filtrosEmConsulta = {
  cliente: Type.Optional(cliente),
  especie: palavraDe<EspecieDaLista>('especie', especies, 'todas'),
  visao: palavraDe<Visao | 'faltantes'>('visao', [...VISOES, 'faltantes'], 'todas'),
  tipo: Type.Optional(palavraDe<'Emitida' | 'Recebida'>('tipo', ['Emitida', 'Recebida'])),
  papel: Type.Optional(palavraDe<string>('papel', PAPEIS_POR_FORCA)),
  status: Type.Optional(palavraDe<string>('status', STATUS)),
  serie: Type.Optional(textoEmConsulta('serie', 'Série, como está no documento.')),
  numero: Type.Optional(numero),
  chave: Type.Optional(chave),
  busca: Type.Optional(
    textoEmConsulta(
      'busca',
      'Começo de nomes, de CPF/CNPJ, de número ou de chave de acesso; ou um valor com centavos, como 1.234,56.',
    ),
  ),
  cfop: Type.Optional(cfop),
  ncm: Type.Optional(ncm),
  produto: Type.Optional(
    textoEmConsulta(
      'produto',
      'Palavras da descrição ou do código de um produto ou serviço: lê os documentos, do mais novo para o mais antigo.',
    ),
  ),
  uf: Type.Optional(uf),
  emissaoDe: Type.Optional(diaEmConsulta('emissaoDe', 'Primeiro dia de emissão.')),
  emissaoAte: Type.Optional(diaEmConsulta('emissaoAte', 'Último dia de emissão.')),
  importacaoDe: Type.Optional(diaEmConsulta('importacaoDe', 'Primeiro dia de importação.')),
  importacaoAte: Type.Optional(diaEmConsulta('importacaoAte', 'Último dia de importação.')),
  valorDe: Type.Optional(dinheiro('valorDe')),
  valorAte: Type.Optional(dinheiro('valorAte')),
  origem: Type.Optional(origem),
  finalidade: Type.Optional(palavraDe<string>('finalidade', finalidades)),
  manifestacao: Type.Optional(palavraDe<Manifestacao>('manifestacao', manifestacoes)),
  prova: Type.Optional(palavraDe<FiltroDeProva>('prova', FILTROS_DE_PROVA)),
  ordem: Type.Optional(palavraDe<Ordem>('ordem', ORDENS)),
};

export const FiltrosQuery = Type.Object(filtrosEmConsulta);
export const ListaQuery = Type.Object({
  ...filtrosEmConsulta,
  Tamanho: tamanhoDaPagina,
  depois: Type.Optional(depois),
});
export const ContagensQuery = Type.Object({
  cliente: Type.Optional(cliente),
  emissaoDe: filtrosEmConsulta.emissaoDe,
  emissaoAte: filtrosEmConsulta.emissaoAte,
});

export const Parte = Type.Object({
  cpfCnpj: ouNulo(texto('CPF ou CNPJ, sem máscara.')),
  nome: ouNulo(texto('Nome como está no documento.')),
});

const DIRECOES: Direcao[] = ['Entrada', 'Saída'];

const FinalidadeNaLista = Type.Object({
  codigo: texto('Finalidade da aquisição.', { enum: finalidades }),
  origem: texto('informada, documento ou sugerida.', { enum: ['informada', 'documento', 'sugerida'] }),
});

export const DocumentoNaLista = Type.Object({
  id: ouNulo(Type.Integer({ description: 'Número do documento nas rotas do console; null de um faltante.' })),
  cliente: Parte,
  nsu: ouNulo(Type.Integer({ description: 'NSU na lista deste cliente.' })),
  especie: texto('NFe, NFCe, CTe …'),
  classe: texto('documento, inutilizacao ou faltante.'),
  motivo: Type.Optional(texto('Por que o número falta; só em faltantes.')),
  modelo: texto('55, 65, 57, 67, 64, 59 ou NFSe.'),
  serie: ouNulo(texto('Série.')),
  numero: ouNulo(texto('Número.')),
  numeroFinal: ouNulo(texto('Último número, de uma inutilização.')),
  chave: ouNulo(texto('Chave de acesso; de um faltante, só quando se conhece.')),
  status: texto('Situação.'),
  cartaCorrecao: Type.Boolean({ description: 'Tem carta de correção.' }),
  tipo: texto('Emitida ou Recebida, para este cliente.'),
  papel: texto('O papel do cliente no documento.'),
  direcao: ouNulo(
    texto('Entrada ou Saída, para este cliente; null para quem não compra nem vende.', {
      enum: DIRECOES,
    }),
  ),
  tambem: Type.Array(
    Type.Object({
      cliente: Parte,
      papel: texto('O papel deste outro cliente do escritório no documento.'),
      direcao: ouNulo(texto('Entrada ou Saída, para ele.', { enum: DIRECOES })),
      nsu: Type.Integer({ description: 'NSU na lista dele.' }),
    }),
    { description: 'Os outros clientes do escritório que têm este documento.' },
  ),
  dataEmissao: instante('Como está no documento, com deslocamento.'),
  dataImportacao: instante('Quando entrou.'),
  emitente: Parte,
  destinatario: Parte,
  uf: ouNulo(texto('Sigla do estado.')),
  valor: ouNulo(texto('Valor total em reais, com ponto.')),
  manifestacao: ouNulo(texto('ciencia, confirmacao, desconhecimento, nao_realizada ou desacordo.')),
  prova: ouNulo(texto('Quanto está provada a situação: sefaz, assinada, coerente ou declarada.')),
  marcado: Type.Boolean({ description: 'A situação vem de algo com menos prova que o documento.' }),
  finalidade: ouNulo(FinalidadeNaLista),
  origem: ouNulo(
    Type.Object({
      meio: texto(`${ORIGENS.join(', ')}.`),
      token: ouNulo(texto('Nome do token que enviou.')),
      usuario: ouNulo(texto('Nome de quem enviou pelo console.')),
    }),
  ),
  conflito: Type.Boolean({ description: 'Há outra versão com a mesma chave e conteúdo diferente.' }),
  homologacao: Type.Boolean({ description: 'Emitido em homologação, sem valor fiscal.' }),
  excluido: Type.Boolean({ description: 'O conteúdo foi apagado ao fim do prazo de guarda.' }),
});

export const PaginaDeDocumentos = Type.Object({
  itens: Type.Array(DocumentoNaLista),
  proximo: ouNulo(
    texto(
      'Para o parâmetro `depois`; null no fim. Uma página pode vir menor que Tamanho e ter `proximo`: a busca continua dali.',
    ),
  ),
  total: ouNulo(Type.Integer({ description: 'Exato, onde se sabe sem contar; só na primeira página.' })),
});

export const TotaisQuery = Type.Object(filtrosEmConsulta);
export const Totais = Type.Object({
  porStatus: Type.Array(
    Type.Object({
      status: texto('Situação.'),
      documentos: Type.Integer({ description: 'Cada documento uma vez, tenha quantos clientes tiver.' }),
      valor: texto('Soma dos valores em reais, com ponto.'),
    }),
  ),
  completo: Type.Boolean({
    description: 'Falso quando o filtro acha documentos demais: somou-se só o começo da lista.',
  }),
});

export const Contagens = Type.Object({
  especies: Type.Array(
    Type.Object({
      especie: texto('nfe, nfce, cfe, cte, nfse.'),
      total: Type.Integer(),
      emitidas: Type.Integer(),
      recebidas: Type.Integer(),
      autorizadas: Type.Integer(),
      canceladas: Type.Integer(),
      denegadas: Type.Integer(),
      inutilizadas: Type.Integer(),
      pendentes: Type.Integer(),
      cartacorrecao: Type.Integer(),
    }),
  ),
});
