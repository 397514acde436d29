/** Wire shapes of capture and manifestação in the console. */

import type { Servico } from '../../banco/tabelas-captura.ts';
import { JUSTIFICATIVA } from '../../captura/manifestacao/justificativa.ts';
import { MANIFESTACOES } from '../../captura/manifestacao/tipos.ts';
import { SERVICOS } from '../../captura/servicos.ts';
import { Type } from '../../platform/http/esquema.ts';
import { paginacao, parameter } from '../../platform/http/parametros.ts';
import { clienteEmConsulta, palavraDe } from '../documentos/schemas-documentos.ts';
import { cpfCnpjDoCaminho, instante, ouNulo, texto, textoEmConsulta } from '../schemas.ts';

const GRAVIDADES = ['parada', 'atencao', 'espera', 'bem'] as const;
const FILTROS_DA_CAPTURA = ['todos', 'problemas', 'ligados', 'desligados'] as const;
export type FiltroDaCaptura = (typeof FILTROS_DA_CAPTURA)[number];

const servico = parameter<Servico>({
  codigo: 'servico_invalido',
  mensagem: `servico deve ser um destes valores: ${SERVICOS.join(', ')}.`,
  schema: { type: 'string', enum: [...SERVICOS], description: 'Serviço.' },
  read: (given) => SERVICOS.find((one) => one === given.toLowerCase()),
});

export const CAPTURA_CONSULTA = Type.Object({
  busca: Type.Optional(textoEmConsulta('busca', 'Palavras do nome, ou parte do CPF/CNPJ.')),
  so: palavraDe<FiltroDaCaptura>('so', FILTROS_DA_CAPTURA, 'todos'),
  ...paginacao,
});

export const SERVICO_DO_CAMINHO = Type.Object({ cpfCnpj: cpfCnpjDoCaminho, servico });

const gravidade = texto('Quão grave é.', { enum: [...GRAVIDADES] });

const PORQUE = Type.Object({
  causa: texto('Palavra estável da causa.'),
  gravidade,
  titulo: texto('Em poucas palavras.'),
  diz: texto('O que há.'),
  fazer: texto('O que fazer.'),
  quem: texto('Quem tem o que fazer.', { enum: ['ninguem', 'escritorio', 'operador'] }),
  acoes: Type.Array(texto('O que se pode fazer aqui mesmo.')),
});

export const CAPTURAS = Type.Object({
  total: Type.Integer(),
  paginas: Type.Integer(),
  tamanho: Type.Integer(),
  pagina: Type.Integer(),
  contagens: Type.Object(
    {
      parada: Type.Integer(),
      atencao: Type.Integer(),
      espera: Type.Integer(),
      bem: Type.Integer(),
      desligados: Type.Integer({ description: 'Clientes sem nenhum serviço ligado.' }),
    },
    { description: 'Clientes do escritório pelo pior dos seus serviços.' },
  ),
  itens: Type.Array(
    Type.Object({
      cpfCnpj: texto('CPF ou CNPJ.'),
      nome: texto('Nome.'),
      servicos: Type.Array(
        Type.Object({
          servico: texto('Serviço.'),
          ligada: Type.Boolean(),
          gravidade,
          titulo: texto('Em poucas palavras.'),
        }),
      ),
    }),
  ),
});

const SERVICO = Type.Object({
  servico: texto('Serviço.', { enum: [...SERVICOS] }),
  nome: texto('Nome do serviço.'),
  ligada: Type.Boolean(),
  passiva: Type.Boolean(),
  mudadaEm: instante('Quando foi ligada ou desligada.'),
  porques: Type.Array(PORQUE, { description: 'A causa primeiro; depois o que mais se deve saber.' }),
  ultimaEm: instante('Última consulta.'),
  ultimaOkEm: instante('Última consulta que deu certo.'),
  ultimaResposta: ouNulo(
    Type.Object({
      codigo: texto('Código.'),
      diz: texto('Em palavras.'),
      motivo: ouNulo(texto('Palavras do serviço.')),
    }),
  ),
  proximaEm: instante('Próxima consulta.'),
  bloqueadaAte: instante('Até quando o serviço não responde.'),
  ultNsu: Type.Integer({ description: 'Até onde foi buscado.' }),
  maxNsu: Type.Integer({ description: 'Até onde existe.' }),
  ultimoDocumentoEm: instante('Último documento.'),
  documentos: Type.Integer({ description: 'Documentos buscados até hoje.' }),
  bloqueios: Type.Integer({ description: 'Bloqueios até hoje.' }),
  certificado: ouNulo(Type.Object({ validoAte: instante('Fim da validade.'), dias: Type.Integer() })),
});

export const CAPTURA_DO_CLIENTE = Type.Object({
  cpfCnpj: texto('CPF ou CNPJ.'),
  nome: texto('Nome.'),
  servicos: Type.Array(SERVICO),
  cienciaAutomatica: Type.Boolean({ description: 'Se os resumos são respondidos com Ciência da Operação.' }),
});

export const CAPTURA_MUDANCA = Type.Object({
  ligada: Type.Boolean(),
  passiva: Type.Optional(Type.Boolean({ description: 'Outro programa captura este cliente.' })),
  consentimento: Type.Optional(
    Type.Boolean({ description: 'Para ligar: o cliente consentiu. Sem ele, nada é ligado.' }),
  ),
});

