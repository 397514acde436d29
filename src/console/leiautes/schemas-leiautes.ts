/** Wire shapes of layouts that an office teaches. */

import { APONTAVEIS } from '../../fiscal/nfse/leiautes/apontaveis.ts';
import { LEIAUTE_BYTES_MAX } from '../../fiscal/nfse/leiautes/leiaute.ts';
import { Type } from '../../platform/http/esquema.ts';
import { parameter } from '../../platform/http/parametros.ts';
import { instante, ouNulo, texto } from '../schemas.ts';

const quantos = (description: string) => Type.Integer({ description });

export const LEIAUTES = Type.Object({
  leiautes: Type.Array(
    Type.Object({
      id: texto('Nome curto, que o arquivo do leiaute traz.'),
      nome: texto('Nome para pessoas.'),
      fonte: texto('De onde veio a descrição.'),
      origem: Type.Union([Type.Literal('ensinado'), Type.Literal('instalado')]),
      criadoEm: instante('Quando entrou em vigor.'),
    }),
  ),
  esperando: Type.Array(
    Type.Object({
      forma: texto('Os nomes dos elementos até onde os campos começam, e o namespace.'),
      arquivos: quantos('Arquivos desta forma que esperam.'),
      primeiro: quantos('O que chegou primeiro: o que se abre para ensinar.'),
      caminho: texto('O nome dele no envio.'),
      desde: instante('Quando o primeiro chegou.'),
      ate: instante('Quando o último chegou.'),
      emLeitura: Type.Boolean({ description: 'Um leiaute novo ainda não foi tentado com todos.' }),
    }),
  ),
});

export const ARVORE = Type.Object({
  caminho: texto('O nome do arquivo no envio.'),
  forma: texto('A forma dele.'),
  arquivos: quantos('Arquivos da mesma forma que esperam.'),
  cortada: Type.Boolean({ description: 'Há mais no arquivo do que se mostra.' }),
  sugestao: Type.Array(Type.String(), { description: 'Onde uma nota parece começar.' }),
  ramos: Type.Array(
    Type.Object({
      nivel: quantos('Quantos elementos estão em volta.'),
      nome: texto('Nome do elemento, ou do atributo depois de @.'),
      lugar: ouNulo(Type.Array(Type.String(), { description: 'Os nomes desde a raiz.' })),
      texto: ouNulo(texto('O conteúdo de um campo; null num grupo.')),
      vezes: quantos('Quantos há com este nome, lado a lado.'),
    }),
  ),
});

const LUGAR = Type.Array(Type.String({ minLength: 1, maxLength: 81 }), { minItems: 1, maxItems: 40 });
const CODIGOS = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 40 });

export const APONTADO = Type.Object({
  nome: Type.String({ minLength: 1, maxLength: 80 }),
  nota: LUGAR,
  campos: Type.Object(Object.fromEntries(APONTAVEIS.map((campo) => [campo, Type.Optional(LUGAR)])), {
    additionalProperties: false,
  }),
  cidade: Type.Optional(Type.String({ maxLength: 80, description: 'Código do IBGE, ou nome e UF.' })),
  ordem: Type.Union([Type.Literal('dia_mes'), Type.Literal('mes_dia')]),
  cancelada: Type.Optional(
    Type.Object({
      lugar: LUGAR,
      tipo: Type.Union([
        Type.Literal('situacao'),
        Type.Literal('sim_nao'),
        Type.Literal('data'),
        Type.Literal('motivo'),
      ]),
      cancelada: Type.Optional(CODIGOS),
      normal: Type.Optional(CODIGOS),
    }),
  ),
});

export const AVALIACAO = Type.Object({
  faltas: Type.Array(Type.String(), { description: 'O que ainda falta apontar; com alguma, nada foi lido.' }),
  esperam: quantos('Arquivos que esperam, de todas as formas.'),
  arquivos: quantos('Quantos deles foram lidos nesta prova.'),
  arquivosLidos: quantos('De quantos este leiaute lê alguma nota.'),
  notas: quantos('Notas lidas.'),
  linhas: Type.Array(
    Type.Object({
      arquivo: texto('O nome do arquivo no envio.'),
      numero: texto('Número.'),
      data: texto('Data de emissão.'),
      prestador: ouNulo(texto('CPF ou CNPJ.')),
      nomeDoPrestador: ouNulo(texto('Nome.')),
      tomador: ouNulo(texto('CPF ou CNPJ.')),
      nomeDoTomador: ouNulo(texto('Nome.')),
      valor: ouNulo(texto('Valor, com ponto.')),
      situacao: texto('Autorizada ou Cancelada.'),
      chave: texto('A chave que a nota terá.'),
      duvida: ouNulo(texto('O que nela precisa ser conferido.')),
    }),
  ),
  falhas: Type.Array(
    Type.Object({ arquivo: texto('O nome do arquivo no envio.'), mensagem: texto('Por que não é lido.') }),
  ),
  situacoes: Type.Array(
    Type.Object({ texto: texto('O que está no campo da situação.'), vezes: quantos('Em quantas notas.') }),
  ),
});

export const LEIAUTE_GRAVADO = Type.Object({
  id: texto('Nome curto do leiaute.'),
  nome: texto('Nome para pessoas.'),
  substituiu: Type.Boolean({ description: 'Tomou o lugar de um com o mesmo nome curto.' }),
});

export const LEIAUTE_ENVIADO = Type.Object({
  arquivo: Type.String({ maxLength: LEIAUTE_BYTES_MAX, description: 'O texto do arquivo JSON.' }),
});

export const LEIAUTE_PARAMS = Type.Object({
  id: parameter<string>({
    codigo: 'dados_invalidos',
    mensagem: 'id deve ser o nome curto de um leiaute.',
    schema: { type: 'string', description: 'Nome curto do leiaute.' },
    read: (given) => (/^[a-z][a-z0-9-]{1,39}$/.test(given) ? given : undefined),
  }),
});

export const DISPENSAR = Type.Object({ forma: Type.String({ minLength: 1, maxLength: 300 }) });
export const DISPENSADOS = Type.Object({ arquivos: quantos('Quantos deixaram de esperar.') });
