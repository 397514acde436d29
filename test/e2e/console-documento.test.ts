/** One document in the console over HTTP: readable view, verdicts, time line, files, purpose; hostile content stays data. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { chaveCheckDigit } from '../../src/fiscal/chave.ts';
import { generateEmpresa } from '../../src/gerador/empresas.ts';
import { generateEvento } from '../../src/gerador/eventos.ts';
import { generateNfe } from '../../src/gerador/nfe.ts';
import {
  type CenarioDeExportacao,
  DOCUMENTOS,
  emitente,
  prepareCenario,
} from '../support/cenario-exportacao.ts';
import { logInToConsole, type Pedinte } from '../support/console.ts';
import { until } from '../support/espera.ts';
import {
  createEscritorio,
  imported,
  importFile,
  type Malote,
  startMalote,
  upload,
} from '../support/malote.ts';

const MEIO_DIA = new Date('2026-03-12T15:00:00Z');
let malote: Malote;
let cenario: CenarioDeExportacao;
let admin: Pedinte;
let doCliente: Pedinte;
let deFora: Pedinte;

before(async () => {
  malote = await startMalote();
  cenario = await prepareCenario(malote, { crm: '51' });
  const { contadorId } = cenario;
  admin = await logInToConsole(malote, { contadorId });
  doCliente = await logInToConsole(malote, {
    contadorId,
    papel: 'cliente',
    clientes: [cenario.destinatario],
  });
  const outro = await createEscritorio(malote.dataFolder, { crm: '52', clientes: [cenario.emitente] });
  deFora = await logInToConsole(malote, { contadorId: outro.contadorId });
});
after(() => malote[Symbol.asyncDispose]());

async function idDe(chave: string, quem: Pedinte = admin): Promise<number> {
  const { body } = await quem.ask(`/documentos?chave=${chave}`);
  assert.ok(body.itens[0], `no document ${chave}`);
  return body.itens[0].id;
}

const file = (path: string, quem: Pedinte = admin) =>
  fetch(`${malote.url}/console/api${path}`, { headers: { cookie: quem.cookie } });

describe('the readable view', () => {
  it('puts into words what the document says, group by group', async () => {
    const { status, body } = await admin.ask(`/documentos/${await idDe(DOCUMENTOS.autorizada.chave)}`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.titulo, 'Nota Fiscal Eletrônica (NF-e)');
    const titulos = body.grupos.map(({ titulo }: { titulo: string }) => titulo);
    for (const titulo of [
      'Identificação',
      'Emitente',
      'Destinatário',
      'Totais',
      'Transporte',
      'Protocolo de autorização',
    ])
      assert.ok(titulos.includes(titulo), `${titulo} in ${titulos.join(', ')}`);
    const campos = body.grupos.flatMap(
      ({ campos }: { campos: { rotulo: string; valor: string }[] }) => campos,
    );
    const valor = (rotulo: string) =>
      campos.find((campo: { rotulo: string }) => campo.rotulo === rotulo)?.valor;
    assert.equal(valor('Tipo de operação'), '1 – Saída');
    assert.match(valor('Frete por conta') ?? '', / – /);
    assert.equal(body.itens.total, 3);
    assert.equal(body.itens.itens[0].numero, 1);
    assert.ok(body.itens.itens[0].campos.some(({ rotulo }: { rotulo: string }) => rotulo === 'Descrição'));
  });

  it('tells the verdicts in words, and the time line from issue to this very access', async () => {
    const id = await idDe(DOCUMENTOS.cancelada.chave);
    const { body } = await admin.ask(`/documentos/${id}`);
    assert.equal(body.status, 'Cancelada');
    assert.equal(body.vereditos.assinatura.resultado, 'integra');
    assert.equal(body.vereditos.protocolo.resultado, 'confere');
    assert.match(body.vereditos.protocolo.detalhe, /Protocolo \d+/);
    const tipos = body.linhaDoTempo.map(({ tipo }: { tipo: string }) => tipo);
    for (const tipo of ['emissao', 'autorizacao', 'evento', 'importacao'])
      assert.ok(tipos.includes(tipo), tipo);
    const evento = body.linhaDoTempo.find(({ tipo }: { tipo: string }) => tipo === 'evento');
    assert.match(evento.titulo, /Cancelamento/i);
    const doEvento = await admin.ask(`/documentos/${evento.documentoId}`);
    assert.equal(doEvento.body.classe, 'evento');
  });

  it('leads from a note to its events with what they say, and back', async () => {
    const id = await idDe(DOCUMENTOS.cancelada.chave);
    const [evento, ...mais] = (await admin.ask(`/documentos/${id}`)).body.eventos;
    assert.deepEqual(mais, []);
    const xml = Buffer.from(DOCUMENTOS.cancelamento.bytes).toString();
    assert.equal(evento.texto, /<xJust>([^<]+)</.exec(xml)?.[1]?.replaceAll('&amp;', '&'));
    assert.deepEqual([evento.cancela, evento.desconsiderado], [true, false]);
    const { body } = await admin.ask(`/documentos/${evento.id}`);
    assert.equal(body.classe, 'evento');
    assert.deepEqual(body.nota, { id, modelo: '55', numero: '2', status: 'Cancelada' });
    assert.deepEqual(body.eventos, []);
    const corrigida = (await admin.ask(`/documentos/${await idDe(DOCUMENTOS.corrigida.chave)}`)).body;
    assert.equal(corrigida.nota, null);
    assert.match(corrigida.eventos[0].texto, /\S/);
    assert.equal(corrigida.eventos[0].cancela, false);
  });

  it('pages the items', async () => {
    const id = await idDe(DOCUMENTOS.autorizada.chave);
    const { body } = await admin.ask(`/documentos/${id}/itens?Pagina=2&Tamanho=2`);
    assert.deepEqual([body.total, body.paginas, body.itens.length, body.itens[0].numero], [3, 2, 1, 3]);
  });

  it('reads an inutilização too', async () => {
    const { body } = await admin.ask(`/documentos/${await idDe(DOCUMENTOS.inutilizacao.chave)}`);
    const campos = body.grupos.flatMap(({ campos }: { campos: { rotulo: string }[] }) => campos);
    assert.ok(campos.some(({ rotulo }: { rotulo: string }) => rotulo === 'Número inicial'));
    assert.equal(body.finalidade, null);
  });
});

describe('its files', () => {
  it('gives the XML byte by byte as an attachment, and notes who took it', async () => {
    const id = await idDe(DOCUMENTOS.corrigida.chave);
    const answer = await file(`/documentos/${id}/xml`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/xml');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(
      answer.headers.get('content-disposition'),
      `attachment; filename="${DOCUMENTOS.corrigida.chave}.xml"`,
    );
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), Buffer.from(DOCUMENTOS.corrigida.bytes));
    let noted: { ato: string; autor: string; nome: string } | undefined;
    await until('the access is noted', async () => {
      const { acessos } = (await admin.ask(`/documentos/${id}`)).body;
      noted = acessos.find(({ ato }: { ato: string }) => ato === 'xml');
      return noted !== undefined;
    });
    assert.equal(noted?.autor, `usuario:${admin.usuarioId}`);
    assert.match(noted?.nome ?? '', /^Pessoa/);
  });

  it('draws a PDF of every kind: DANFE, cancelled, denied, inutilização, NFC-e', async () => {
    for (const documento of [
      DOCUMENTOS.autorizada,
      DOCUMENTOS.cancelada,
      DOCUMENTOS.denegada,
      DOCUMENTOS.inutilizacao,
      DOCUMENTOS.nfce,
    ]) {
      const answer = await file(`/documentos/${await idDe(documento.chave)}/pdf`);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), 'application/pdf');
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.equal(bytes.subarray(0, 5).toString(), '%PDF-');
      assert.match(bytes.subarray(-32).toString('latin1'), /%%EOF/);
    }
  });

  it('opens a PDF to be printed where that is asked for, else gives it to be kept', async () => {
    const id = await idDe(DOCUMENTOS.autorizada.chave);
    const disposicao = async (query: string) =>
      (await file(`/documentos/${id}/pdf${query}`)).headers.get('content-disposition') ?? '';
    assert.match(await disposicao(''), /^attachment; filename="[0-9A-Z]{44}\.pdf"$/);
    assert.match(await disposicao('?abrir=true'), /^inline; filename="[0-9A-Z]{44}\.pdf"$/);
  });
});

describe('two versions of one key', () => {
  it('are both there, side by side with what they say differently', async () => {
    const { token } = cenario;
    const outra = Buffer.from(
      DOCUMENTOS.ultima.bytes
        .toString()
        .replace(/<natOp>[^<]*</, '<natOp>Outra natureza<')
        .replace(/<DigestValue>[^<]*</, `<DigestValue>${Buffer.alloc(20, 7).toString('base64')}<`),
    );
    const id = await upload(malote, { token, bytes: outra, extension: '.xml' });
    assert.equal((await imported(malote, { token, id })).status, 'Com Erro');
    const documento = await idDe(DOCUMENTOS.ultima.chave);
    const { body } = await admin.ask(`/documentos/${documento}`);
    assert.equal(body.conflito, true);
    const versao = body.versoes.find(({ servida }: { servida: boolean }) => !servida);
    const natureza = versao.diferencas.find(
      ({ campo }: { campo: string }) => campo === 'Natureza da operação',
    );
    assert.equal(natureza.outra, 'Outra natureza');
    const answer = await file(`/documentos/${documento}/versoes/${versao.id}/xml`);
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), outra);
    assert.equal((await file(`/documentos/${documento}/versoes/999999/xml`)).status, 404);
  });
});

describe('an NFS-e under the composed key of its city and under its national key', () => {
  const NUMERO = '2205';
  const nacionalDe = (emitente: string, mes: string, numero = NUMERO) => {
    const corpo = `330455712${emitente}${numero.padStart(13, '0')}${mes}123456789`;
    return corpo + chaveCheckDigit(corpo);
  };
  interface Nota {
    numero?: string;
    mais?: string;
    tomador?: string;
  }
  const daCidade = (emitente: string, { numero = NUMERO, mais = '', tomador }: Nota = {}) =>
    `<CompNfse xmlns="http://www.abrasf.org.br/nfse.xsd"><Nfse><InfNfse><Numero>${numero}</Numero><CodigoVerificacao>AB</CodigoVerificacao><DataEmissao>2026-03-10T09:30:00</DataEmissao><Servico><Valores><ValorServicos>90.00</ValorServicos></Valores></Servico><PrestadorServico><IdentificacaoPrestador><Cnpj>${emitente}</Cnpj></IdentificacaoPrestador></PrestadorServico>${tomador ? `<TomadorServico><IdentificacaoTomador><CpfCnpj><Cnpj>${tomador}</Cnpj></CpfCnpj></IdentificacaoTomador></TomadorServico>` : ''}<OrgaoGerador><CodigoMunicipio>3304557</CodigoMunicipio></OrgaoGerador></InfNfse></Nfse>${mais}</CompNfse>`;
  const nacional = (
    emitente: string,
    { mes, dia, numero = NUMERO, tomador }: Nota & { mes: string; dia: string },
  ) =>
    `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"><infNFSe Id="NFS${nacionalDe(emitente, mes, numero)}"><nNFSe>${numero}</nNFSe><tpEmis>2</tpEmis><cStat>100</cStat><dhProc>${dia}T10:00:00-03:00</dhProc><emit><CNPJ>${emitente}</CNPJ></emit><DPS versao="1.01"><infDPS><tpAmb>1</tpAmb><dhEmi>${dia}T09:30:00-03:00</dhEmi><serie>1</serie><tpEmit>1</tpEmit><prest><CNPJ>${emitente}</CNPJ></prest>${tomador ? `<toma><CNPJ>${tomador}</CNPJ></toma>` : ''}</infDPS></DPS></infNFSe></NFSe>`;
  const cancelamentoNacional = (emitente: string, chave: string) =>
    `<evento xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"><infEvento Id="EVT${chave}101101001"><nSeqEvento>1</nSeqEvento><dhProc>2026-04-02T10:00:05-03:00</dhProc><pedRegEvento versao="1.01"><infPedReg><tpAmb>1</tpAmb><dhEvento>2026-04-02T10:00:00-03:00</dhEvento><CNPJAutor>${emitente}</CNPJAutor><chNFSe>${chave}</chNFSe><e101101><xDesc>Cancelamento de NFS-e</xDesc></e101101></infPedReg></pedRegEvento></infEvento></evento>`;
  const enviar = async (xml: string) => {
    const { token } = cenario;
    const id = await upload(malote, { token, bytes: Buffer.from(xml), extension: '.xml' });
    assert.equal((await imported(malote, { token, id })).status, 'Uploaded');
  };
  const mesmaNota = async (chave: string) => {
    const { body } = await admin.ask(`/documentos/${await idDe(chave)}`);
    return body.mesmaNota;
  };

  it('is told to be the same on both pages, with how the other one stands, and no other note is', async () => {
    const { emitente } = cenario;
    const municipal = `NFSE-3304557-${emitente}-${NUMERO}`;
    const mais =
      '<NfseCancelamento><Confirmacao><DataHora>2026-03-12T08:00:00</DataHora></Confirmacao></NfseCancelamento>';
    await enviar(daCidade(emitente, { mais }));
    await enviar(daCidade(emitente, { numero: '92205' }));
    await enviar(nacional(emitente, { mes: '2603', dia: '2026-03-10' }));
    await enviar(nacional(emitente, { mes: '2503', dia: '2025-03-10' }));
    const chave = nacionalDe(emitente, '2603');
    // The city's own text says that it was cancelled: told on both, as something that is only declared.
    assert.deepEqual(await mesmaNota(municipal), [
      { id: await idDe(chave), chave, status: 'Cancelada', layoutNacional: true, soCancelamento: false },
    ]);
    assert.deepEqual(await mesmaNota(chave), [
      {
        id: await idDe(municipal),
        chave: municipal,
        status: 'Cancelada',
        layoutNacional: false,
        soCancelamento: false,
      },
    ]);
    assert.deepEqual(await mesmaNota(nacionalDe(emitente, '2503')), [], 'the numbers of cities begin anew');
    assert.deepEqual(await mesmaNota(municipal.replace(NUMERO, '92205')), []);
    assert.deepEqual(await mesmaNota(DOCUMENTOS.autorizada.chave), []);
  });

  it('is not told to be the same where the tomador is another: who leaves his city’s system numbers anew', async () => {
    const { emitente } = cenario;
    const numero = '12';
    await enviar(daCidade(emitente, { numero, tomador: '11222333000181' }));
    await enviar(
      nacional(emitente, { numero, mes: '2603', dia: '2026-03-28', tomador: cenario.destinatario }),
    );
    assert.deepEqual(await mesmaNota(`NFSE-3304557-${emitente}-${numero}`), []);
    assert.deepEqual(await mesmaNota(nacionalDe(emitente, '2603', numero)), []);
  });

  it('is told to be cancelled under its other key where the note itself has not come under that', async () => {
    const { emitente } = cenario;
    const numero = '13';
    const municipal = `NFSE-3304557-${emitente}-${numero}`;
    await enviar(daCidade(emitente, { numero }));
    await enviar(cancelamentoNacional(emitente, nacionalDe(emitente, '2605', numero)));
    assert.deepEqual(await mesmaNota(municipal), [], 'it cancels a note of another month');
    const chave = nacionalDe(emitente, '2603', numero);
    await enviar(cancelamentoNacional(emitente, chave));
    const [cancelada, outra] = await mesmaNota(municipal);
    assert.deepEqual(
      [cancelada.chave, cancelada.status, cancelada.soCancelamento, outra],
      [chave, 'Cancelada', true, undefined],
    );
    const { body } = await admin.ask(`/documentos/${cancelada.id}`);
    assert.deepEqual([body.classe, body.chave], ['evento', chave]);
    await enviar(nacional(emitente, { numero, mes: '2603', dia: '2026-03-10' }));
    const depois = await mesmaNota(municipal);
    assert.deepEqual(
      depois.map(({ status, soCancelamento }: { status: string; soCancelamento: boolean }) => [
        status,
        soCancelamento,
      ]),
      [['Cancelada', false]],
    );
  });
});

describe('one of two versions that contradict each other', () => {
  it('is chosen where it is proven as well as the other, and told so', async () => {
    const id = await idDe(DOCUMENTOS.ultima.chave);
    const { body } = await admin.ask(`/documentos/${id}`);
    const outra = body.versoes.find(({ servida }: { servida: boolean }) => !servida);
    assert.equal(outra.podeEscolher, false, 'it was altered after signing');
    const answer = await admin.ask(`/documentos/${id}/versoes/${outra.id}/escolher`, {
      method: 'POST',
      json: { motivo: 'é a que o cliente mandou' },
    });
    assert.equal(answer.body.codigo, 'versao_mais_fraca');
  });
});

describe('the purpose', () => {
  it('is set for the document and for single items, and refused for items that are not there', async () => {
    const id = await idDe(DOCUMENTOS.autorizada.chave, doCliente);
    const put = (json: unknown) => doCliente.ask(`/documentos/${id}/finalidade`, { method: 'PUT', json });
    const { status, body } = await put({
      finalidade_aquisicao: 'UsoConsumo',
      itens: [{ numero: 2, finalidade_aquisicao: 'AtivoImobilizado' }],
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.itens.map((item: { finalidade_aquisicao: string }) => item.finalidade_aquisicao),
      ['UsoConsumo', 'AtivoImobilizado', 'UsoConsumo'],
    );
    assert.equal((await put({})).status, 400);
    assert.equal(
      (await put({ itens: [{ numero: 9, finalidade_aquisicao: 'Revenda' }] })).body.codigo,
      'dados_invalidos',
    );
    assert.equal((await put({ finalidade_aquisicao: 'Nenhuma' })).status, 400);
    const listed = await doCliente.ask(`/documentos?chave=${DOCUMENTOS.autorizada.chave}`);
    assert.deepEqual(listed.body.itens[0].finalidade, { codigo: 'UsoConsumo', origem: 'informada' });
    // Who looks at the office sees whose purchase it is, and who looks at the seller none.
    assert.equal((await admin.ask(`/documentos/${id}`)).body.finalidade.finalidade_aquisicao, 'UsoConsumo');
    const doVendedor = `/documentos/${id}?cliente=${cenario.emitente}`;
    assert.equal((await admin.ask(doVendedor)).body.finalidade, null);
    const recusado = await admin.ask(doVendedor.replace('?', '/finalidade?'), {
      method: 'PUT',
      json: { finalidade_aquisicao: 'Revenda' },
    });
    assert.equal(recusado.status, 404);
  });

  it('is set for many at once, in one request, and of those only that the session sees', async () => {
    const ids = await Promise.all(
      [DOCUMENTOS.autorizada, DOCUMENTOS.corrigida].map(({ chave }) => idDe(chave, doCliente)),
    );
    const nfce = await idDe(DOCUMENTOS.nfce.chave);
    const put = (quem: Pedinte, json: object) => quem.ask('/documentos/finalidade', { method: 'PUT', json });
    const finalidade_aquisicao = 'Industrializacao';
    const mixed = await put(doCliente, { ids: [...ids, ...ids, nfce, 999_999], finalidade_aquisicao });
    assert.deepEqual([mixed.status, mixed.body], [200, { mudados: 2, ignorados: [nfce, 999_999] }]);
    assert.deepEqual((await put(deFora, { ids, finalidade_aquisicao: 'Outras' })).body, {
      mudados: 0,
      ignorados: ids,
    });
    const { itens } = (await doCliente.ask(`/documentos?finalidade=${finalidade_aquisicao}`)).body;
    const informed = itens.filter(
      (one: { finalidade: { origem: string } }) => one.finalidade.origem === 'informada',
    );
    assert.deepEqual(informed.map(({ id }: { id: number }) => id).sort(), [...ids].sort());
    assert.equal((await put(admin, { ids: [], finalidade_aquisicao })).status, 400);
    assert.equal((await put(admin, { ids: Array(501).fill(1), finalidade_aquisicao })).status, 400);
    assert.equal((await put(admin, { ids, finalidade_aquisicao: 'Nenhuma' })).status, 400);
  });
});

describe('who may see it', () => {
  it('is the office of the document, and of papel cliente only a party of it', async () => {
    const nfce = await idDe(DOCUMENTOS.nfce.chave);
    const nota = await idDe(DOCUMENTOS.autorizada.chave);
    for (const path of ['', '/itens', '/xml', '/pdf', '/versoes/1/xml']) {
      for (const [quem, id] of [
        [deFora, nota],
        [doCliente, nfce],
        [admin, 999_999],
      ] as const) {
        const { status, body } = await quem.ask(`/documentos/${id}${path}`);
        assert.equal(status, 404, `${path} ${id}`);
        assert.equal(body.codigo, 'documento_nao_encontrado');
      }
    }
    const put = await deFora.ask(`/documentos/${nota}/finalidade`, {
      method: 'PUT',
      json: { finalidade_aquisicao: 'Revenda' },
    });
    assert.equal(put.status, 404);
    const { body } = await doCliente.ask(`/documentos/${nota}`);
    assert.deepEqual(
      body.clientes.map(({ cpfCnpj }: { cpfCnpj: string }) => cpfCnpj),
      [cenario.destinatario],
      'nobody else of the office is named',
    );
  });
});

describe('hostile content', () => {
  it('is shown as the text that it is, and drawn without harm', async () => {
    const emitente = generateEmpresa('emitente', { perfil: 'industria', uf: 'SP' });
    const nota = generateNfe({
      semente: 'hostil',
      emitente,
      destinatario: null,
      modelo: '65',
      serie: 3,
      numero: 1,
      emissao: new Date(Date.UTC(2026, 2, 20, 15)),
      itens: 1,
    });
    const nome = '"><script>alert(1)</script> =cmd|calc \u202e\u{1f600}'.slice(0, 55);
    const escaped = nome.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const bytes = Buffer.from(nota.bytes.toString().replace(/<natOp>[^<]*</, `<natOp>${escaped}<`));
    const { token } = cenario;
    await imported(malote, { token, id: await upload(malote, { token, bytes, extension: '.xml' }) });
    const id = await idDe(nota.chave);
    const { body, headers } = await admin.ask(`/documentos/${id}`);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    const campos = body.grupos.flatMap(
      ({ campos }: { campos: { rotulo: string; valor: string }[] }) => campos,
    );
    const natureza = campos.find(({ rotulo }: { rotulo: string }) => rotulo === 'Natureza da operação');
    assert.equal(natureza.valor, nome.trim());
    assert.equal(body.vereditos.assinatura.resultado, 'alterada');
    assert.equal((await file(`/documentos/${id}/pdf`)).status, 200);
  });
});

describe('a cancellation that nothing proves', () => {
  const post = (id: number, verbo: string, json: unknown = { motivo: 'não reconhecemos este evento' }) =>
    admin.ask(`/documentos/${id}/${verbo}`, { method: 'POST', json });

  /** Anybody can write it: it has SEFAZ's answer, and no signature. */
  function notaComCancelamentoSemAssinatura() {
    const nota = generateNfe({
      semente: 'afastada',
      emitente,
      destinatario: generateEmpresa('de-longe', { perfil: 'comercio', uf: 'SP' }),
      modelo: '55',
      serie: 77,
      numero: 1,
      emissao: MEIO_DIA,
      itens: 1,
    });
    const { xml } = generateEvento({
      semente: 'nao-provado',
      codigo: '110111',
      chave: nota.chave,
      autor: emitente,
      em: MEIO_DIA,
      nProt: nota.protocolo?.nProt ?? null,
    });
    const cancelamento = xml.replace(/<Signature[\s\S]*<\/Signature>/, '');
    assert.notEqual(cancelamento, xml);
    return { nota, cancelamento };
  }

  it('is said to be only declared, can be set aside with a reason, and taken back', async () => {
    const { nota, cancelamento } = notaComCancelamentoSemAssinatura();
    const { token } = cenario;
    await importFile(malote, { token, bytes: Buffer.from(nota.xml), extension: '.xml' });
    await importFile(malote, { token, bytes: Buffer.from(cancelamento), extension: '.xml' });
    const id = await idDe(nota.chave);
    const aberto = async () => (await admin.ask(`/documentos/${id}`)).body;
    const { linhaDoTempo, vereditos } = await aberto();
    const passo = linhaDoTempo.find(
      ({ tipo, titulo }: { tipo: string; titulo: string }) =>
        tipo === 'evento' && /^Cancelamento/.test(titulo),
    );
    assert.match(passo.detalhe, /só declarado/);
    assert.ok(vereditos.prova.partes.some(({ nome }: { nome: string }) => nome === 'Titular'));
    const evento = passo.documentoId;
    assert.equal((await admin.ask(`/documentos/${evento}`)).body.podeDesconsiderar, true);
    assert.equal((await post(evento, 'desconsiderar', { motivo: 'ah' })).body.codigo, 'dados_invalidos');
    assert.equal((await post(evento, 'desconsiderar')).status, 204);
    assert.equal((await aberto()).status, 'Autorizada');
    assert.equal((await post(evento, 'desconsiderar')).body.codigo, 'nada_a_mudar');
    assert.equal((await post(evento, 'reconsiderar')).status, 204);
    assert.equal((await aberto()).status, 'Cancelada');
    const { itens } = (await admin.ask('/auditoria?ato=cancelamento')).body;
    assert.deepEqual(
      itens.map(({ ato }: { ato: string }) => ato),
      ['cancelamento.reconsiderado', 'cancelamento.desconsiderado'],
    );
  });
});