export const CAPTURA_PEDIDA = Type.Object({
  agora: Type.Boolean({ description: 'Se a consulta sai já.' }),
  mensagem: texto('Quando sai.'),
});

export const CIENCIA_MUDANCA = Type.Object({ ligada: Type.Boolean() });

const LISTAS_DE_MANIFESTACAO = ['a_manifestar', 'pedidas'] as const;

export const MANIFESTACOES_CONSULTA = Type.Object({
  cliente: Type.Optional(clienteEmConsulta),
  lista: palavraDe('lista', LISTAS_DE_MANIFESTACAO, 'a_manifestar'),
});

const CODIGOS = Object.keys(MANIFESTACOES);

const OPCAO = Type.Object({
  codigo: texto('tpEvento.', { enum: CODIGOS }),
  nome: texto('Nome.'),
  efeito: texto('O que significa na lei.'),
  justificativa: Type.Boolean({ description: 'Se pede justificativa.' }),
  ate: instante('Fim do prazo.'),
  diasRestantes: ouNulo(Type.Integer({ description: 'Dias que faltam; negativo depois do prazo.' })),
  impedimento: ouNulo(texto('Por que não pode ser pedida; null: pode.')),
});

const PEDIDA = Type.Object({
  chave: texto('Chave.'),
  codigo: texto('tpEvento.'),
  nome: texto('Nome.'),
  estado: texto('Estado.', { enum: ['pendente', 'enviando', 'registrada', 'recusada'] }),
  pedidaEm: instante('Quando foi pedida.'),
  pedidaPor: texto('Quem pediu.'),
  diz: ouNulo(texto('O que a SEFAZ respondeu, em palavras.')),
  fazer: ouNulo(texto('O que fazer.')),
  resposta: ouNulo(texto('Código da resposta.')),
  nProt: ouNulo(texto('Protocolo.')),
  proximaEm: instante('Quando vai de novo.'),
});

export const CLIENTES_QUE_ESPERAM = Type.Object({
  clientes: Type.Array(
    Type.Object({
      cpfCnpj: texto('CPF ou CNPJ.'),
      nome: texto('Nome.'),
      notas: Type.Integer({ description: 'Notas de que ainda se pode declarar algo.' }),
      semXml: Type.Integer({ description: 'Delas, as de que só o resumo chegou.' }),
      haMais: Type.Boolean({ description: 'Há mais notas do que se contou.' }),
      cienciaDias: ouNulo(
        Type.Integer({ description: 'Dias da primeira Ciência que acaba; null: nenhuma falta.' }),
      ),
      conclusivaDias: ouNulo(Type.Integer({ description: 'Dias da primeira conclusiva que acaba.' })),
    }),
    { description: 'O prazo que acaba primeiro, primeiro.' },
  ),
});

export const MANIFESTACOES_DO_CLIENTE = Type.Object({
  cliente: ouNulo(Type.Object({ cpfCnpj: texto('CPF ou CNPJ.'), nome: texto('Nome.') })),
  notas: Type.Array(
    Type.Object({
      chave: texto('Chave.'),
      documentoId: ouNulo(Type.Integer({ description: 'null: só o resumo chegou.' })),
      emitente: ouNulo(texto('CPF ou CNPJ de quem emitiu.')),
      emitenteNome: ouNulo(texto('Nome de quem emitiu.')),
      valor: ouNulo(texto('Valor.')),
      emitidaEm: instante('Emissão.'),
      autorizadaEm: instante('Autorização.'),
      cienciaDias: ouNulo(Type.Integer({ description: 'Dias para a Ciência; null: já feita ou passou.' })),
      conclusivaDias: ouNulo(Type.Integer({ description: 'Dias para a conclusiva.' })),
      andamento: ouNulo(texto('O que já foi dito ou pedido.')),
    }),
  ),
  opcoes: Type.Array(OPCAO, { description: 'O que se pode declarar de uma nota; o prazo é o de cada nota.' }),
  haMais: Type.Boolean({ description: 'Há mais notas do que as mostradas.' }),
  pedidas: Type.Array(PEDIDA),
});

export const MANIFESTAR = Type.Object({
  cliente: texto('CPF ou CNPJ do cliente.', { maxLength: 40 }),
  codigo: texto(`tpEvento: ${CODIGOS.join(', ')}.`, { maxLength: 20 }),
  chaves: Type.Array(Type.String({ maxLength: 60 }), { minItems: 1, maxItems: 100 }),
  justificativa: Type.Optional(
    texto(`De ${JUSTIFICATIVA.min} a ${JUSTIFICATIVA.max} caracteres, onde se pede.`, { maxLength: 2_000 }),
  ),
  confirmo: Type.Boolean({ description: 'Quem pede leu o que a manifestação significa.' }),
});

export const MANIFESTADAS = Type.Object({
  aceitas: Type.Integer(),
  recusadas: Type.Array(Type.Object({ chave: texto('Chave.'), mensagem: texto('Por quê.') })),
});

export const MANIFESTACAO_DO_DOCUMENTO = Type.Object({
  cliente: Type.Object({ cpfCnpj: texto('CPF ou CNPJ.'), nome: texto('Nome.') }),
  chave: texto('Chave.'),
  aplicavel: Type.Boolean({ description: 'Se este cliente pode dizer algo deste documento.' }),
  opcoes: Type.Array(OPCAO),
  pedidas: Type.Array(PEDIDA),
});
