/** Notes as the sites of cities export them: layouts of their own, each with the names that only it has. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { swap } from '../../assinatura/amostras-de-teste.ts';
import { codeOf, ler, only } from '../../leitura-de-teste.ts';
import { assertRefused, chave50, documento, PRESTADOR, partesDe, TOMADOR } from '../amostras-de-teste.ts';

const read = (xml: string) => documento(only(ler(xml)));
const AMBOS = [`prestador ${PRESTADOR} Padaria`, `tomador ${TOMADOR} Mercado`];

describe('a note of Florianópolis', () => {
  const nota = (mais = '<homologacao>false</homologacao>', raiz = 'xmlNfpse') =>
    `<${raiz}><cnpjPrestador>${PRESTADOR}</cnpjPrestador><codigoMunicipioTomador>4211900</codigoMunicipioTomador><codigoVerificacao>ABCD</codigoVerificacao><dataEmissao>2026-03-10T00:00:00Z</dataEmissao><dataProcessamento>2026-03-11T13:20:30</dataProcessamento>${mais}<identificacao>333</identificacao><identificacaoTomador>${TOMADOR}</identificacaoTomador><itensServico><quantidade>9</quantidade><valorTotal>1</valorTotal></itensServico><nomeMunicipioPrestador>FLORIANOPOLIS</nomeMunicipioPrestador><numeroAEDF>999911</numeroAEDF><numeroSerie>2198</numeroSerie><razaoSocialPrestador>Padaria</razaoSocialPrestador><razaoSocialTomador>Mercado</razaoSocialTomador><statusNFPSe>0</statusNFPSe><valorTotalServicos>9990</valorTotalServicos></${raiz}>`;

  it('has its number in numeroSerie and its day in UTC', () => {
    for (const raiz of ['xmlNfpse', 'xmlNfse']) {
      const one = read(nota(undefined, raiz));
      assert.deepEqual(
        [one.chave, one.valor, one.dataEmissao, one.serie, one.municipioPrestacao, one.ambiente],
        [`NFSE-4205407-${PRESTADOR}-2198`, '9990', '2026-03-10T00:00:00-03:00', '', 4205407, 1],
      );
      assert.deepEqual(partesDe(one), AMBOS);
    }
  });

  it('is cancelled by its date, and a test where it says so', () => {
    const cancelled = read(nota('<dataCancelamento>2026-03-12</dataCancelamento>'));
    assert.deepEqual([cancelled.statusProtocolo, cancelled.numero], ['Cancelada', '2198']);
    assert.equal(read(nota('<homologacao>true</homologacao>')).ambiente, 2);
  });

  it('is only asked for by its request', () => {
    const request = swap(nota('', 'xmlProcessamentoNfpse'), /<numeroSerie>.*<\/numeroSerie>/, '');
    assert.equal(codeOf(only(ler(request))), 'mensagem_sem_documento');
  });
});

describe('a note of E&L', () => {
  const nota = (status = '1') =>
    `<Nfse><Id>A1B2C3D4E5F60</Id><IssRetido>2</IssRetido><DataEmissao>2026-03-10T10:00:00</DataEmissao><IdentificacaoNfse><Numero>77</Numero><NumeroRps>12</NumeroRps><Serie>1</Serie></IdentificacaoNfse><DadosPrestador><IdentificacaoPrestador><CpfCnpj>${PRESTADOR}</CpfCnpj></IdentificacaoPrestador><RazaoSocial>Padaria</RazaoSocial><Endereco><LogradouroNumero>9</LogradouroNumero><CodigoMunicipio>3205200</CodigoMunicipio></Endereco></DadosPrestador><DadosTomador><IdentificacaoTomador><CpfCnpj>${TOMADOR}</CpfCnpj></IdentificacaoTomador><RazaoSocial>Mercado</RazaoSocial></DadosTomador><Servicos><Servico><ValorServico>1.0000</ValorServico></Servico></Servicos><Valores><ValorServicos>150.0000</ValorServicos></Valores><Status>${status}</Status></Nfse>`;
  const lista = (inside: string) =>
    `<tcListaNFse xmlns="http://www.el.com.br/nfse/xsd/el-nfse.xsd">${inside}</tcListaNFse>`;

  it('has no name that only a city gives but its identification', () => {
    const one = read(lista(nota()));
    assert.deepEqual(
      [one.chave, one.valor, one.municipioPrestacao, one.statusProtocolo],
      [`NFSE-3205200-${PRESTADOR}-77`, '150.0000', 3205200, 'Autorizada'],
    );
    assert.deepEqual(partesDe(one), AMBOS);
    const cancelled = read(lista(nota('2')));
    assert.deepEqual([cancelled.statusProtocolo, cancelled.digest], ['Cancelada', one.digest]);
    assert.equal(ler(lista(nota() + swap(nota(), '>77<', '>78<'))).length, 2);
  });
});

describe('a note of IPM', () => {
  const nota = (mais = '', nf = '') =>
    `<nfse>${mais}<nf><numero_nfse>12</numero_nfse><serie_nfse>1</serie_nfse><data_nfse>5/3/2026</data_nfse><hora_nfse>9:30:00</hora_nfse><situacao_codigo_nfse>1</situacao_codigo_nfse><cod_verificador_autenticidade>77</cod_verificador_autenticidade>${nf}<valor_total>10,00</valor_total></nf><prestador><cpfcnpj>${PRESTADOR}</cpfcnpj><cidade>8233</cidade></prestador><tomador><cpfcnpj>${TOMADOR}</cpfcnpj></tomador></nfse>`;

  it('that was sent as a test is one, and 0 says that it was not', () => {
    assert.equal(read(nota('<nfse_teste>1</nfse_teste>')).ambiente, 2);
    assert.equal(read(nota('<nfse_teste>0</nfse_teste>')).ambiente, 1);
  });

  it('tells its national key, and the city by it; the copy without it is the same note', () => {
    const chave = chave50('12');
    const one = read(nota('', `<chave_acesso_nfse_nacional>${chave}</chave_acesso_nfse_nacional>`));
    assert.equal(one.chave, `NFSE-0008233-${PRESTADOR}-12~1`);
    assert.equal(one.municipioPrestacao, 3550308);
    assert.match(one.avisos.join(' '), new RegExp(`sistema nacional, a chave desta NFS-e é ${chave}`));
    assert.equal(read(nota()).digest, one.digest);
    assert.equal(read(nota('', '<chave_acesso_nfse_nacional/>')).municipioPrestacao, null);
  });

  it('is not in the receipt of its issue or of its cancellation, which names nobody', () => {
    const recibo = (situacao: string) =>
      `<retorno><mensagem><codigo>00001 - Sucesso</codigo></mensagem><numero_nfse>5</numero_nfse><serie_nfse>1</serie_nfse><data_nfse>16/03/2026</data_nfse><situacao_codigo_nfse>${situacao}</situacao_codigo_nfse><cod_verificador_autenticidade>82</cod_verificador_autenticidade></retorno>`;
    assertRefused(
      only(ler(recibo('2'))),
      'mensagem_sem_documento',
      /recibo do cancelamento da NFS-e nº 5.*prestador.*baixad/,
    );
    const reduced = `<nfse>${swap(recibo('1'), /<\/?retorno>/g, '').replace('<numero', '<nf><numero')}</nf></nfse>`;
    for (const xml of [recibo('1'), reduced])
      assertRefused(only(ler(xml)), 'mensagem_sem_documento', /recibo da emissão da NFS-e nº 5/);
  });

  it('is not in an answer that tells faults, which are quoted', () => {
    const faults =
      '<retorno><mensagem><codigo>00368 - Item da lista incorreto.</codigo><codigo>00002 - Outro.</codigo></mensagem></retorno>';
    assertRefused(only(ler(faults)), 'mensagem_sem_documento', /Resposta: 00368 - Item da lista incorreto\./);
  });
});

describe('a note as a site exports it', () => {
  it('of SmarAPD names the prestador in the letterhead', () => {
    const nota = (situacao = 'Normal') =>
      `<tbnfd><nfdok numeronfd="123"><NewDataSet><NOTA_FISCAL><NumeroNota>123</NumeroNota><CodigoSerie>7</CodigoSerie><SituacaoNf>${situacao}</SituacaoNf><TimbreContribuinteLinha1>Padaria</TimbreContribuinteLinha1><TimbreContribuinteLinha4>Inscrição Municipal: 123456 - CPF/CNPJ: 11.222.333/0001-81</TimbreContribuinteLinha4><DataEmissao>2026-03-10T10:30:00-03:00</DataEmissao><ClienteNomeRazaoSocial>Mercado</ClienteNomeRazaoSocial><ClienteCNPJCPF>${TOMADOR}</ClienteCNPJCPF><ChaveValidacao>ABC</ChaveValidacao><ValorTotalNota>1500.00</ValorTotalNota><ITENS><ValorTotal>3.00</ValorTotal></ITENS></NOTA_FISCAL></NewDataSet></nfdok></tbnfd>`;
    const one = read(nota());
    assert.deepEqual(
      [one.chave, one.valor, one.dataEmissao],
      ['NFSE-0000000-11222333000181-123~7.SMARAPD', '1500.00', '2026-03-10T10:30:00-03:00'],
    );
    assert.deepEqual(partesDe(one), ['prestador 11222333000181 Padaria', `tomador ${TOMADOR} Mercado`]);
    const cancelled = read(nota('Cancelada'));
    assert.deepEqual([cancelled.statusProtocolo, cancelled.digest], ['Cancelada', one.digest]);
  });

  it('of DSF has flat names in upper case, and the city by the other table', () => {
    const nota = `<NOTA_FISCAL><NUM_NOTA>9</NUM_NOTA><DATA_HORA_EMISSAO>10/03/2026 09:30:00</DATA_HORA_EMISSAO><CODIGO_VERIFICACAO>0ed</CODIGO_VERIFICACAO><PRESTADOR_CPF_CNPJ>${PRESTADOR}</PRESTADOR_CPF_CNPJ><PRESTADOR_RAZAO_SOCIAL>Padaria</PRESTADOR_RAZAO_SOCIAL><TOMADOR_CPF_CNPJ>${TOMADOR}</TOMADOR_CPF_CNPJ><TOMADOR_RAZAO_SOCIAL>Mercado</TOMADOR_RAZAO_SOCIAL><VALOR_NOTA>80,00</VALOR_NOTA><CODIGO_CIDADE>7145</CODIGO_CIDADE></NOTA_FISCAL>`;
    const one = read(`<NOTAS_FISCAIS>${nota}</NOTAS_FISCAIS>`);
    assert.deepEqual(
      [one.chave, one.valor, one.municipioPrestacao],
      [`NFSE-3552205-${PRESTADOR}-9`, '80.00', 3552205],
    );
    assert.deepEqual(partesDe(one), AMBOS);
  });

  it('of São Luís has its total in a group, misspelt', () => {
    const nota = `<nfse><codigoMunicipio>921</codigoMunicipio><dtEmissao>2026-03-10T09:30:00</dtEmissao><numeroNota>9</numeroNota><codigoVerificacao>AB</codigoVerificacao><prestador><cnpj>${PRESTADOR}</cnpj><razaoSocial>Padaria</razaoSocial></prestador><tomador><cnpj>${TOMADOR}</cnpj><razaoSocial>Mercado</razaoSocial></tomador><detalhamentoNota><totais><valotTotalNota>12.50</valotTotalNota></totais></detalhamentoNota></nfse>`;
    const one = read(nota);
    assert.deepEqual([one.chave, one.valor], [`NFSE-2111300-${PRESTADOR}-9`, '12.50']);
    assert.deepEqual(partesDe(one), AMBOS);
  });

  it('of Joinville leaves the prestador to the lot that it stands in', () => {
    const nota = (numero: string) =>
      `<nota><numero>${numero}</numero><codigo_verificacao>X</codigo_verificacao><data_emissao>2026-03-10 09:30:00</data_emissao><valor_total>7.00</valor_total><tomador><documento>${TOMADOR}</documento><nome>Mercado</nome><numero>1</numero></tomador></nota>`;
    const lote = (inside: string) =>
      `<lote xmlns="http://nfem.joinville.sc.gov.br"><prestador><documento>${PRESTADOR}</documento><razao_social>Padaria</razao_social></prestador>${inside}</lote>`;
    const notes = ler(lote(nota('5') + nota('6'))).map(documento);
    assert.deepEqual(
      notes.map(({ chave, valor }) => [chave, valor]),
      ['5', '6'].map((numero) => [`NFSE-4209102-${PRESTADOR}-${numero}`, '7.00']),
    );
    for (const one of notes) assert.deepEqual(partesDe(one), AMBOS);
    assert.match(notes[0]?.avisos.join(' ') ?? '', /lido do que o arquivo diz ao redor/);
  });

  it('of a lot with thousands of other things costs no more than they weigh', () => {
    const nota = (numero: number) =>
      `<nota><numero>${numero}</numero><codigo_verificacao>X</codigo_verificacao><data_emissao>2026-03-10</data_emissao></nota>`;
    const notas = Array.from({ length: 4_000 }, (_, index) => nota(index + 1)).join('');
    const { user } = process.threadCpuUsage();
    assert.equal(ler(`<lote>${notas}${'<a/>'.repeat(60_000)}</lote>`).length, 4_000);
    assert.ok(process.threadCpuUsage().user - user < 8_000_000);
  });

  it('may be an item of a list of notes', () => {
    const item = `<item><numero>9</numero><codigo_verificacao>AB</codigo_verificacao><data_emissao>2026-03-10 09:30:00</data_emissao><servico><valores><valor_servico>1.234,50</valor_servico></valores></servico><prestacao_servico><identificacao_prestador><cnpj>${PRESTADOR}</cnpj></identificacao_prestador></prestacao_servico><tomador_servico><identificacao_tomador><cpf_cnpj>${TOMADOR}</cpf_cnpj></identificacao_tomador><razao_social>Mercado</razao_social></tomador_servico><orgao_gerador><codigo_municipio>3141108</codigo_municipio></orgao_gerador></item>`;
    const one = read(`<notas>${item}</notas>`);
    assert.deepEqual([one.chave, one.valor], [`NFSE-3141108-${PRESTADOR}-9`, '1234.50']);
    assert.deepEqual(partesDe(one), [`prestador ${PRESTADOR} null`, `tomador ${TOMADOR} Mercado`]);
  });

  it('may name a party in the group of that party', () => {
    const nota = `<notas><nfse><numero>9</numero><codigoVerificacao>AB</codigoVerificacao><dataEmissao>10/03/2026</dataEmissao><valorServico>5.00</valorServico><prestadorServico><nomeRazao>Padaria</nomeRazao><cnpj>${PRESTADOR}</cnpj></prestadorServico><tomadorServico><CnpjTomador>${TOMADOR}</CnpjTomador><nomeRazao>Mercado</nomeRazao></tomadorServico></nfse></notas>`;
    assert.deepEqual(partesDe(read(nota)), AMBOS);
  });

  it('of Assessor Público has short names', () => {
    const nota = `<NFSE><NOTA><LOTE>1</LOTE><COD>77</COD><SITCOD>1</SITCOD><RPS>XYZ1</RPS><DATA>10/03/2026</DATA><HORA>10:30:00</HORA><VALORTOTALSERVICOS>150,00</VALORTOTALSERVICOS><PRESTCPFCNPJ>${PRESTADOR}</PRESTCPFCNPJ><PRESTNOMERAZAO>Padaria</PRESTNOMERAZAO><TOMCPFCNPJ>${TOMADOR}</TOMCPFCNPJ><TOMNOMERAZAO>Mercado</TOMNOMERAZAO><SERVICOS><SERVICO><CODIGO>1</CODIGO><VALOR>1,00</VALOR></SERVICO></SERVICOS></NOTA></NFSE>`;
    const one = read(nota);
    assert.deepEqual([one.numero, one.valor, one.dataEmissao], ['77', '150.00', '2026-03-10T10:30:00-03:00']);
    assert.deepEqual(partesDe(one), AMBOS);
  });

  it('of SigISS and of GeisWeb say that they are cancelled in their own way', () => {
    const sigiss = (status: string) =>
      `<EspelhoNfse><Nfse><IdentificacaoNfse><Numero>55</Numero><CodigoVerificacao>XYZ</CodigoVerificacao><DataEmissao>2026-03-10</DataEmissao><StatusNfse>${status}</StatusNfse></IdentificacaoNfse><DadosNfse><PrestadorRazaoSocial>Padaria</PrestadorRazaoSocial><PrestadorCnpj>${PRESTADOR}</PrestadorCnpj><TomadorRazaoSocial>Mercado</TomadorRazaoSocial><TomadorCnpjCpf>${TOMADOR}</TomadorCnpjCpf><ValorNota>10.00</ValorNota></DadosNfse></Nfse></EspelhoNfse>`;
    const geisweb = (tipo: string) =>
      `<ConsultaNfseResposta><Nfse><IdentificacaoNfse><NumeroNfse>123</NumeroNfse><CodigoVerificacao>AB</CodigoVerificacao></IdentificacaoNfse><DataEmissao>10/03/2026</DataEmissao><Servico><Valores><ValorServicos>100,00</ValorServicos></Valores><TipoLancamento>${tipo}</TipoLancamento></Servico><PrestadorServico><IdentificacaoPrestador><CnpjCpf>${PRESTADOR}</CnpjCpf></IdentificacaoPrestador><RazaoSocial>Padaria</RazaoSocial></PrestadorServico><TomadorServico><IdentificacaoTomador><CnpjCpf>${TOMADOR}</CnpjCpf></IdentificacaoTomador><RazaoSocial>Mercado</RazaoSocial></TomadorServico></Nfse></ConsultaNfseResposta>`;
    for (const [before, after] of [
      [read(sigiss('1')), read(sigiss('2'))],
      [read(geisweb('P')), read(geisweb('C'))],
    ] as const) {
      assert.deepEqual(partesDe(before), AMBOS);
      assert.deepEqual([before.statusProtocolo, after.statusProtocolo], ['Autorizada', 'Cancelada']);
      assert.equal(before.digest, after.digest);
    }
  });
});
