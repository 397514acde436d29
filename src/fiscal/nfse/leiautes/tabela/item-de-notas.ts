import type { Leiaute } from '../leiaute.ts';

export const itemDeNotas: Leiaute = {
  id: 'item-de-notas',
  nome: 'Lista de notas em itens, com os nomes da ABRASF',
  fonte: 'Exportações de portais em que cada nota é um item de notas',
  nota: {
    elemento: ['item'],
    dentroDe: ['notas'],
    tem: ['./numero', './codigo_verificacao', './data_emissao'],
  },
  numero: ['./numero'],
  codigo: ['./codigo_verificacao'],
  data: { campos: ['./data_emissao'] },
  competencia: ['./competencia'],
  prestador: {
    cpfCnpj: [
      './prestacao_servico|prestador_servico/identificacao_prestador/cnpj|cpf|cpf_cnpj',
      './/prestacao_servico|prestador_servico|identificacao_prestador//cnpj|cpf|cpf_cnpj',
    ],
    nome: ['.//prestador_servico/razao_social'],
  },
  tomador: {
    cpfCnpj: [
      './tomador_servico/identificacao_tomador/cpf_cnpj|cnpj|cpf',
      './/tomador_servico|identificacao_tomador//cpf_cnpj|cnpj|cpf',
    ],
    nome: ['.//tomador_servico/razao_social'],
  },
  valor: ['.//valores/valor_servico|valor_servicos', './/valor_servico|valor_servicos'],
  municipio: { codigo: ['./orgao_gerador/codigo_municipio'] },
  prestacao: ['./servico/codigo_municipio'],
  situacao: [
    { tipo: 'situacao', campos: ['./situacao|status'] },
    { tipo: 'sim_nao', campos: ['./cancelada'] },
    { tipo: 'data', campos: ['./data_cancelamento'] },
  ],
};
