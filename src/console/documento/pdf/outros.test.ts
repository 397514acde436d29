import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textoDoPdf } from '../../../../test/support/ler-pdf.ts';
import { cfe, chaveCfe } from '../../../fiscal/cfe/amostras-de-teste.ts';
import { cte, cteProc, protCte } from '../../../fiscal/cte/amostras-de-teste.ts';
import { chave50, nacional } from '../../../fiscal/nfse/amostras-de-teste.ts';
import { drawDocumento } from '../pdf.ts';
import type { ContextoDoPdf } from './marcas.ts';

const textoDe = async (conteudo: string, contexto: Partial<ContextoDoPdf>) =>
  textoDoPdf(
    await drawDocumento({
      bytes: Buffer.from(conteudo),
      codificacao: 'utf-8',
      contexto: {
        especie: 'NFSe',
        status: 'Autorizada',
        homologacao: false,
        naoProvado: false,
        titulo: 'Nota',
        chave: '',
        resumo: null,
        ...contexto,
      },
    }),
  );

const diz = (texto: string, ditos: readonly string[]) => {
  for (const dito of ditos) assert.ok(texto.includes(dito), `${dito} in ${texto}`);
};

describe('the DACTE of each modal', () => {
  const modal = (numero: string, elemento: string) =>
    textoDe(
      cteProc(
        cte()
          .replace(/<modal>..<\/modal>/, '')
          .replace('</ide>', `<modal>${numero}</modal></ide>`)
          .replace(
            '</infCte>',
            `<infCTeNorm><infModal versaoModal="4.00">${elemento}</infModal></infCTeNorm></infCte>`,
          ) + protCte(),
      ),
      { especie: 'CTe' },
    );

  it('has fields of its own, in words', async () => {
    diz(await modal('02', '<aereo><nOCA>77</nOCA><tarifa><vTar>12.50</vTar></tarifa></aereo>'), [
      'AÉREO',
      'NÚMERO OPERACIONAL DO CONHECIMENTO',
      '12,50',
    ]);
    const aquav =
      '<aquav><xNavio>Boa Vista</xNavio><balsa><xBalsa>A</xBalsa></balsa><balsa><xBalsa>B</xBalsa></balsa><direc>S</direc></aquav>';
    diz(await modal('03', aquav), ['AQUAVIÁRIO', 'Boa Vista', 'A, B', 'Sul']);
    diz(await modal('04', '<ferrov><tpTraf>1</tpTraf><fluxo>Norte</fluxo></ferrov>'), [
      'FERROVIÁRIO',
      'Mútuo',
    ]);
    diz(await modal('05', '<duto><vTar>1.5</vTar><dIni>2026-01-02</dIni></duto>'), [
      'DUTOVIÁRIO',
      '02/01/2026',
    ]);
    diz(await modal('06', '<multimodal><COTM>C1</COTM><indNegociavel>1</indNegociavel></multimodal>'), [
      'MULTIMODAL',
      'NEGOCIÁVEL',
    ]);
  });
});

