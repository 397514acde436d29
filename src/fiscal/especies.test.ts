/** What is not ours is named in one sentence that says what to send instead. @fonte docs/regras.md, kinds, uploads */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chaveDe, NS } from './amostras-de-teste.ts';
import { codeOf, ler, only, readBytes, rejeitada } from './leitura-de-teste.ts';

const SOAP = 'http://www.w3.org/2003/05/soap-envelope';
const portal = (name: string) => ` xmlns="http://www.portalfiscal.inf.br/${name}"`;
const fault = (inside: string) =>
  `<s:Envelope xmlns:s="${SOAP}"><s:Body><s:Fault>${inside}</s:Fault></s:Body></s:Envelope>`;
const efd = (line: string) => `${line}\r\n|0001|0|\r\n`;

const CASES: [string, string | Uint8Array, string, RegExp][] = [
  ['MDF-e', `<mdfeProc${portal('mdfe')}><MDFe/></mdfeProc>`, 'documento_nao_suportado', /^MDF-e/],
  ['its event', `<procEventoMDFe${portal('mdfe')}/>`, 'documento_nao_suportado', /^Evento de MDF-e/],
  [
    'NFTS',
    '<RetornoConsultaNFTS><NFTS><ValorServicos>1.00</ValorServicos></NFTS></RetornoConsultaNFTS>',
    'documento_nao_suportado',
    /^NFTS/,
  ],
  ['BP-e', `<bpeProc${portal('bpe')}/>`, 'documento_nao_suportado', /^BP-e/],
  ['BP-e TM', `<BPeTM${portal('bpe')}/>`, 'documento_nao_suportado', /^BP-e/],
  ['NF3e', `<NF3eProc${portal('nf3e')}/>`, 'mensagem_sem_documento', /^NF3e/],
  ['NFCom', `<NFComProc${portal('nfcom')}/>`, 'mensagem_sem_documento', /^NFCom/],
  ['DC-e', `<dceProc${portal('dce')}/>`, 'documento_nao_suportado', /^DC-e/],
  ['NFGas', `<NFGas${portal('nfgas')}/>`, 'mensagem_sem_documento', /^NFGas/],
  ['NFAg', `<NFAg${portal('nfag')}/>`, 'mensagem_sem_documento', /^NFAg/],
  ['eSocial', '<eSocial xmlns="u:e"><evtRemun/></eSocial>', 'documento_nao_suportado', /eSocial/],
  ['EFD-Reinf', '<Reinf xmlns="u:r"><evtTotal/></Reinf>', 'documento_nao_suportado', /EFD-Reinf/],
  [
    'EFD ICMS/IPI',
    efd('|0000|017|0|01012026|31012026|EMPRESA|31313131000199|'),
    'sped_nao_aceito',
    /EFD ICMS\/IPI/,
  ],
  [
    'EFD-Contribuições',
    efd('|0000|006|0|||01012026|31012026|EMPRESA|31313131000199|'),
    'sped_nao_aceito',
    /EFD-Contribuições/,
  ],
  ['ECD', efd('|0000|LECD|01012025|31122025|EMPRESA|'), 'sped_nao_aceito', /ECD \(escrituração contábil\)/],
  ['ECF', efd('|0000|LECF|0011|31313131000199|EMPRESA|'), 'sped_nao_aceito', /ECF/],
  ['another SPED', efd('|0000|outro|'), 'sped_nao_aceito', /EFD, ECD ou ECF/],
  ['CNAB 400', `02RETORNO01COBRANCA${' '.repeat(381)}\r\n`, 'arquivo_bancario', /CNAB ou OFX/],
  ['OFX', 'OFXHEADER:100\r\n', 'arquivo_bancario', /CNAB ou OFX/],
  [
    'a query',
    `<consSitNFe${NS}><chNFe>${chaveDe()}</chNFe></consSitNFe>`,
    'mensagem_sem_documento',
    /Pedido de consulta/,
  ],
  ['a distribution request', `<distDFeInt${NS}/>`, 'mensagem_sem_documento', /Pedido de distribuição/],
  ['an event request', `<envEvento${NS}/>`, 'mensagem_sem_documento', /Lote de eventos/],
  [
    'a SOAP 1.1 fault',
    fault('<faultstring>caiu</faultstring>'),
    'mensagem_sem_documento',
    /SOAP Fault.*caiu/,
  ],
  [
    'a SOAP 1.2 fault',
    fault('<Reason><Text>caiu</Text></Reason>'),
    'mensagem_sem_documento',
    /SOAP Fault.*caiu/,
  ],
  [
    'the fault of a city, ABRASF',
    '<GerarNfseResposta><ListaMensagemRetorno><MensagemRetorno><Codigo>E182</Codigo><Mensagem>Erro na autenticação.</Mensagem><Correcao/></MensagemRetorno></ListaMensagemRetorno></GerarNfseResposta>',
    'mensagem_sem_documento',
    /Resposta de NFS-e .*Resposta: \[E182\] Erro na autenticação\.$/,
  ],
  [
    'the fault of a city, São Paulo',
    '<RetornoConsulta xmlns="http://www.prefeitura.sp.gov.br/nfe"><Cabecalho xmlns=""><Sucesso>false</Sucesso></Cabecalho><Erro xmlns=""><Codigo>1102</Codigo><Descricao>Sem acesso.</Descricao></Erro></RetornoConsulta>',
    'mensagem_sem_documento',
    /Resposta de NFS-e .*Resposta: \[1102\] Sem acesso\.$/,
  ],
  [
    'the answer to a cancellation that names no note, Ginfes',
    '<ns2:CancelarNfseResposta xmlns:ns2="u"><ns2:Sucesso>true</ns2:Sucesso><ns2:DataHora>2026-03-16T08:00:00</ns2:DataHora></ns2:CancelarNfseResposta>',
    'mensagem_sem_documento',
    /pedido de cancelamento de NFS-e .* baixado de novo/,
  ],
  [
    'the answer to a cancellation, DSF',
    '<n:RetornoCancelamentoNFSe xmlns:n="u"><NotasCanceladas><Nota><NumeroNota>77</NumeroNota></Nota></NotasCanceladas></n:RetornoCancelamentoNFSe>',
    'mensagem_sem_documento',
    /pedido de cancelamento de NFS-e .* baixado de novo/,
  ],
  [
    'a fault under the name of a note, IPM',
    '<nfse><mensagem><erro>[00132] Senha inválida</erro></mensagem></nfse>',
    'mensagem_sem_documento',
    /Resposta: \[00132\] Senha inválida\.$/,
  ],
  [
    'a request under the name of a note, SmarAPD',
    '<tbnfd><nfd><numeronfd>0</numeronfd><inscricaomunicipalemissor>4718405</inscricaomunicipalemissor><dataemissao>10/03/2026</dataemissao><cpfcnpjtomador>42424242000161</cpfcnpjtomador></nfd></tbnfd>',
    'mensagem_sem_documento',
    /Pedido de NFS-e no layout SmarAPD/,
  ],
  ['HTML', '<html><body>502 Bad Gateway</body></html>', 'html_no_lugar_do_xml', /HTML/],
  ['HTML with a doctype', '<!doctype html>\n<title>Erro</title>', 'html_no_lugar_do_xml', /HTML/],
  [
    'XHTML with a public doctype',
    '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "u"><html xmlns="u"/>',
    'html_no_lugar_do_xml',
    /HTML/,
  ],
  ['a PDF named .xml', '%PDF-1.4', 'pdf_no_lugar_do_xml', /PDF/],
  ['a photograph', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), 'imagem_no_lugar_do_xml', /imagem/],
  [
    'an old Office file',
    Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
    'planilha_no_lugar_do_xml',
    /Office/,
  ],
  ['an empty file', '', 'arquivo_vazio', /não tem conteúdo/],
  ['JSON of something else', '{"nome":"x"}', 'json_nao_aceito', /JSON/],
  ['RAR', 'Rar!\u001a\u0007\u0000', 'compactado_nao_aceito', /RAR/],
];

