/** Wire shapes of what programs of the office use: integration tokens, OAuth clients, the test of both areas. */
import { Type } from '../platform/http/esquema.ts';
import { parameter } from '../platform/http/parametros.ts';
import { dataHora, instante, ouNulo, texto } from './schemas.ts';

const ULTIMO_USO = ouNulo(
  Type.Object({ em: dataHora('Quando, ao minuto.'), ip: ouNulo(texto('De que endereço.')) }),
);
const AREA = Type.Union([Type.Literal('importacao'), Type.Literal('exportacao')]);
const nome = texto('Nome, para reconhecê-lo.', { maxLength: 400 });

export const TOKENS = Type.Object({
  itens: Type.Array(
    Type.Object({
      id: Type.Integer(),
      nome: Type.String(),
      finais: texto('Últimos caracteres.'),
      principal: Type.Boolean({ description: 'É a chave única do escritório; outra a substitui.' }),
      escopo: Type.Array(AREA, { description: 'Áreas que alcança.' }),
      clientes: ouNulo(Type.Array(Type.String(), { description: 'CPF/CNPJ que alcança.' })),
      criadoEm: dataHora('Criação.'),
      expiraEm: instante('Fim da validade; nulo: até ser revogado.'),
      ultimoUso: ULTIMO_USO,
      revogadoEm: instante('Revogação.'),
    }),
  ),
});

export const TOKEN_NOVO = Type.Object({
  nome,
  escopo: Type.Optional(
    Type.Array(AREA, { minItems: 1, maxItems: 2, description: 'Ausente: as duas áreas.' }),
  ),
  clientes: Type.Optional(
    ouNulo(
      Type.Array(Type.String({ maxLength: 40 }), {
        maxItems: 500,
        description: 'CPF/CNPJ dos únicos clientes que alcança; só para exportação.',
      }),
    ),
  ),
  expiraEm: Type.Optional(ouNulo(texto('Data (AAAA-MM-DD, fim do dia) ou instante ISO.', { maxLength: 40 }))),
  principal: Type.Optional(
    Type.Boolean({ description: 'Substitui a chave única do escritório, que deixa de valer.' }),
  ),
});

export const TOKEN_CRIADO = Type.Object({
  id: Type.Integer(),
  token: texto('O token; mostrado só agora.'),
  finais: texto('Últimos caracteres.'),
});

export const TOKEN_NOME = Type.Object({ nome });

export const CLIENTES_OAUTH = Type.Object({
  itens: Type.Array(
    Type.Object({
      clientId: Type.String(),
      nome: Type.String(),
      compartilhado: Type.Boolean({ description: 'Serve também a outros escritórios: aqui não se altera.' }),
      emiteTokens: Type.Boolean({ description: 'Falso: só consulta o que um token é.' }),
      criadoEm: dataHora('Criação.'),
      ultimoUso: ULTIMO_USO,
      revogadoEm: instante('Revogação.'),
    }),
  ),
});

export const OAUTH_NOVO = Type.Object({ nome });

export const OAUTH_SEGREDO = Type.Object({
  clientId: Type.String(),
  clientSecret: texto('O segredo; mostrado só agora.'),
  anteriorValeAte: instante('Até quando o segredo anterior ainda serve.'),
});

export const CLIENT_ID_DO_CAMINHO = Type.Object({
  clientId: parameter<string>({
    codigo: 'dados_invalidos',
    mensagem: 'clientId não tem a forma de um client_id.',
    schema: { type: 'string', description: 'client_id do cliente OAuth.' },
    read: (given) => (/^[\w.-]{1,100}$/.test(given) ? given : undefined),
  }),
});

export const TESTAR = Type.Object({
  token: texto('O token de integração a testar.', { minLength: 1, maxLength: 200 }),
  cpfCnpj: Type.Optional(
    ouNulo(texto('Cliente da leitura; ausente: o primeiro do escritório.', { maxLength: 40 })),
  ),
});

export const TESTADO = Type.Object({
  certo: Type.Boolean({ description: 'Todos os passos deram certo.' }),
  passos: Type.Array(
    Type.Object({
      nome: texto('O que foi feito.'),
      certo: Type.Boolean(),
      mensagem: texto('O resultado, para pessoas.'),
      status: ouNulo(Type.Integer({ description: 'Status HTTP da resposta.' })),
      ms: Type.Integer({ description: 'Duração.' }),
    }),
  ),
});
