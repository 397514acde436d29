/** Wire shapes of coming in: first run, invitation, password, second factor. */
import { Type } from '../platform/http/esquema.ts';
import { ouNulo, texto, textoEmConsulta } from './schemas.ts';
import { PAPEL } from './schemas-sessao.ts';

const codigo = texto('Código do link, o que vem depois de #.', { maxLength: 200 });
const senha = texto('De 10 a 128 caracteres; as mais comuns são recusadas.', { maxLength: 1000 });
/** A password that is tried: any that is not absurd, so that the answer tells nothing of the rules. */
const tentada = texto('Senha.', { minLength: 1, maxLength: 1000 });
const email = texto('E-mail.', { minLength: 1, maxLength: 254 });

/** What comes next; `pronto`: the session is in the cookie. */
export const ETAPA = Type.Union([
  Type.Object({ etapa: Type.Literal('pronto') }, { description: 'A sessão está no cookie.' }),
  Type.Object(
    { etapa: Type.Literal('totp'), desafio: texto('Acompanha o código, por 5 minutos.') },
    { description: 'Falta o código do segundo fator, em POST /entrar/totp.' },
  ),
  Type.Object(
    {
      etapa: Type.Literal('escritorio'),
      escritorios: Type.Array(Type.Object({ codigoCrm: texto('Código CRM.'), nome: texto('Nome.') })),
    },
    { description: 'A senha abre mais de um escritório: repita com codigoCrm.' },
  ),
]);

export const PRONTO = Type.Object({ etapa: Type.Literal('pronto') });

export const ENTRAR = Type.Object({
  email,
  senha: tentada,
  codigoCrm: Type.Optional(texto('Escritório, quando o e-mail é de vários.', { pattern: '^[0-9]{1,6}$' })),
});

export const ENTRAR_TOTP = Type.Object({
  desafio: texto('O da etapa anterior.', { minLength: 1, maxLength: 200 }),
  codigo: texto('Seis dígitos do aplicativo, ou um código de recuperação.', { minLength: 1, maxLength: 60 }),
});

export const PROVEDORES = Type.Object({
  provedores: Type.Array(
    Type.Object({ id: texto('O que vai no caminho.'), nome: texto('O que o botão diz.') }),
  ),
});

export const PROVEDOR_DO_CAMINHO = Type.Object({ provedor: textoEmConsulta('provedor', 'Id do provedor.') });

const daVolta = (name: string) => textoEmConsulta(name, 'Do provedor (RFC 6749, 4.1.2).', 4_000);

/** What the provider adds to the address; what else it adds is not looked at. */
export const VOLTA = Type.Object({
  state: Type.Optional(daVolta('state')),
  code: Type.Optional(daVolta('code')),
  error: Type.Optional(daVolta('error')),
});

export const ENTRAR_EXTERNO = Type.Object({
  codigoCrm: Type.Optional(texto('Escritório, quando a conta é de vários.', { pattern: '^[0-9]{1,6}$' })),
});

export const NECESSARIO = Type.Object({
  necessario: Type.Boolean({
    description: 'Ninguém pode entrar ainda: use o link que o servidor mostrou ao iniciar.',
  }),
});

export const PRIMEIRO_USO = Type.Object({
  codigo,
  crm: texto('Código CRM do escritório, de 1 a 6 dígitos.', { maxLength: 20 }),
  escritorio: texto('Nome do escritório.', { maxLength: 400 }),
  nome: texto('Seu nome.', { maxLength: 400 }),
  email: texto('Seu e-mail.', { maxLength: 400 }),
  senha,
});

export const CODIGO = Type.Object({ codigo });

export const CONVIDADO = Type.Object({
  email: texto('De quem é o convite.'),
  nome: texto('Nome que já consta; pode ser mudado ao aceitar.'),
  papel: PAPEL,
  escritorio: texto('Nome do escritório.'),
  codigoCrm: texto('Código CRM do escritório.'),
  redefinicao: Type.Boolean({ description: 'Já há uma senha, e este link a troca.' }),
});

export const ACEITAR = Type.Object({
  codigo,
  nome: Type.Optional(texto('Seu nome.', { maxLength: 400 })),
  senha,
});

export const SENHA_NOVA = Type.Object({ atual: tentada, nova: senha });

export const SENHA_ATUAL = Type.Object({ senha: tentada });

export const TOTP_ESTADO = Type.Object({
  ativo: Type.Boolean(),
  codigosRestantes: Type.Integer({ description: 'Códigos de recuperação que ainda valem.' }),
});

export const TOTP_NOVO = Type.Object({
  segredo: texto('Para digitar no aplicativo (Base32).'),
  uri: texto('Para abrir no aplicativo (otpauth:).'),
  qrSvg: texto('O mesmo como imagem SVG.'),
});

export const TOTP_CODIGO = Type.Object({
  codigo: texto('Seis dígitos do aplicativo.', { minLength: 1, maxLength: 20 }),
});

export const CODIGOS = Type.Object({
  codigosDeRecuperacao: Type.Array(Type.String(), {
    description: 'Cada um vale uma vez; mostrados só agora.',
  }),
});

export const SESSOES = Type.Object({
  itens: Type.Array(
    Type.Object({
      id: Type.Integer(),
      atual: Type.Boolean({ description: 'É a deste navegador.' }),
      criadaEm: Type.String({ format: 'date-time' }),
      vistaEm: Type.String({ format: 'date-time' }),
      expiraEm: Type.String({ format: 'date-time' }),
      ip: Type.String(),
      agente: texto('User-Agent do navegador.'),
    }),
  ),
});

export const PREFERENCIAS = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'Objeto JSON de até 16 KB; substitui o anterior por inteiro.',
  },
);

/** Longer ones are refused anyway; what is judged is to cost nothing worth asking for. */
const SENHA_AVALIADA_MAX = 200;

export const AVALIAR = Type.Object({
  senha: Type.String({ maxLength: SENHA_AVALIADA_MAX, description: 'A senha como está até agora.' }),
  pessoais: Type.Array(Type.String({ maxLength: 254 }), {
    maxItems: 4,
    description: 'Nomes e e-mail de quem vai usá-la.',
  }),
});
export const AVALIADA = Type.Object({
  falta: ouNulo(texto('Por que ela não seria aceita; null quando seria.')),
});