describe('the DANFSe of a national NFS-e', () => {
  it('says the note in the words of its norm, and that a test note is worth nothing', async () => {
    const chave = chave50();
    const xml = nacional();
    const texto = await textoDe(xml, { chave });
    diz(texto, [
      'DANFSe v2.0',
      chave,
      'PRESTADOR / FORNECEDOR',
      'SERVIÇO PRESTADO',
      'TRIBUTAÇÃO MUNICIPAL (ISSQN)',
    ]);
    assert.ok(!texto.includes('SEM VALIDADE JURÍDICA') && !texto.includes('IBS / CBS'));
    const teste = xml.replace(/<tpAmb>1<\/tpAmb>/, '<tpAmb>2</tpAmb>');
    diz(await textoDe(teste, { chave, homologacao: true, status: 'Cancelada' }), [
      'NFS-e SEM VALIDADE JURÍDICA',
      'SEM VALOR FISCAL',
      'CANCELADA',
    ]);
  });

  it('has the block of IBS and CBS where the note has it, and goes on over pages with a long description', async () => {
    const grupo =
      '<IBSCBS><valores><vBC>1000.00</vBC><uf><pIBSUF>0.10</pIBSUF></uf></valores><totCIBS><gIBS><vIBSTot>1.00</vIBSTot></gIBS><gCBS><vCBS>9.00</vCBS></gCBS><vTotNF>1010.00</vTotNF></totCIBS></IBSCBS>';
    const xml = nacional()
      .replace('<DPS', `${grupo}<DPS`)
      .replace('</serv>', `<cServ><xDescServ>${'linha\n'.repeat(200)}fim</xDescServ></cServ></serv>`);
    const texto = await textoDe(xml, {});
    diz(texto, ['TRIBUTAÇÃO DO IBS / CBS', 'R$ 9,00', 'R$ 1.010,00', '(continuação)']);
    assert.match(texto, /^Folha 1 de [2-4]$/m);
    assert.match(texto, /^fim$/m);
  });
});

describe('the extract of a CF-e SAT', () => {
  it('says items, total, device and key', async () => {
    const chave = chaveCfe();
    const texto = await textoDe(cfe(), { especie: 'CFe', chave });
    diz(texto, [
      'CUPOM FISCAL ELETRÔNICO - SAT',
      'Padaria Aurora Ltda',
      'TOTAL R$',
      '12,50',
      'SAT nº 000.123.456',
    ]);
    diz(texto, ['10/07/2021 - 09:30:15', chave.replaceAll(/(.{4})(?=.)/g, '$1 '), 'não informado']);
  });
});

describe('the plain sheet', () => {
  const resumo = {
    numero: '77',
    serie: 'U',
    emissao: '2026-03-10T09:30:00-03:00',
    valor: '1234.50',
    partes: [{ rotulo: 'Emitente / prestador', nome: 'Oficina Sul', cpfCnpj: '31313131000152' }],
  };

  it('says who, what and how much first, and everything else in words', async () => {
    const xml =
      '<Nota><NR_NOTA>77</NR_NOTA><VlrServico>1234.50</VlrServico><Tomador><RazaoSocialTomador>Mercado</RazaoSocialTomador></Tomador></Nota>';
    const texto = await textoDe(xml, {
      resumo,
      titulo: 'Nota Fiscal de Serviço',
      chave: 'NFSE-3550308-1-77',
    });
    diz(texto, [
      'Nota Fiscal de Serviço',
      'NFSE-3550308-1-77',
      'R$ 1.234,50',
      'Oficina Sul',
      '31.313.131/0001-52',
    ]);
    diz(texto, ['NÚMERO NOTA', 'VALOR SERVIÇO', 'Mercado', 'Página 1 de 1']);
    assert.ok(!/NR_NOTA|VlrServico|RazaoSocialTomador/i.test(texto), texto);
  });

  it('has the lines of a file of texts as they came, and tables over as many pages as they need', async () => {
    const texto = await textoDe('NOTAFISCAL|1|\nA|4.00|\nB|35|Venda|', {
      especie: 'NFe',
      status: 'Pendente',
      resumo,
    });
    diz(texto, ['LINHAS, COMO VIERAM', 'B|35|Venda|', 'SEM AUTORIZAÇÃO']);
    const dups = Array.from({ length: 150 }, (_, n) => `<dup><nDup>D${n}</nDup><vDup>1.00</vDup></dup>`).join(
      '',
    );
    const longo = await textoDe(`<NFCom><infNFCom><cobr>${dups}</cobr></infNFCom></NFCom>`, {
      especie: 'NFCom',
    });
    for (const n of [0, 75, 149]) assert.match(longo, new RegExp(`^D${n}$`, 'm'));
    assert.match(longo, /Página 2 de/);
  });
});
