import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { swap } from '../../assinatura/amostras-de-teste.ts';
import { codeOf, ler, only } from '../../leitura-de-teste.ts';
import { assertRefused, documento, PRESTADOR, partesDe, TOMADOR } from '../amostras-de-teste.ts';

const read = (xml: string) => documento(only(ler(xml)));

const notaDsf = (numero = '7', mais = '<MotCancelamento/>') =>
  `<Nota><NumeroNota>${numero}</NumeroNota><DataProcessamento>2026-03-10T00:00:00</DataProcessamento><CodigoVerificacao>0ed753e4</CodigoVerificacao><InscricaoMunicipalPrestador>000317</InscricaoMunicipalPrestador><RazaoSocialPrestador>PADARIA AURORA LTDA</RazaoSocialPrestador><SerieRPS>NF</SerieRPS><CPFCNPJTomador>${TOMADOR}</CPFCNPJTomador><RazaoSocialTomador>MERCADO</RazaoSocialTomador><MunicipioPrestacao>6291</MunicipioPrestacao>${mais}<Itens><Item><ValorTotal>10</ValorTotal></Item><Item><ValorTotal>2.50</ValorTotal></Item></Itens></Nota>`;
const dsf = (inside: string, head = `<CPFCNPJRemetente>${PRESTADOR}</CPFCNPJRemetente>`) =>
  `<ns1:RetornoConsultaNotas xmlns:ns1="http://localhost:8080/WsNFe2/lote"><Cabecalho><CodCidade>6291</CodCidade>${head}<InscricaoMunicipalPrestador>317</InscricaoMunicipalPrestador></Cabecalho><Notas>${inside}</Notas></ns1:RetornoConsultaNotas>`;

describe('a note of DSF', () => {
  it('is read with the prestador and the city that the head of the answer names, and says so', () => {
    const nota = read(dsf(notaDsf()));
    assert.deepEqual(
      [nota.chave, nota.valor, nota.serie, nota.municipioPrestacao, nota.dataEmissao],
      [`NFSE-3509502-${PRESTADOR}-7`, '12.50', 'NF', 3509502, '2026-03-10T00:00:00-03:00'],
    );
    assert.deepEqual(partesDe(nota), [
      `prestador ${PRESTADOR} PADARIA AURORA LTDA`,
      `tomador ${TOMADOR} MERCADO`,
    ]);
    assert.match(nota.avisos.join(), /lido do que o arquivo diz ao redor/);
  });

  it('is one of many, each with its own status, and the cancelled one is the same note', () => {
    const cancelled = notaDsf('8', '<MotCancelamento>erro</MotCancelamento>');
    const notes = ler(dsf(notaDsf() + cancelled)).map(documento);
    assert.deepEqual(
      notes.map((nota) => [nota.numero, nota.statusProtocolo]),
      [
        ['7', 'Autorizada'],
        ['8', 'Cancelada'],
      ],
    );
    assert.equal(notes[1]?.digest, read(dsf(notaDsf('8'))).digest);
  });

  it('is not given to whoever only asked for it', () => {
    const heads = [
      `<CPFCNPJRemetente>${TOMADOR}</CPFCNPJRemetente><RazaoSocialRemetente>OUTRA</RazaoSocialRemetente>`,
      '<CPFCNPJRemetente>52998224725</CPFCNPJRemetente>',
    ];
    for (const head of heads)
      assertRefused(only(ler(dsf(notaDsf(), head))), 'nfse_layout_desconhecido', /prestador/);
    const other = swap(dsf(notaDsf()), '>317<', '>318<');
    assertRefused(only(ler(other)), 'nfse_layout_desconhecido', /prestador/);
  });

  it('is no note inside a request', () => {
    const request = `<ReqConsultaNFSeRPS><NotaConsulta>${notaDsf()}</NotaConsulta></ReqConsultaNFSeRPS>`;
    assert.equal(codeOf(only(ler(request))), 'mensagem_sem_documento');
  });
});