describe('what is not ours', () => {
  for (const [what, content, codigo, says] of CASES) {
    it(`is named for what it is: ${what}`, () => {
      const { rejeicao } = rejeitada(only(typeof content === 'string' ? ler(content) : readBytes(content)));
      assert.equal(rejeicao.codigo, codigo);
      assert.match(rejeicao.mensagem, says);
      assert.match(rejeicao.mensagem, /envi(?:e|á-l)/i, 'says what to send');
    });
  }
});

describe('a list of keys', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, i) => chaveDe({ numero: String(i + 1) }));

  it('may have many thousands of them', () => {
    const pieces = ler(keys(6_000).join('\r\n'), 'chaves.txt');
    assert.equal(pieces.length, 6_000);
    assert.ok(pieces.every(({ resultado }) => resultado === 'esperado'));
  });

  it('may stand as a column of a table, below a heading and above a sum', () => {
    const [one = '', two = ''] = keys(2);
    for (const text of [
      `Chave;Valor\r\n${one};10,00\r\n"${two}";"20,00"\r\nTotal;30,00\r\n`,
      `1\t'${one}\tok\n2\tNFe${two}\tok\n`,
      `Bom dia, seguem as chaves:\n\n${one.replace(/(.{4})/g, '$1 ')}\n${two}\n`,
      `1) ${one}\n2 - ${two}\n`,
      `${one} ${two}`,
      `Bom dia,\nseguem:\nChave: ${one}\nhttps://www.sefaz.example/qrcode?p=${two}|2|1|1|AB\nObrigada,\nMaria\n`,
    ])
      assert.deepEqual(
        ler(text, 'chaves.csv').map((piece) => piece.resultado === 'esperado' && piece.chave),
        [one, two],
      );
    assert.deepEqual(ler(`${one}\n${two.slice(1)}\n`).map(codeOf), ['esperado', 'chave_invalida']);
    // Among words a number with as many digits is a key only if its check digit holds.
    const [other] = ler(`Boleto: ${one.slice(0, -1)}${(Number(one.slice(-1)) + 1) % 10}\n`, 'a.txt');
    assert.notEqual(other?.especie, 'Chave');
  });

  it('that a spreadsheet has rounded is told for what it is', () => {
    const [one = ''] = keys(1);
    const piece = rejeitada(ler(`${one}\n3,52603E+43\n`, 'chaves.txt')[1]);
    assert.match(piece.rejeicao.mensagem, /Linha 2: a planilha trocou a chave por um número arredondado/);
  });

  it('takes no key of a national NFS-e, which nobody could be shown as missing', () => {
    const nfse = `3550308${'2'}2${'31313131000199'}${'0'.repeat(12)}7${'2603'}${'1'.repeat(10)}`;
    assert.equal(nfse.length, 50);
    const { rejeicao } = rejeitada(only(ler(`${nfse}\n`, 'chaves.txt')));
    assert.equal(rejeicao.codigo, 'documento_nao_suportado');
    assert.match(rejeicao.mensagem, /Linha 1: .*chave de NFS-e \(50 posições\).*Envie o XML/);
    assert.deepEqual(ler(`${chaveDe()}\n${nfse}`).map(codeOf), ['esperado', 'documento_nao_suportado']);
  });
});
