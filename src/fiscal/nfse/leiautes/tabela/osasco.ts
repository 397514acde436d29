import type { Leiaute } from '../leiaute.ts';

export const osasco: Leiaute = {
  id: 'osasco',
  nome: 'Osasco (relatório de notas)',
  fonte: 'Relatório de notas do portal de Osasco (NotaFiscalRelatorioDTO)',
  nota: { elemento: ['NotaFiscalRelatorioDTO'], tem: ['./Numero', './CodigoAutenticidade|DataEmissao'] },
  numero: ['./Numero'],
  serie: ['./Serie'],
  codigo: ['./CodigoAutenticidade'],
  data: { campos: ['./DataEmissao'] },
  prestador: { cpfCnpj: ['./Prestador/CNPJ|CPF|CpfCnpj'], nome: ['./Prestador/Nome|RazaoSocial'] },
  tomador: { cpfCnpj: ['./Tomador/CNPJ|CPF|CpfCnpj'], nome: ['./Tomador/Nome|RazaoSocial'] },
  valor: ['./Valor'],
  municipio: { nome: ['./Prestador/Endereco/Cidade'], uf: ['./Prestador/Endereco/Estado'] },
  situacao: [
    { tipo: 'data', campos: ['./DataCancelamento'] },
    { tipo: 'situacao', campos: ['./Situacao|Status'] },
    { tipo: 'motivo', campos: ['./MotivoCancelamento'] },
  ],
  substitui: ['./NotaFiscalSubstituida'],
};
