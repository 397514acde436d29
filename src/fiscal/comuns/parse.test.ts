import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chaveDe, DESTINATARIO, EMITENTE, withWrongDigit } from '../amostras-de-teste.ts';
import { codeOf, ler, lida, only, rejeitada } from '../leitura-de-teste.ts';
import type { Documento, Evento } from '../tipos.ts';

interface Opcoes {
  nome?: string;
  modelo?: string;
  chave?: string;
  literal?: string;
  emit?: string;
}

const ns = (nome: string): string => ` xmlns="http://www.portalfiscal.inf.br/${nome.toLowerCase()}"`;

function conta({
  nome = 'NFCom',
  modelo = '62',
  chave = chaveDe({ modelo }),
  literal = nome,
  emit,
}: Opcoes = {}) {
  const issuer = emit ?? `<emit><CNPJ>${EMITENTE}</CNPJ><IE>1</IE><xNome>Telefonia Aurora</xNome></emit>`;
  const ide = `<ide><cUF>35</cUF><tpAmb>1</tpAmb><mod>${modelo}</mod><serie>1</serie><nNF>42</nNF><cNF>2345678</cNF><cDV>${chave.slice(-1)}</cDV><dhEmi>2026-03-10T09:30:00-03:00</dhEmi><tpEmis>1</tpEmis><nSiteAutoriz>1</nSiteAutoriz></ide>`;
  return `<${nome}${ns(nome)}><inf${nome} Id="${literal}${chave}" versao="1.00">${ide}${issuer}<dest><xNome>Mercado</xNome><CNPJ>${DESTINATARIO}</CNPJ></dest><total><vProd>90.00</vProd><vNF>99.90</vNF></total></inf${nome}></${nome}>`;
}

function protocoloDe({ nome = 'NFCom', modelo = '62', chave = chaveDe({ modelo }) }: Opcoes, cStat = '100') {
  return `<prot${nome} versao="1.00"><infProt><tpAmb>1</tpAmb><ch${nome}>${chave}</ch${nome}><dhRecbto>2026-03-10T09:31:00-03:00</dhRecbto><nProt>3352600000000001</nProt><cStat>${cStat}</cStat><xMotivo>x</xMotivo></infProt></prot${nome}>`;
}

function processada(opcoes: Opcoes = {}): string {
  const { nome = 'NFCom' } = opcoes;
  return `<${nome}Proc${ns(nome)} versao="1.00">${conta(opcoes)}${protocoloDe(opcoes)}</${nome}Proc>`;
}

const documento = (xml: string): Documento => lida(only(ler(xml))).registro as Documento;

const TODAS: [string, string, string][] = [
  ['NFCom', '62', 'NFCom'],
  ['NF3e', '66', 'NF3e'],
  ['NFAg', '75', 'NFAG'],
  ['NFGas', '76', 'NFGas'],
  ['NFABI', '77', 'NFABI'],
  ['NFeABI', '77', 'NFeABI'],
];

describe('kinds of which the common parts are read', () => {
  for (const [nome, modelo, literal] of TODAS) {
    it(`${nome}: parties, date, value and protocol, in whatever it is wrapped`, () => {
      const opcoes = { nome, modelo, literal };
      const wrapper = `<retorno><a>${processada(opcoes)}</a></retorno>`;
      const apart = `<x${ns(nome)}><env>${conta(opcoes)}</env><ret>${protocoloDe(opcoes)}</ret></x>`;
      for (const xml of [
        processada(opcoes),
        processada(opcoes).replaceAll(`${nome}Proc`, `${nome.toLowerCase()}Proc`),
        wrapper,
        apart,
      ]) {
        const nota = documento(xml);
        assert.deepEqual(
          [
            nota.modelo,
            nota.chave,
            nota.serie,
            nota.numero,
            nota.valor,
            nota.statusProtocolo,
            nota.dataEmissao,
          ],
          [modelo, chaveDe({ modelo }), '1', '42', '99.90', 'Autorizada', '2026-03-10T09:30:00-03:00'],
        );
        assert.deepEqual(
          nota.participantes.map(({ papel, cpfCnpj }) => [papel, cpfCnpj]),
          [
            ['emitente', EMITENTE],
            ['destinatario', DESTINATARIO],
          ],
        );
        assert.equal(nota.protocolo?.nProt, '3352600000000001');
      }
      assert.equal(documento(conta(opcoes)).statusProtocolo, 'Pendente');
    });
  }

  it('are refused, each under its own name, for the same reasons as others', () => {
    const piece = rejeitada(only(ler(conta({ chave: withWrongDigit(chaveDe({ modelo: '62' })) }))));
    assert.deepEqual([piece.rejeicao.codigo, piece.especie], ['chave_com_dv_invalido', 'NFCom']);
    assert.equal(codeOf(only(ler(conta({ emit: '<emit/>' })))), 'emitente_ausente');
    assert.equal(codeOf(only(ler(conta({ chave: chaveDe({ modelo: '66' }) })))), 'modelo_nao_suportado');
    const refused = `<nfcomProc${ns('NFCom')}>${conta()}${protocoloDe({}, '539')}</nfcomProc>`;
    assert.equal(codeOf(only(ler(refused))), 'rejeitada_pela_sefaz');
    assert.equal(codeOf(only(ler(`<NFCom${ns('NFCom')}/>`))), 'mensagem_sem_documento');
  });

  it('their events cancel them, and a request alone is none', () => {
    const evento = (nome: string, modelo: string): string => {
      const info = `<tpAmb>1</tpAmb><ch${nome}>${chaveDe({ modelo })}</ch${nome}><tpEvento>110111</tpEvento><nSeqEvento>001</nSeqEvento>`;
      return `<evento${nome} versao="1.00"><infEvento Id="ID110111${chaveDe({ modelo })}001"><cOrgao>35</cOrgao>${info}<CNPJ>${EMITENTE}</CNPJ><dhEvento>2026-03-11T10:00:00-03:00</dhEvento><detEvento versaoEvento="1.00"><evCanc${nome}><descEvento>Cancelamento</descEvento><nProt>3352600000000001</nProt></evCanc${nome}></detEvento></infEvento></evento${nome}><retEvento${nome} versao="1.00"><infEvento>${info}<cStat>135</cStat><xMotivo>x</xMotivo><nProt>3352600000000002</nProt></infEvento></retEvento${nome}>`;
    };
    for (const [nome, modelo] of TODAS) {
      const proc = `<procEvento${nome}${ns(nome)} versao="1.00">${evento(nome, modelo)}</procEvento${nome}>`;
      const { chave, efeito, modelo: dele, protocoloDaNota } = lida(only(ler(proc))).registro as Evento;
      assert.deepEqual(
        [chave, efeito, dele, protocoloDaNota],
        [chaveDe({ modelo }), 'cancela', modelo, '3352600000000001'],
      );
      const [half] = ler(`<a${ns(nome)}>${evento(nome, modelo).replace(/<retEvento.*$/, '')}</a>`);
      assert.ok(half?.resultado === 'rejeitada' && half.metade?.identidade === '110111/1', nome);
    }
  });
});