describe('a note of IPM', () => {
  const ipm = (situacao = '1', raiz = 'nfse') =>
    `<${raiz}><nf><numero_nfse>12</numero_nfse><serie_nfse>1</serie_nfse><data_nfse>10/03/2026</data_nfse><hora_nfse>09:30:00</hora_nfse><situacao_codigo_nfse>${situacao}</situacao_codigo_nfse><cod_verificador_autenticidade>77</cod_verificador_autenticidade><valor_total>000000006.860,05</valor_total></nf><prestador><cpfcnpj>${PRESTADOR}</cpfcnpj><cidade>8291</cidade></prestador><tomador><cpfcnpj>${TOMADOR}</cpfcnpj><nome_razao_social>Mercado</nome_razao_social><numero>9</numero></tomador><itens><lista><valor_tributavel>1,00</valor_tributavel></lista></itens></${raiz}>`;

  it('is read with its own series in the key, a local date and a local amount', () => {
    const nota = read(ipm());
    assert.deepEqual(
      [nota.chave, nota.serie, nota.valor, nota.dataEmissao, nota.municipioPrestacao],
      [`NFSE-4214805-${PRESTADOR}-12~1`, '1', '6860.05', '2026-03-10T09:30:00-03:00', 4_214_805],
    );
    assert.deepEqual(partesDe(nota), [`prestador ${PRESTADOR} null`, `tomador ${TOMADOR} Mercado`]);
    assert.equal(nota.statusProtocolo, 'Autorizada');
  });

  it('is cancelled by its situation, in a wrapper of any name', () => {
    assert.equal(read(`<retorno><lista>${ipm('2')}</lista></retorno>`).statusProtocolo, 'Cancelada');
    assert.equal(read(ipm('2', 'retorno')).digest, read(ipm('1', 'retorno')).digest);
  });
});

