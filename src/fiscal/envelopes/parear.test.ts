import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  chaveDe,
  eventoXml,
  ID_INUTILIZACAO,
  NS,
  nota,
  processada,
  procInut,
  protocolo,
} from '../amostras-de-teste.ts';
import { chaveLida, codeOf, ler, lida, only, rejeitada, textOf } from '../leitura-de-teste.ts';

const SEGUNDA = chaveDe({ numero: '43' });
const request = (options: Parameters<typeof eventoXml>[0] = {}) => eventoXml({ ...options, resposta: '' });
const answer = (options: Parameters<typeof eventoXml>[0] = {}) =>
  eventoXml(options).replace(/^<evento[\s\S]*?<\/evento>/, '');
const lote = (...notes: string[]) => `<enviNFe${NS}><idLote>1</idLote>${notes.join('')}</enviNFe>`;
const recibo = (...answers: string[]) =>
  `<retConsReciNFe${NS}><cStat>104</cStat>${answers.join('')}</retConsReciNFe>`;

describe('a note and its protocol that stand apart in one file', () => {
  it('are read together, and the part of the file that holds both is kept', () => {
    const xml = `<arquivo>${lote(nota())}${recibo(protocolo())}</arquivo>`;
    const piece = lida(only(ler(xml)));
    assert.equal(piece.registro.classe === 'documento' && piece.registro.statusProtocolo, 'Autorizada');
    assert.equal(textOf(piece.bytes), xml);
    assert.match(piece.registro.avisos.join(), /vieram separados/);
    assert.equal(lida(only(ler(textOf(piece.bytes)))).registro.protocolo?.nProt, '135260000000001');
  });

  it('keep no more of the file than holds both', () => {
    const inner = `<b>${nota()}${protocolo()}<outro/></b>`;
    assert.equal(textOf(lida(only(ler(`<a><x/>${inner}</a>`))).bytes), inner);
  });

  it('of several, each note takes its own protocol, and is kept by itself', () => {
    const second = nota({ chave: SEGUNDA });
    const xml = `<a>${lote(nota(), second)}${recibo(protocolo({ chave: SEGUNDA, cStat: '110' }), protocolo())}</a>`;
    const pieces = ler(xml).map(lida);
    assert.deepEqual(
      pieces.map(
        ({ registro }) => registro.classe === 'documento' && [registro.chave, registro.statusProtocolo],
      ),
      [
        [chaveDe(), 'Autorizada'],
        [SEGUNDA, 'Denegada'],
      ],
    );
    assert.deepEqual(
      pieces.map(({ bytes }) => textOf(bytes)),
      [nota(), second],
    );
    assert.match(pieces[0]?.registro.avisos.join() ?? '', /à parte no mesmo arquivo/);
  });

  it('of several in one wrapper, each note takes its own', () => {
    const xml = `<a>${nota()}${nota({ chave: SEGUNDA })}${protocolo({ chave: SEGUNDA })}${protocolo()}</a>`;
    const read = ler(xml).map((piece) => lida(piece).registro);
    assert.deepEqual(
      read.map((registro) => [registro.chave, registro.protocolo?.cStat]),
      [
        [chaveDe(), '100'],
        [SEGUNDA, '100'],
      ],
    );
  });

  it('have the digest of the note alone', () => {
    const paired = lida(only(ler(`<a>${lote(nota())}${recibo(protocolo())}</a>`)));
    assert.equal(paired.registro.digest, lida(only(ler(processada()))).registro.digest);
  });

  it('are refused with the words of SEFAZ where it refused the note', () => {
    const piece = rejeitada(
      only(ler(`<a>${nota()}${recibo(protocolo({ cStat: '539', xMotivo: 'Duplicidade' }))}</a>`)),
    );
    assert.equal(piece.rejeicao.codigo, 'rejeitada_pela_sefaz');
    assert.match(piece.rejeicao.mensagem, /\[539\] Duplicidade/);
  });

  it('take the protocol that authorises where the key was answered twice', () => {
    const answers = recibo(protocolo({ cStat: '204' }), protocolo());
    assert.equal(lida(only(ler(`<a>${nota()}${answers}</a>`))).registro.protocolo?.cStat, '100');
  });

  it('of two keys are no pair: the note waits, the protocol is told', () => {
    const pieces = ler(`<a>${nota()}${recibo(protocolo({ chave: SEGUNDA }))}</a>`);
    assert.deepEqual(pieces.map(codeOf), ['lida', 'protocolo_sem_documento']);
    const piece = lida(pieces[0]);
    assert.equal(piece.registro.classe === 'documento' && piece.registro.statusProtocolo, 'Pendente');
  });
});

describe('an event and its answer that stand apart in one file', () => {
  it('are read as the registered event', () => {
    const xml = `<a><envEvento${NS}>${request()}</envEvento><retEnvEvento${NS}>${answer()}</retEnvEvento></a>`;
    const piece = lida(only(ler(xml)));
    assert.equal(piece.registro.classe === 'evento' && piece.registro.efeito, 'cancela');
    assert.equal(textOf(piece.bytes), xml);
  });

  it('are told apart by kind and sequence number', () => {
    const cce = (n: string) => ({ codigo: '110110', sequencia: n });
    const requests = request(cce('1')) + request(cce('2')) + request();
    const answers = answer(cce('2')) + answer({ ...cce('1'), cStat: '573' });
    const pieces = ler(`<a><envEvento>${requests}</envEvento><ret${NS}>${answers}</ret></a>`);
    assert.deepEqual(pieces.map(codeOf), ['evento_rejeitado_pela_sefaz', 'lida', 'evento_sem_registro']);
  });

  it('that have no partner are each named', () => {
    const pieces = ler(`<a>${request()}<r${NS}>${answer({ codigo: '110110' })}</r></a>`);
    assert.deepEqual(pieces.map(codeOf), ['evento_sem_registro', 'mensagem_sem_documento']);
    assert.equal(rejeitada(pieces[1]).chave, chaveDe());
  });
});

describe('an inutilização and its answer that stand apart in one file', () => {
  it('are one', () => {
    const xml = procInut()
      .replace('<retInutNFe', '</x><x><retInutNFe')
      .replace(/ProcInutNFe/g, 'pasta');
    const apart = xml.replace(/<pasta([^>]*)>/, '<pasta$1><x>').replace('</pasta>', '</x></pasta>');
    const piece = only(ler(apart));
    assert.equal(chaveLida(piece), ID_INUTILIZACAO);
    const { registro } = lida(piece);
    assert.equal(registro.classe === 'inutilizacao' && registro.justificativa, 'Falha que pulou a numeração');
  });
});
