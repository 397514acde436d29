import type { Leiaute } from '../leiaute.ts';

export const governa: Leiaute = {
  id: 'governa',
  nome: 'Governa',
  fonte: 'Manual do web service da Governa (RetornoConsultaNfse)',
  nota: { elemento: ['Nfse'], tem: ['./NumNot', './CodVer|DtemiNfse'] },
  numero: ['./NumNot'],
  codigo: ['./CodVer'],
  data: { campos: ['./DtemiNfse', './DtemiNot'] },
  prestador: { cpfCnpj: ['./CNPJPr', './NumDocPr', './CPFPr'], nome: ['./RzSocialPr'] },
  tomador: { cpfCnpj: ['./NumDocTmd', './CNPJTmd'], nome: ['./NomTmd'] },
  valor: ['./VlrTot|VlrNot', './VlrUnt'],
  municipio: { nome: ['./EndCidadePr'], uf: ['./EndUFPr'] },
  situacao: [
    { tipo: 'situacao', campos: ['./StaNot|SitNot|Status|Situacao'] },
    { tipo: 'data', campos: ['./DtaCan|DtCan'] },
    { tipo: 'motivo', campos: ['./MtvCan|MotCan'] },
  ],
};
