import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  chaveDe,
  eventoXml,
  NS,
  nota,
  procEvento,
  processada,
  protocolo,
  retInut,
  withWrongDigit,
} from './amostras-de-teste.ts';
import { codeOf, ler, only, readBytes, rejeitada } from './leitura-de-teste.ts';
import { IGNORADOS, REJEICOES } from './rejeicoes.ts';
import { notaTxt } from './txt/amostras-de-teste.ts';

const SEGUNDA = chaveDe({ numero: '43' });
const soap = (inside: string) =>
  `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><nfeResultMsg>${inside}</nfeResultMsg></s:Body></s:Envelope>`;

/** One file for every reason to refuse, under the name of its code. */
const RECUSADOS: Record<keyof typeof REJEICOES, string | Uint8Array> = {
  arquivo_vazio: '',
  html_no_lugar_do_xml: '<!DOCTYPE html><html></html>',
  pdf_no_lugar_do_xml: '%PDF-1.7',
  imagem_no_lugar_do_xml: Uint8Array.of(0x89, 0x50, 0x4e, 0x47),
  sped_nao_aceito: '|0000|017|0|01012026|31012026|EMPRESA|',
  compactado_nao_aceito: 'Rar!\u001a\u0007\u0000',
  compactado_invalido: Uint8Array.of(0x1f, 0x8b, 8, 0),
  compactado_grande_demais: new Uint8Array(gzipSync(new Uint8Array(10_000_001))),
  json_nao_aceito: '{"LoteDFe":[]}',
  arquivo_bancario: 'OFXHEADER:100\nDATA:OFXSGML',
  planilha_no_lugar_do_xml: '{\\rtf1 nota}',
  conteudo_nao_reconhecido: 'olá',
  pecas_demais: '<a/>'.repeat(5_002),
  xml_mal_formado: '<NFe><infNFe></NFe>',
  doctype_proibido: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  xml_elementos_demais: `<r>${'<a/>'.repeat(500_001)}</r>`,
  xml_profundo_demais: '<a>'.repeat(200) + '</a>'.repeat(200),
  xml_atributos_demais: `<a ${Array.from({ length: 600 }, (_, i) => `b${i}=""`).join(' ')}/>`,
  xml_namespaces_demais: `<a xmlns="u:${'u'.repeat(9_000)}"/>`,
  nfse_sem_prestador:
    '<DsExportarNotaFiscal><TbNotasFiscais><NumeroNF>77</NumeroNF><DtEmissao>2026-03-10</DtEmissao><ValorTotal>1.00</ValorTotal></TbNotasFiscais></DsExportarNotaFiscal>',
  documento_nao_suportado: '<mdfeProc><MDFe/></mdfeProc>',
  documento_desconhecido: '<pedido/>',
  mensagem_sem_documento: `<consSitNFe${NS}/>`,
  evento_sem_registro: eventoXml({ resposta: '' }),
  inutilizacao_sem_registro: `<inutNFe${NS}><infInut/></inutNFe>`,
  txt_mal_formado: 'NOTAFISCAL|1|\nB|35|',
  txt_sem_chave: notaTxt({ cNF: '' }),
  nfe_sem_infnfe: `<enviNFe${NS}><NFe/></enviNFe>`,
  cte_sem_infcte: '<cteProc><CTe/></cteProc>',
  cfe_sem_infcfe: '<CFe/>',
  cfe_sem_chave: '<CFe><infCFe versaoDadosEnt="0.07"/></CFe>',
  namespace_invalido: nota({ ns: ' xmlns="http://exemplo.invalid/"' }),
  elemento_repetido: processada(nota() + nota()),
  chave_ausente: nota({ id: '' }),
  chave_invalida: nota({ id: ' Id="NFe1"' }),
  nfse_layout_desconhecido: '<nfd><numeronfd>7</numeronfd></nfd>',
  numero_nfse_invalido: '<CompNfse><Nfse><InfNfse><Numero>x</Numero></InfNfse></Nfse></CompNfse>',
  chave_com_dv_invalido: nota({ chave: withWrongDigit(chaveDe()) }),
  modelo_nao_suportado: procEvento({ chave: chaveDe({ modelo: '58' }) }),
  ambiente_invalido: nota().replace('<tpAmb>1</tpAmb>', ''),
  emitente_ausente: nota({ emit: '' }),
  emitente_invalido: nota({ emit: '<emit><CNPJ>1</CNPJ></emit>' }),
  data_emissao_ausente: nota({ data: '' }),
  data_emissao_invalida: nota({ data: '<dEmi>x</dEmi>' }),
  protocolo_de_outra_chave: processada(nota() + protocolo({ chave: SEGUNDA })),
  rejeitada_pela_sefaz: processada(nota() + protocolo({ cStat: '204' })),
  tipo_evento_invalido: procEvento({ codigo: 'x' }),
  evento_rejeitado_pela_sefaz: procEvento({ cStat: '573' }),
  inutilizacao_nao_homologada: retInut({ cStat: '256' }),
  numeracao_invalida: retInut({ ini: '9', fin: '1' }),
};

