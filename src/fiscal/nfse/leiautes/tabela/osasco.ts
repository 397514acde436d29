import type { Leiaute } from '../leiaute.ts';

export const osasco: Leiaute = {
  id: 'egoverne-relatorio',
  nome: 'eGoverne ISS (relatório de notas), como o de Osasco',
  fonte: 'XSD Eissnfe.Dominio.DataTransferObject.Prestador (NotaFiscalRelatorioDTO)',
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
  teste: ['./EmitidaParaHomologacao'],
  substitui: ['./NotaFiscalSubstituida'],
};
