import type { Leiaute } from '../leiaute.ts';

/** Its notes have their number and date in the group of the prestador. */
export const giap: Leiaute = {
  id: 'giap',
  nome: 'GIAP',
  fonte: 'Manual do web service da GIAP (nfeResposta)',
  nota: {
    elemento: ['notaFiscal'],
    tem: ['./dadosPrestador/numeroNota', './dadosPrestador/cnpj|cpf|documento|cpfCnpj'],
  },
  numero: ['./dadosPrestador/numeroNota', './/numeroNota'],
  codigo: ['./dadosPrestador/codigoVerificacao', './/codigoVerificacao'],
  data: { campos: ['./dadosPrestador/dataEmissao', './/dataEmissao'] },
  prestador: {
    cpfCnpj: ['./dadosPrestador/cnpj|cpf|documento|cpfCnpj'],
    nome: ['./dadosPrestador/nomePrestador|razaoSocial|nome'],
  },
  tomador: {
    cpfCnpj: ['./dadosTomador/documento|cnpj|cpf|cpfCnpj'],
    nome: ['./dadosTomador/nomeTomador|razaoSocial|nome'],
  },
  valor: ['.//valorNota|valorTotal'],
  soma: ['./detalheServico/item/valor'],
  municipio: { nome: ['./dadosServico/cidade'], uf: ['./dadosServico/uf'] },
  situacao: [
    {
      tipo: 'situacao',
      campos: ['.//situacao|status|statusNota', './dadosPrestador/situacao|status|statusNota'],
    },
    { tipo: 'sim_nao', campos: ['.//notaCancelada|cancelada', './dadosPrestador/notaCancelada|cancelada'] },
    { tipo: 'data', campos: ['.//dataCancelamento', './dadosPrestador/dataCancelamento'] },
    { tipo: 'motivo', campos: ['.//motivoCancelamento', './dadosPrestador/motivoCancelamento'] },
  ],
};
