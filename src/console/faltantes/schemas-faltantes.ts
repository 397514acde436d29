/** Wire shapes of missing numbers in the console. */

import { MOTIVO_DO_FALTANTE } from '../../documentos/read/faltantes.ts';
import { Type } from '../../platform/http/esquema.ts';
import { clienteEmConsulta, diaEmConsulta, palavraDe } from '../documentos/schemas-documentos.ts';
import { instante, ouNulo, texto } from '../schemas.ts';
import { MODELOS_NUMERADOS } from './faltantes-console.ts';

export const FaltantesQuery = Type.Object({
  cliente: Type.Optional(clienteEmConsulta),
  modelo: Type.Optional(palavraDe('modelo', MODELOS_NUMERADOS)),
  emissaoDe: Type.Optional(diaEmConsulta('emissaoDe', 'Primeiro dia; sem ele, há 12 meses.')),
  emissaoAte: Type.Optional(diaEmConsulta('emissaoAte', 'Último dia.')),
});

const Justificativa = Type.Object({
  motivo: texto('Motivo dado.'),
  por: texto('Quem.'),
  em: instante('Quando.'),
  numero: Type.Integer({ description: 'Primeiro número do que foi justificado junto.' }),
  numeroFinal: Type.Integer({ description: 'Último.' }),
});

export const Faltantes = Type.Object({
  cliente: Type.Object({ cpfCnpj: texto('CPF ou CNPJ.'), nome: texto('Nome.') }),
  total: Type.Integer({ description: 'Números que faltam, sem os justificados.' }),
  justificados: Type.Integer(),
  truncado: Type.Boolean({
    description: 'Alguma série tem mais de 10.000 números faltando; os outros não aparecem.',
  }),
  series: Type.Array(
    Type.Object({
      modelo: texto('Modelo.'),
      serie: texto('Série.'),
      primeiro: Type.Integer({ description: 'Menor número conhecido no período.' }),
      ultimo: Type.Integer({ description: 'Maior número conhecido no período.' }),
      faltantes: Type.Integer(),
      meses: Type.Array(
        Type.Object({ mes: texto('AAAA-MM.'), conhecidos: Type.Integer(), faltantes: Type.Integer() }),
      ),
    }),
  ),
  lacunas: Type.Array(
    Type.Object({
      modelo: texto('Modelo.'),
      serie: texto('Série.'),
      uf: ouNulo(texto('UF da numeração, de quem emite com CPF e tem uma em cada UF.')),
      numero: texto('Primeiro número.'),
      numeroFinal: texto('Último número.'),
      quantidade: Type.Integer(),
      chave: ouNulo(texto('Chave, quando se conhece.')),
      motivo: texto('Motivo.', { enum: Object.keys(MOTIVO_DO_FALTANTE) }),
      explicacao: texto('O motivo em uma frase.'),
      mes: ouNulo(texto('AAAA-MM em que o número deve ter sido usado.')),
      justificativa: ouNulo(Justificativa),
    }),
  ),
  foraDaConta: Type.Array(
    Type.Object({
      modelo: texto('Modelo.'),
      serie: texto('Série.'),
      motivo: texto('Por quê, em uma frase.'),
    }),
    { description: 'Séries cujos números salteados não contam como faltantes.' },
  ),
  lacunasOmitidas: Type.Integer({ description: 'Lacunas além das 5.000 primeiras.' }),
});

const limites = {
  cliente: texto('CPF ou CNPJ do cliente.', { maxLength: 20 }),
  modelo: texto('55, 65, 57 ou 67.', { enum: [...MODELOS_NUMERADOS] }),
  serie: texto('Série.', { minLength: 1, maxLength: 10, pattern: '^[0-9]+$' }),
  numero: Type.Integer({ minimum: 1, maximum: 999_999_999_999_999, description: 'Primeiro número.' }),
};

export const JustificarBody = Type.Object({
  ...limites,
  numeroFinal: Type.Integer({ minimum: 1, maximum: 999_999_999_999_999, description: 'Último número.' }),
  motivo: texto('Por que o número não faz falta.', { minLength: 3, maxLength: 500 }),
});
export const RetirarBody = Type.Object(limites);
