/** Wire shapes of logging in and of one's own session. */
import { Type } from '../platform/http/esquema.ts';
import { ouNulo, texto } from './schemas.ts';

export const PAPEL = Type.Union(
  ['administrador', 'operador', 'cliente'].map((papel) => Type.Literal(papel)),
  {
    description:
      'administrador: tudo do escritório; operador: o trabalho diário; cliente: só as suas empresas.',
  },
);

/** null: the whole office. */
export const CLIENTES_DO_USUARIO = ouNulo(
  Type.Array(Type.Object({ cpfCnpj: texto('CPF ou CNPJ.'), nome: texto('Nome.') })),
);

export const SESSAO = Type.Object({
  usuario: Type.Object({
    id: Type.Integer(),
    nome: texto('Nome.'),
    email: texto('E-mail.'),
    papel: PAPEL,
    clientes: CLIENTES_DO_USUARIO,
    totpAtivo: Type.Boolean({ description: 'O segundo fator está em uso.' }),
  }),
  escritorio: Type.Object({ codigoCrm: texto('Código CRM, 6 dígitos.'), nome: texto('Nome do escritório.') }),
  csrf: texto('Valor do cabeçalho X-CSRF-Token das chamadas que alteram dados.'),
  preferencias: Type.Object(
    {},
    { additionalProperties: true, description: 'O que o console guarda do usuário.' },
  ),
  enderecos: Type.Object({
    base: texto('Área de exportação.'),
    importacao: texto('Área de importação.'),
    upload: texto('Envio de arquivos.'),
    contas: texto('Área de contas.'),
    auth: texto('Emissor de tokens.'),
    docs: texto('Documentação da API.'),
  }),
  expiraEm: texto('Fim da sessão, mesmo em uso.', { format: 'date-time' }),
});
