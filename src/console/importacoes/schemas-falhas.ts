/** Wire shapes of failures of imports. */
import { Type } from '../../platform/http/esquema.ts';
import { tamanhoDaPagina } from '../../platform/http/parametros.ts';
import { palavraDe } from '../documentos/schemas-documentos.ts';
import { depoisDoNumero, instante, ouNulo, texto, textoEmConsulta } from '../schemas.ts';
import { ACOES } from './falhas.ts';

const SITUACOES = ['visto', 'resolvido'] as const;
/** Failures named at once: a page of them. */
const NOMEADAS_MAX = 500;
/** Files whose results are summed at once. */
const SOMADOS_MAX = 500;
const ID_DE_ARQUIVO = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

const doCodigo = {
  codigo: texto('Código da causa.'),
  causa: ouNulo(texto('O que o código quer dizer.')),
  remedio: ouNulo(texto('O que fazer.')),
};

export const FalhasPorCausa = Type.Object({
  causas: Type.Array(
    Type.Object({
      ...doCodigo,
      acao: texto('O que se faz com elas: comparar as versões, importar de novo, ou enviar o que falta.', {
        enum: [...ACOES],
      }),
      documentos: Type.Integer(),
      arquivos: Type.Integer(),
      ultimaEm: instante('A mais nova.'),
    }),
    { description: 'As que têm mais documentos primeiro.' },
  ),
  documentos: Type.Integer({ description: 'Falhas ao todo, dos últimos 90 dias.' }),
  arquivos: Type.Integer({ description: 'Arquivos em que elas estão.' }),
  haMais: Type.Boolean({ description: 'Há outras, mais antigas, que não foram contadas.' }),
  em: instante('Quando se olhou.'),
});

export const FalhasQuery = Type.Object({
  codigo: Type.Optional(textoEmConsulta('codigo', 'Só desta causa.')),
  quais: palavraDe('quais', ['abertas', 'vistas'] as const, 'abertas'),
  Tamanho: tamanhoDaPagina,
  depois: Type.Optional(depoisDoNumero),
});

export const Falhas = Type.Object({
  itens: Type.Array(
    Type.Object({
      arquivo: Type.Object({ id: texto('Id do arquivo.'), nome: texto('Nome dele.') }),
      ordem: Type.Integer({ description: 'Lugar no arquivo; 0: falhou o arquivo inteiro.' }),
      ...doCodigo,
      em: instante('Quando chegou.'),
      caminho: ouNulo(texto('Caminho dentro do .zip.')),
      especie: ouNulo(texto('O que é.')),
      chave: ouNulo(texto('Chave.')),
      mensagem: ouNulo(texto('O que houve com este.')),
      documentoId: ouNulo(Type.Integer({ description: 'Documento, para abrir.' })),
      marca: ouNulo(
        Type.Object({
          situacao: texto('visto ou resolvido.', { enum: [...SITUACOES] }),
          motivo: texto('Por quê.'),
          por: texto('Quem o disse.'),
          em: instante('Quando.'),
          reabre: Type.Boolean({ description: 'Alguém o disse, e pode desdizer; senão a causa acabou.' }),
        }),
      ),
    }),
  ),
  proximo: ouNulo(texto('Para o parâmetro `depois`; null no fim.')),
});

const Lugar = Type.Object({
  arquivo: texto('Id do arquivo.', { pattern: ID_DE_ARQUIVO }),
  ordem: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Lugar no arquivo.' }),
});

export const MarcarFalhasBody = Type.Object({
  codigo: texto('Código da causa.', { minLength: 1, maxLength: 80 }),
  situacao: texto('visto ou resolvido.', { enum: [...SITUACOES] }),
  motivo: texto('Por quê: quem olhar depois vai ler.', { minLength: 1, maxLength: 300, pattern: '\\S' }),
  itens: Type.Optional(
    Type.Array(Lugar, {
      minItems: 1,
      maxItems: NOMEADAS_MAX,
      description: 'Só estas; sem ele, todas da causa.',
    }),
  ),
  ate: Type.Optional(
    texto('O `em` da lista que se viu: o que chegou depois fica aberto.', { format: 'date-time' }),
  ),
});
export const FalhasMarcadas = Type.Object({ falhas: Type.Integer({ description: 'Quantas foram.' }) });
export const ReabrirFalhasBody = Type.Object({
  itens: Type.Array(Lugar, { minItems: 1, maxItems: NOMEADAS_MAX }),
});

export const SomarBody = Type.Object({
  ids: Type.Array(texto('Id do arquivo.', { pattern: ID_DE_ARQUIVO }), {
    minItems: 1,
    maxItems: SOMADOS_MAX,
  }),
});
export const Somados = Type.Object({
  resultados: Type.Array(Type.Object({ resultado: texto('Resultado.'), quantidade: Type.Integer() })),
});
