import type { Leiaute } from '../leiaute.ts';

/** The answer to whoever asks whether a note is valid: it names the prestador without a CNPJ. */
export const sigissDadosNota: Leiaute = {
  id: 'sigiss-dadosnota',
  nome: 'SigISS (consulta de nota válida)',
  fonte: 'Web service sigiss_ws (ConsultarNotaValidaResponse)',
  nota: { elemento: ['DadosNota'], tem: ['./nota', './autenticidade'] },
  numero: ['./nota'],
  codigo: ['./autenticidade'],
  data: { campos: ['./dt_conversao', './data_emissao'] },
  prestador: { cpfCnpj: ['./cnpj_prestador|prestador_cnpj|cpf_cnpj_prestador'], nome: ['./prestador_razao'] },
  tomador: { cpfCnpj: ['./cnpj_tomador|cpf_cnpj_tomador'], nome: ['./razao_tomador'] },
  valor: ['./valor'],
  municipio: { nome: ['./prestador_cidade'], uf: ['./prestador_estado|prestador_uf'] },
  situacao: [{ tipo: 'situacao', campos: ['./StatusNFe'] }],
  semPrestador: {
    codigo: 'nfse_sem_prestador',
    mensagem:
      'É a resposta da consulta de uma NFS-e no SigISS (nº {numero}), que não traz o CNPJ do prestador. Baixe no site da prefeitura o XML da própria NFS-e (o espelho, ou a consulta de notas do prestador).',
  },
};
