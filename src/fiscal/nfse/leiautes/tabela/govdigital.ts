import type { Leiaute } from '../leiaute.ts';

export const govdigital: Leiaute = {
  id: 'govdigital',
  nome: 'GovDigital',
  fonte: 'Exportação de notas do GovDigital',
  nota: { elemento: ['nf-e'], tem: ['./numero', './prestador/documento', './senha|valorTotal'] },
  numero: ['./numero'],
  serieDoRps: ['./serie'],
  codigo: ['./senha'],
  data: { campos: ['./emissao|dataEmissao', './prestacao'] },
  prestador: { cpfCnpj: ['./prestador/documento|cnpj|cpf'], nome: ['./prestador/nome|razaoSocial'] },
  tomador: { cpfCnpj: ['./tomador/documento|cnpj|cpf'], nome: ['./tomador/nome|razaoSocial'] },
  intermediario: { cpfCnpj: ['./intermediario/documento|cnpj|cpf'], nome: ['./intermediario/nome'] },
  valor: ['./valorTotal'],
  municipio: { nome: ['./prestador/municipio'], uf: ['./prestador/estado'] },
  prestacao: ['./municipioIncidencia', './municipioPrestacao'],
  situacao: [
    { tipo: 'situacao', campos: ['./situacao|status'] },
    { tipo: 'sim_nao', campos: ['./cancelada'] },
    { tipo: 'data', campos: ['./cancelamento', './dataCancelamento', './cancelamento/data'] },
    { tipo: 'motivo', campos: ['./motivoCancelamento', './cancelamento/motivo'] },
  ],
};
