import type { Leiaute } from '../leiaute.ts';

export const conam: Leiaute = {
  id: 'conam',
  nome: 'Conam',
  fonte: 'Manual do web service da Conam (Sdt_ConsultaNotasProtocoloOut)',
  nota: { elemento: ['Reg20Item', 'Nota'], tem: ['.//NumNf', './/CpfCnpjPre'] },
  numero: ['.//NumNf'],
  serie: ['.//SerNf'],
  codigo: ['.//CodVernf'],
  data: { campos: ['.//DtEmiNf', './/DtEmissao', './/DtHrGerNf'] },
  prestador: { cpfCnpj: ['.//CpfCnpjPre'], nome: ['.//RazSocPre'] },
  tomador: { cpfCnpj: ['.//CpfCnpjTom'], nome: ['.//RazSocTom'] },
  valor: ['.//VlNFS'],
  situacao: [
    { tipo: 'situacao', campos: ['.//SitNf'], cancelada: ['2'], normal: ['1'] },
    { tipo: 'data', campos: ['.//DataCncNf'] },
    { tipo: 'motivo', campos: ['.//MotivoCncNf|MotCncNf'] },
  ],
};
