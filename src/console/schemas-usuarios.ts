/** Wire shapes of an office's users. */
import { Type } from '../platform/http/esquema.ts';
import { instante, texto } from './schemas.ts';
import { CLIENTES_DO_USUARIO, PAPEL } from './schemas-sessao.ts';

const USUARIO = Type.Object({
  id: Type.Integer(),
  nome: texto('Nome.'),
  email: texto('E-mail.'),
  papel: PAPEL,
  clientes: CLIENTES_DO_USUARIO,
  situacao: Type.Union([Type.Literal('ativo'), Type.Literal('convidado'), Type.Literal('desativado')], {
    description: 'convidado: ainda não definiu a senha.',
  }),
  ativo: Type.Boolean(),
  totpAtivo: Type.Boolean(),
  criadoEm: Type.String({ format: 'date-time' }),
  entrouEm: instante('Última entrada.'),
});

export const USUARIOS = Type.Object({ itens: Type.Array(USUARIO) });

export const LINK = Type.Object({
  id: Type.Integer({ description: 'Número do usuário.' }),
  link: texto('Endereço em que a pessoa define a senha; mostrado só agora.'),
  expiraEm: Type.String({ format: 'date-time' }),
});

const clientes = Type.Union([Type.Array(Type.String({ maxLength: 40 }), { maxItems: 2_000 }), Type.Null()], {
  description:
    'CPF ou CNPJ das empresas que o papel cliente vê, ou da carteira de um operador; null: o escritório todo.',
});
const nome = texto('Nome.', { maxLength: 400 });

export const USUARIO_NOVO = Type.Object({
  nome,
  email: texto('E-mail; é com ele que a pessoa entra.', { maxLength: 400 }),
  papel: PAPEL,
  clientes: Type.Optional(clientes),
});

export const USUARIO_MUDANCA = Type.Object({
  nome: Type.Optional(nome),
  papel: Type.Optional(PAPEL),
  ativo: Type.Optional(Type.Boolean()),
  clientes: Type.Optional(clientes),
});

export const REDEFINIR = Type.Object({
  removerTotp: Type.Optional(
    Type.Boolean({ description: 'Também desativa o segundo fator: quem perdeu o aparelho e os códigos.' }),
  ),
});