describe('a note of a city with names of its own', () => {
  const sigiss = (cancelada = 'N') =>
    `<notafiscal><numero_nf>31</numero_nf><codigo>AB</codigo><data_emissao>2026-03-10</data_emissao><cancelada>${cancelada}</cancelada><valor_nf>5.00</valor_nf><cnpj_cpf_prestador>${PRESTADOR}</cnpj_cpf_prestador><cnpj_cpf_destinatario>${TOMADOR}</cnpj_cpf_destinatario></notafiscal>`;

  it('is read by the names of SigISSWeb, also many in a list', () => {
    const nota = read(sigiss());
    assert.deepEqual(
      [nota.chave, nota.valor, nota.statusProtocolo],
      [`NFSE-0000000-${PRESTADOR}-31~SIGISSWEB`, '5.00', 'Autorizada'],
    );
    assert.deepEqual(partesDe(nota), [`prestador ${PRESTADOR} null`, `tomador ${TOMADOR} null`]);
    assert.equal(read(sigiss('S')).statusProtocolo, 'Cancelada');
    assert.equal(ler(`<notas>${sigiss()}${swap(sigiss(), '>31<', '>32<')}</notas>`).length, 2);
  });

  it('is read by the names of Conam', () => {
    const conam = `<Nota><NumNf>5</NumNf><SerNf>E</SerNf><CodVernf>X</CodVernf><DtEmissao>10/03/2026</DtEmissao><DataCncNf>11/03/2026</DataCncNf><VlNFS>1,50</VlNFS><CpfCnpjPre>${PRESTADOR}</CpfCnpjPre><CpfCnpjTom>${TOMADOR}</CpfCnpjTom></Nota>`;
    const nota = read(conam);
    assert.deepEqual(
      [nota.chave, nota.valor, nota.statusProtocolo],
      [`NFSE-0000000-${PRESTADOR}-5~E.CONAM`, '1.50', 'Cancelada'],
    );
    assert.equal(read(swap(conam, '11/03/2026', '00/00/0000')).statusProtocolo, 'Autorizada');
  });

  it('is read by the names of Equiplano and Infisc', () => {
    const equiplano = `<nfse><nrNfse>8</nrNfse><cdAutenticacao>X</cdAutenticacao><dtEmissaoNfs>2026-03-10T09:30:00</dtEmissaoNfs><isCancelada>true</isCancelada><vlTotalNota>7.00</vlTotalNota><prestador><nrCnpj>${PRESTADOR}</nrCnpj></prestador><tomador><documento><nrDocumento>${TOMADOR}</nrDocumento></documento></tomador></nfse>`;
    const one = read(equiplano);
    assert.deepEqual([one.numero, one.valor, one.statusProtocolo], ['8', '7.00', 'Cancelada']);
    const before = read(swap(equiplano, '<isCancelada>true<', '<isCancelada>false<'));
    assert.deepEqual([before.statusProtocolo, before.digest], ['Autorizada', one.digest]);
    assert.deepEqual(partesDe(one), [`prestador ${PRESTADOR} null`, `tomador ${TOMADOR} null`]);
    const infisc = `<NFS-e><infNFSe versao="1.1"><Id><cNFS-e>1</cNFS-e><nNFS-e>9</nNFS-e><dEmi>2026-03-10</dEmi><hEmi>09:30</hEmi><cancelada>N</cancelada></Id><prest><CNPJ>${PRESTADOR}</CNPJ><xNome>Padaria</xNome></prest><TomS><CNPJ>${TOMADOR}</CNPJ></TomS><total><vtNF>3.00</vtNF></total></infNFSe></NFS-e>`;
    const two = read(infisc);
    const emTeste = (codigo: string) =>
      read(infisc.replace('<cancelada>', `<ambienteEmi>${codigo}</ambienteEmi><cancelada>`)).ambiente;
    assert.deepEqual([two.ambiente, emTeste('1'), emTeste('2')], [1, 1, 2]);
    assert.deepEqual([two.numero, two.valor, two.dataEmissao], ['9', '3.00', '2026-03-10T09:30:00-03:00']);
    assert.deepEqual(partesDe(two), [`prestador ${PRESTADOR} Padaria`, `tomador ${TOMADOR} null`]);
  });

  it('is read as Equiplano answers: a group of the same name inside, parties and cancellation beside that', () => {
    const nota1 = (numero: string, cancelamento = '') =>
      `<nfse><nfse><nrNfs>${numero}</nrNfs><cdAutenticacao>AB12</cdAutenticacao><dtEmissaoNfs>2026-03-10T09:30:00</dtEmissaoNfs><nrRps>4</nrRps><dtEmissaoRps>2026-03-09</dtEmissaoRps><vlTotalNota>70.50</vlTotalNota></nfse><prestador><nrCnpj>${PRESTADOR}</nrCnpj><nrInscricaoMunicipal>9</nrInscricaoMunicipal></prestador><tomador><documento><nrDocumento>${TOMADOR}</nrDocumento></documento><nmTomador>Mercado</nmTomador></tomador>${cancelamento}</nfse>`;
    const answer = (inside: string) =>
      `<es:esConsultarNfseResposta xmlns:es="http://www.equiplano.com.br/esnfs"><listaNfse>${inside}</listaNfse></es:esConsultarNfseResposta>`;
    const cancelamento =
      '<cancelamento><dtCancelamento>2026-03-12T08:00:00</dtCancelamento><dsCancelamento>Erro</dsCancelamento></cancelamento>';
    const notes = ler(answer(nota1('8') + nota1('9', cancelamento))).map(documento);
    assert.deepEqual(
      notes.map((nota) => [nota.chave, nota.valor, nota.dataEmissao, nota.statusProtocolo]),
      [
        [`NFSE-0000000-${PRESTADOR}-8~EQUIPLANO`, '70.50', '2026-03-10T09:30:00-03:00', 'Autorizada'],
        [`NFSE-0000000-${PRESTADOR}-9~EQUIPLANO`, '70.50', '2026-03-10T09:30:00-03:00', 'Cancelada'],
      ],
    );
    for (const nota of notes)
      assert.deepEqual(partesDe(nota), [`prestador ${PRESTADOR} null`, `tomador ${TOMADOR} Mercado`]);
    assert.equal(read(answer(nota1('8', cancelamento))).digest, notes[0]?.digest);
  });

  it('is read by the names of Agili, in the answer to a query, with its situation in a group', () => {
    const agili = (situacao = '<Codigo>1</Codigo>') =>
      `<ConsultarNfseFaixaResposta xmlns="http://www.agili.com.br/nfse_v_1.00.xsd"><ListaNfse><Nfse><Numero>12</Numero><CodigoAutenticidade>AAA</CodigoAutenticidade><DataEmissao>2026-03-10T10:00:00</DataEmissao><SituacaoNfse>${situacao}</SituacaoNfse><IdentificacaoOrgaoGerador><Municipio><CodigoMunicipioIBGE>5103403</CodigoMunicipioIBGE></Municipio></IdentificacaoOrgaoGerador><DeclaracaoPrestacaoServico><IdentificacaoPrestador><CpfCnpj><Cnpj>${PRESTADOR}</Cnpj></CpfCnpj></IdentificacaoPrestador><Rps><IdentificacaoRps><Numero>3</Numero></IdentificacaoRps></Rps><DadosTomador><IdentificacaoTomador><CpfCnpj><Cnpj>${TOMADOR}</Cnpj></CpfCnpj></IdentificacaoTomador><RazaoSocial>Mercado</RazaoSocial></DadosTomador><ListaServico><DadosServico><ValorServico>4.00</ValorServico></DadosServico></ListaServico><ValorServicos>15.00</ValorServicos></DeclaracaoPrestacaoServico></Nfse></ListaNfse></ConsultarNfseFaixaResposta>`;
    const nota = read(agili());
    assert.deepEqual(
      [nota.chave, nota.valor, nota.statusProtocolo, nota.dataEmissao, nota.municipioPrestacao],
      [`NFSE-5103403-${PRESTADOR}-12`, '15.00', 'Autorizada', '2026-03-10T10:00:00-04:00', 5103403],
    );
    assert.deepEqual(partesDe(nota), [`prestador ${PRESTADOR} null`, `tomador ${TOMADOR} Mercado`]);
    for (const situacao of [
      '<Codigo>-2</Codigo><MotivoCancelamento>Erro</MotivoCancelamento>',
      '<Codigo>9</Codigo><Descricao>Cancelada</Descricao>',
    ]) {
      const cancelled = read(agili(situacao));
      assert.deepEqual([cancelled.statusProtocolo, cancelled.digest], ['Cancelada', nota.digest], situacao);
    }
  });

  it('is read by the names of Conam as its service answers, each of many', () => {
    const item = (numero: string, situacao: string) =>
      `<Reg20Item><NumNf>${numero}</NumNf><SerNf>E</SerNf><SitNf>${situacao}</SitNf><MotivoCncNf>${situacao === '2' ? 'Erro' : ''}</MotivoCncNf><DtEmiNf>10/03/2026</DtEmiNf><CodVernf>X</CodVernf><RazSocPre>Padaria</RazSocPre><CpfCnpjPre>${PRESTADOR}</CpfCnpjPre><CpfCnpjTom>${TOMADOR}</CpfCnpjTom><VlNFS>1,50</VlNFS></Reg20Item>`;
    const answer = (inside: string) =>
      `<Sdt_ConsultaNotasProtocoloOut xmlns="NFe"><XML_Notas><Reg20>${inside}</Reg20></XML_Notas></Sdt_ConsultaNotasProtocoloOut>`;
    const notes = ler(answer(item('5', '1') + item('6', '2'))).map(documento);
    assert.deepEqual(
      notes.map((nota) => [nota.chave, nota.statusProtocolo, nota.valor]),
      [
        [`NFSE-0000000-${PRESTADOR}-5~E.CONAM`, 'Autorizada', '1.50'],
        [`NFSE-0000000-${PRESTADOR}-6~E.CONAM`, 'Cancelada', '1.50'],
      ],
    );
    assert.equal(read(answer(item('5', '2'))).digest, notes[0]?.digest);
  });

  it('may have its number and date in the group of the prestador, but no number of a street', () => {
    const group = (numero: string) =>
      `<notaFiscal><dadosPrestador><dataEmissao>10/03/2026</dataEmissao>${numero}<cnpj>${PRESTADOR}</cnpj></dadosPrestador><valorNota>1.00</valorNota><codigoVerificacao>X</codigoVerificacao></notaFiscal>`;
    assert.equal(read(group('<numeroNota>4</numeroNota>')).numero, '4');
    assertRefused(only(ler(group('<numero>99</numero>'))), 'nfse_layout_desconhecido', /o número/);
  });

  it('that cannot be read is refused with its root, namespace and what is missing', () => {
    const lacking = swap(sigiss(), /<cnpj_cpf_prestador>.*<\/cnpj_cpf_prestador>/, '');
    const where = swap(lacking, '<notafiscal>', '<notafiscal xmlns="u:cidade">');
    assertRefused(
      only(ler(where)),
      'nfse_layout_desconhecido',
      /elemento notafiscal, namespace u:cidade.*não foi encontrado o CNPJ ou CPF do prestador\./,
    );
    assertRefused(
      only(ler(swap(sigiss(), /<valor_nf>.*<\/valor_nf>/, ''))),
      'nfse_layout_desconhecido',
      /o valor/,
    );
  });

  it('is not seen in a document of another kind that has a field of such a name', () => {
    assert.equal(
      codeOf(only(ler('<pedido><nota>7</nota><nota>8</nota></pedido>'))),
      'nfse_layout_desconhecido',
    );
    assert.equal(codeOf(only(ler('<pedido><item><a>7</a></item></pedido>'))), 'documento_desconhecido');
  });
});
