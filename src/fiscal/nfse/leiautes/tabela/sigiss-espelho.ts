import type { Leiaute } from '../leiaute.ts';

export const sigissEspelho: Leiaute = {
  id: 'sigiss-espelho',
  nome: 'SigISS (espelho)',
  fonte: 'EspelhoNfse dos portais SigISS',
  nota: {
    elemento: ['Nfse'],
    tem: ['./IdentificacaoNfse/Numero', './DadosNfse/PrestadorRazaoSocial|PrestadorCnpj|TomadorRazaoSocial'],
  },
  numero: ['./IdentificacaoNfse/Numero'],
  serie: ['./IdentificacaoNfse/Serie'],
  codigo: ['./IdentificacaoNfse/CodigoVerificacao'],
  data: { campos: ['./IdentificacaoNfse/DataEmissao'] },
  prestador: {
    cpfCnpj: ['./DadosNfse/PrestadorCnpj|PrestadorCnpjCpf|PrestadorCpfCnpj|PrestadorCpf'],
    nome: ['./DadosNfse/PrestadorRazaoSocial'],
  },
  tomador: {
    cpfCnpj: ['./DadosNfse/TomadorCnpjCpf|TomadorCnpj|TomadorCpfCnpj|TomadorCpf'],
    nome: ['./DadosNfse/TomadorRazaoSocial'],
  },
  valor: ['./DadosNfse/ValorServicos|ValorNota|ValorTotal', './/ValorServicos|ValorNota'],
  municipio: { codigo: ['./DadosNfse/PrestadorCodigoMunicipio'] },
  situacao: [
    {
      tipo: 'situacao',
      campos: ['./IdentificacaoNfse/StatusNfse', './DadosNfse/StatusNfse'],
      cancelada: ['2'],
      normal: ['1'],
    },
    { tipo: 'data', campos: ['.//DataCancelamento'] },
    { tipo: 'motivo', campos: ['.//MotivoCancelamento'] },
  ],
  mutaveis: ['LinkImpressao'],
};
