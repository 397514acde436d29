/** Wire shapes of clients and their certificates. */
import { Type } from '../platform/http/esquema.ts';
import { paginacao, parameter } from '../platform/http/parametros.ts';
import { ORDENS } from './clientes/listar.ts';
import { cpfCnpjDoCaminho, dataHora, instante, ouNulo, texto, textoEmConsulta } from './schemas.ts';

const CERTIFICADO = Type.Object({
  titular: ouNulo(texto('CPF ou CNPJ do titular.')),
  titularNome: ouNulo(texto('Nome do titular.')),
  serie: texto('Número de série.'),
  impressao: texto('SHA-256 do certificado.'),
  uf: texto('UF.'),
  validoDe: dataHora('Início da validade.'),
  validoAte: dataHora('Fim da validade.'),
  dias: Type.Integer({ description: 'Dias do calendário até vencer; negativo quando venceu.' }),
  situacao: Type.Union(
    ['valido', 'vence_em_breve', 'vencido', 'ainda_nao_valido'].map((one) => Type.Literal(one)),
    { description: 'vence_em_breve: faltam 30 dias ou menos.' },
  ),
});

export const CLIENTE = Type.Object({
  cpfCnpj: texto('CPF ou CNPJ, sem máscara.'),
  nome: texto('Nome ou razão social.'),
  email: texto('E-mail.'),
  trabalhaComProcuracao: Type.Boolean(),
  certificado: ouNulo(CERTIFICADO),
  ultimoDocumentoEm: instante('Chegada do último documento.'),
  ultimoNsu: Type.Integer({ description: 'Último NSU da lista do cliente.' }),
  ultimoNsuLido: ouNulo(
    Type.Object({
      nsu: Type.Integer({ description: 'O mais alto que um integrador leu.' }),
      em: dataHora('Quando.'),
      token: texto('Nome do token.'),
    }),
  ),
  documentosNoMes: Type.Integer({ description: 'Documentos com emissão desde o dia 1º deste mês.' }),
  criadoEm: dataHora('Cadastro.'),
});

export const CLIENTES = Type.Object({
  total: Type.Integer(),
  paginas: Type.Integer(),
  tamanho: Type.Integer(),
  pagina: Type.Integer(),
  itens: Type.Array(CLIENTE),
});

export const CLIENTES_CONSULTA = Type.Object({
  busca: Type.Optional(textoEmConsulta('busca', 'Palavras do nome, ou parte do CPF/CNPJ.')),
  ordem: parameter<(typeof ORDENS)[number]>({
    codigo: 'dados_invalidos',
    mensagem: `ordem deve ser ${ORDENS.join(', ')}.`,
    schema: { type: 'string', enum: [...ORDENS], default: 'nome', description: 'Como ordenar.' },
    read: (given) => ORDENS.find((one) => one === given),
  }),
  ...paginacao,
});

export const CPF_CNPJ_DO_CAMINHO = Type.Object({ cpfCnpj: cpfCnpjDoCaminho });

const LONGO = { maxLength: 1_000_000 };
const arquivo = texto('Certificado A1 (.pfx ou .p12, até 64 KB) em Base64.', LONGO);
const senha = texto('Senha do certificado.', { maxLength: 1_000 });
const uf = texto('UF do certificado.', { maxLength: 40, examples: ['SP'] });

/** Password as it is typed: only the accounts area of the API wants it in Base64. */
export const CERTIFICADO_ENVIADO = Type.Object({ arquivo, senha, uf });

const campos = {
  nome: texto('Nome ou razão social, de 2 a 200 caracteres.', { maxLength: 2_000 }),
  email: texto('E-mail.', { maxLength: 2_000 }),
};
const procuracao = Type.Boolean({
  description: 'O escritório age com o próprio certificado, por procuração.',
});

export const CLIENTE_NOVO = Type.Object({
  cpfCnpj: texto('CPF ou CNPJ, com ou sem máscara.', { maxLength: 100 }),
  ...campos,
  trabalhaComProcuracao: Type.Optional(procuracao),
  certificado: Type.Optional(ouNulo(CERTIFICADO_ENVIADO)),
});

export const CLIENTE_MUDANCA = Type.Object({
  nome: Type.Optional(campos.nome),
  email: Type.Optional(campos.email),
  trabalhaComProcuracao: Type.Optional(procuracao),
});

export const CONFERIR = Type.Object({
  arquivo,
  senha,
  cpfCnpj: Type.Optional(
    ouNulo(texto('De quem deve ser; sem ele o titular não é comparado.', { maxLength: 100 })),
  ),
  trabalhaComProcuracao: Type.Optional(procuracao),
});

const ERROS = Type.Array(
  Type.Object({ campo: Type.String(), codigo: Type.String(), mensagem: Type.String() }),
);

export const CONFERIDO = Type.Object({
  valido: Type.Boolean({ description: 'Seria aceito assim como está.' }),
  ufProvavel: ouNulo(
    texto(
      'Sigla da UF do cliente, pelos documentos que emitiu; senão a do último certificado do escritório.',
    ),
  ),
  mensagem: texto('O veredito, para pessoas.'),
  titular: ouNulo(texto('CPF ou CNPJ do titular.')),
  titularNome: ouNulo(texto('Nome do titular.')),
  validoDe: instante('Início da validade.'),
  validoAte: instante('Fim da validade.'),
  dias: ouNulo(Type.Integer({ description: 'Dias do calendário até vencer.' })),
  erros: ERROS,
});

export const LOTE = Type.Object({
  csv: Type.Optional(texto('O arquivo como texto.', LONGO)),
  arquivo: Type.Optional(
    texto('O arquivo em Base64: CSV em UTF-8 ou windows-1252, ou .xlsx; vale quando csv falta.', LONGO),
  ),
  linhas: Type.Optional(
    Type.Array(Type.Integer(), { maxItems: 2_000, description: 'Só estas linhas; ausente: todas as novas.' }),
  ),
});

const linha = (situacoes: readonly string[]) =>
  Type.Object({
    linha: Type.Integer({ description: 'Linha do arquivo, a partir de 1.' }),
    cpfCnpj: texto('Como será gravado; como veio, quando não vale.'),
    nome: Type.String(),
    email: Type.String(),
    trabalhaComProcuracao: Type.Boolean(),
    situacao: Type.Union(
      situacoes.map((one) => Type.Literal(one)),
      { description: 'repetida: outra linha acima tem o mesmo CPF ou CNPJ.' },
    ),
    mensagem: ouNulo(texto('Por que não é cadastrada.')),
    erros: ERROS,
  });

export const LOTE_PREVIA = Type.Object({
  novos: Type.Integer({ description: 'Linhas que serão cadastradas.' }),
  linhas: Type.Array(linha(['nova', 'existente', 'repetida', 'invalida'])),
});

export const LOTE_RESULTADO = Type.Object({
  criados: Type.Integer(),
  recusados: Type.Integer({ description: 'Linhas que não foram cadastradas.' }),
  mensagem: texto('O resultado, para pessoas.'),
  linhas: Type.Array(linha(['cadastrada', 'existente', 'repetida', 'invalida'])),
});
