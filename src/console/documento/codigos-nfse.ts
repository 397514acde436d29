/**
 * Codes of NFS-e in words.
 * @fonte national: documentation in tiposSimples and tiposComplexos 1.01; ABRASF: conceptual model 1.00 and 2.04
 */

const SIM_NAO = { '1': 'Sim', '2': 'Não' };

/** Names that only NFS-e has. */
export const CODIGOS_NFSE = {
  // national
  ambGer: { '1': 'Prefeitura', '2': 'Sistema nacional', '3': 'Ambiente de dados nacional' },
  tpEmit: { '1': 'Prestador', '2': 'Tomador', '3': 'Intermediário' },
  regEspTrib: {
    '0': 'Nenhum',
    '1': 'Ato cooperado',
    '2': 'Estimativa',
    '3': 'Microempresa municipal',
    '4': 'Notário ou registrador',
    '5': 'Profissional autônomo',
    '6': 'Sociedade de profissionais',
    '9': 'Outros',
  },
  regApTribSN: {
    '1': 'Tributos federais e municipal pelo Simples Nacional',
    '2': 'Federais pelo Simples Nacional, ISSQN por fora',
    '3': 'Federais e municipal por fora do Simples Nacional',
  },
  tribISSQN: { '1': 'Tributável', '2': 'Imunidade', '3': 'Exportação de serviço', '4': 'Não incidência' },
  tpRetISSQN: { '1': 'Não retido', '2': 'Retido pelo tomador', '3': 'Retido pelo intermediário' },
  opSimpNac: { '1': 'Não optante', '2': 'Optante, MEI', '3': 'Optante, ME ou EPP' },
  tpRetPisCofins: {
    '0': 'PIS, COFINS e CSLL não retidos',
    '1': 'PIS e COFINS retidos',
    '2': 'PIS e COFINS não retidos',
    '3': 'PIS, COFINS e CSLL retidos',
    '4': 'PIS e COFINS retidos, CSLL não',
    '5': 'PIS retido, COFINS e CSLL não',
    '6': 'COFINS retido, PIS e CSLL não',
    '7': 'COFINS e CSLL retidos, PIS não',
    '8': 'CSLL retido, PIS e COFINS não',
    '9': 'PIS e CSLL retidos, COFINS não',
  },
  tpSusp: { '1': 'Por decisão judicial', '2': 'Por processo administrativo' },
  mdPrestacao: {
    '0': 'Desconhecido',
    '1': 'Transfronteiriço',
    '2': 'Consumo no Brasil',
    '3': 'Movimento temporário de pessoas físicas',
    '4': 'Consumo no exterior',
  },
  vincPrest: {
    '0': 'Sem vínculo',
    '1': 'Controlada',
    '2': 'Controladora',
    '3': 'Coligada',
    '4': 'Matriz',
    '5': 'Filial ou sucursal',
    '6': 'Outro vínculo',
    '9': 'Desconhecido',
  },
  cNaoNIF: { '0': 'Não informado na nota de origem', '1': 'Dispensado do NIF', '2': 'NIF não exigido' },
  // ABRASF
  IssRetido: SIM_NAO,
  OptanteSimplesNacional: SIM_NAO,
  IncentivadorCultural: SIM_NAO,
  IncentivoFiscal: SIM_NAO,
  ResponsavelRetencao: { '1': 'Tomador', '2': 'Intermediário' },
  ExigibilidadeISS: {
    '1': 'Exigível',
    '2': 'Não incidência',
    '3': 'Isenção',
    '4': 'Exportação',
    '5': 'Imunidade',
    '6': 'Suspensa por decisão judicial',
    '7': 'Suspensa por processo administrativo',
  },
  NaturezaOperacao: {
    '1': 'Tributação no município',
    '2': 'Tributação fora do município',
    '3': 'Isenção',
    '4': 'Imune',
    '5': 'Suspensa por decisão judicial',
    '6': 'Suspensa por procedimento administrativo',
  },
  RegimeEspecialTributacao: {
    '1': 'Microempresa municipal',
    '2': 'Estimativa',
    '3': 'Sociedade de profissionais',
    '4': 'Cooperativa',
    '5': 'Microempresário individual (MEI)',
    '6': 'Microempresa ou empresa de pequeno porte',
  },
} as const;

/** Names that NF-e has too, with another table. */
export const CODIGOS_DA_NFSE_NACIONAL: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tpEmis: { '1': 'Normal, no modelo nacional', '2': 'Original em leiaute do município, transcrita' },
  procEmi: {
    '1': 'Aplicativo do contribuinte',
    '2': 'Aplicativo do Fisco (web)',
    '3': 'Aplicativo do Fisco (app)',
  },
};