describe('the catalogue of rejections', () => {
  for (const [codigo, content] of Object.entries(RECUSADOS)) {
    it(codigo, () => {
      const piece = rejeitada(only(typeof content === 'string' ? ler(content) : readBytes(content)));
      assert.equal(piece.rejeicao.codigo, codigo);
      assert.match(piece.rejeicao.mensagem, /^[A-ZÀ-Ú"].*[.!]$/s);
    });
  }

  it('says one sentence of each', () => {
    for (const text of [...Object.values(REJEICOES), ...Object.values(IGNORADOS)])
      assert.match(text, /^[A-Z].*\.$/);
  });
});

describe('what is no document', () => {
  const named: [string, string, RegExp][] = [
    [`<CTeOS/>`, 'cte_sem_infcte', /infCte/],
    [`<CFe/>`, 'cfe_sem_infcfe', /infCFe/],
    [`<procCancNFe${NS}/>`, 'evento_sem_registro', /procCancNFe/],
    [`<cancNFe${NS}><infCanc/></cancNFe>`, 'evento_sem_registro', /cancNFe/],
    [`<retCancNFe${NS}/>`, 'mensagem_sem_documento', /cancelamento vazia/],
    [
      `<retDistDFeInt${NS}><cStat>137</cStat></retDistDFeInt>`,
      'mensagem_sem_documento',
      /distribuição sem documentos/,
    ],
    [`<bpeProc/>`, 'documento_nao_suportado', /^BP-e/],
    [`<NF3e/>`, 'mensagem_sem_documento', /^NF3e/],
    [`<nfcomProc/>`, 'mensagem_sem_documento', /^NFCom/],
    [`<DCe/>`, 'documento_nao_suportado', /^DC-e/],
    [`<eSocial/>`, 'documento_nao_suportado', /eSocial/],
    [`<Reinf/>`, 'documento_nao_suportado', /Reinf/],
    [`<DPS xmlns="http://www.sped.fazenda.gov.br/nfse"><infDPS/></DPS>`, 'mensagem_sem_documento', /DPS/],
    [`<EnviarLoteRpsEnvio><LoteRps/></EnviarLoteRpsEnvio>`, 'mensagem_sem_documento', /Pedido de NFS-e/],
    [`<Rps/>`, 'mensagem_sem_documento', /^RPS/],
    [
      `<RetornoConsultaLote><ListaNFSe><ConsultaNFSe><NumeroNFe>1</NumeroNFe></ConsultaNFSe></ListaNFSe></RetornoConsultaLote>`,
      'mensagem_sem_documento',
      /só o resumo das notas/,
    ],
    [
      `<nfse><nf><valor_total>1,00</valor_total></nf><prestador><cidade>1</cidade></prestador></nfse>`,
      'mensagem_sem_documento',
      /layout IPM/,
    ],
    [
      `<nfd xmlns="u:cidade"><recibo/></nfd>`,
      'nfse_layout_desconhecido',
      /elemento nfd, namespace u:cidade.*não foi encontrado o número/,
    ],
    [`<CompNfse><Nfse/></CompNfse>`, 'mensagem_sem_documento', /NFS-e vazia/],
    [`<pedRegEvento/>`, 'evento_sem_registro', /pedRegEvento/],
    [`<enviNFe${NS}><idLote>1</idLote></enviNFe>`, 'mensagem_sem_documento', /sem notas/],
    [
      `<retConsReciNFe${NS}><cStat>106</cStat><xMotivo>Lote nao localizado</xMotivo></retConsReciNFe>`,
      'mensagem_sem_documento',
      /\[106\] Lote nao localizado/,
    ],
    [`<retEnvEvento${NS}/>`, 'mensagem_sem_documento', /sem o evento/],
    [`<nfeProc${NS}>${protocolo()}</nfeProc>`, 'mensagem_sem_documento', /sem a nota/],
    [
      soap(`<s:Fault><faultstring>caiu</faultstring></s:Fault>`),
      'mensagem_sem_documento',
      /SOAP Fault.*caiu/,
    ],
    [soap(''), 'mensagem_sem_documento', /Envelope SOAP/],
    [`<distDFeInt${NS}/>`, 'mensagem_sem_documento', /distribuição/],
    [`<resEvento${NS}/>`, 'chave_ausente', /chNFe/],
    [`<eventoCTe/>`, 'evento_sem_registro', /CT-e/],
    [`<a xmlns="u:x"/>`, 'documento_desconhecido', /elemento raiz a \(namespace u:x\)/],
  ];
  for (const [xml, codigo, says] of named) {
    it(`is named for what it is: ${xml.slice(0, 40)}`, () => {
      const { rejeicao } = rejeitada(only(ler(xml)));
      assert.equal(rejeicao.codigo, codigo);
      assert.match(rejeicao.mensagem, says);
      assert.notEqual(rejeicao.elemento, null);
    });
  }

  it('each event request of a lot is told with the key it is about', () => {
    const lot = `<envEvento${NS}>${eventoXml({ resposta: '' })}${eventoXml({ resposta: '', chave: SEGUNDA })}</envEvento>`;
    assert.deepEqual(
      ler(lot).map((p) => [codeOf(p), rejeitada(p).chave]),
      [
        ['evento_sem_registro', chaveDe()],
        ['evento_sem_registro', SEGUNDA],
      ],
    );
  });

  it('is ignored under its own name, refused under the name of a document', () => {
    const pdf = '%PDF-1.7';
    assert.equal(codeOf(only(ler(pdf, 'pasta/danfe.PDF'))), 'pdf');
    assert.equal(codeOf(only(ler(pdf, 'pasta/nota.XML'))), 'pdf_no_lugar_do_xml');
    assert.equal(codeOf(only(readBytes(Uint8Array.of(0xff, 0xd8, 0xff), 'logo.jpg'))), 'imagem');
    assert.equal(codeOf(only(ler('a;b;c', 'planilha.csv'))), 'planilha');
    assert.equal(codeOf(only(ler('Bom dia, seguem as notas.', 'leia-me.txt'))), 'outro_arquivo');
    assert.equal(codeOf(only(ler('Bom dia, seguem as notas.', 'nota.xml'))), 'conteudo_nao_reconhecido');
    assert.equal(codeOf(only(ler('', '.gitkeep'))), 'outro_arquivo');
    assert.equal(codeOf(only(ler('|0000|017|', 'efd.bak'))), 'sped_nao_aceito');
  });

  it('is ignored when the operating system left it there, a document in the same place is not', () => {
    for (const nome of ['__MACOSX/._nota.xml', 'a/._nota.xml', '.DS_Store', 'a/Thumbs.db', 'desktop.ini']) {
      assert.equal(codeOf(only(readBytes(Uint8Array.of(0, 5, 0x16, 7), nome))), 'arquivo_de_sistema', nome);
    }
    assert.equal(codeOf(only(ler(nota(), '__MACOSX/nota.xml'))), 'lida');
  });
});
