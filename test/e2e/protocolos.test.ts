/** A note as it was sent and the protocol that authorised it, in two files, in whatever order they come. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { generateCenario } from '../../src/gerador/cenario.ts';
import { zipDe } from '../../src/gerador/zip.ts';
import {
  createEscritorio,
  type Escritorio,
  fetchJson,
  imported,
  type Malote,
  makeDataFolder,
  startMalote,
  upload,
  withDeps,
} from '../support/malote.ts';
import { ambienteDoBanco, runSql } from '../support/motor.ts';
import { runJson } from '../support/programa.ts';

const NAMESPACE = 'http://www.portalfiscal.inf.br/nfe';
/** More than one transaction of the import holds. */
const MUITAS = 900;

interface Partes {
  chave: string;
  /** `NFe`, as the issuer sent it. */
  nota: string;
  /** `protNFe`, as it stands in the answer. */
  protocolo: string;
}

const cenario = generateCenario({
  semente: 'protocolos',
  clientes: 1,
  documentos: MUITAS + 300,
  inicio: '2026-03-01',
  meses: 1,
});
const [cliente = ''] = cenario.empresas.map((empresa) => empresa.id);
const partes: Partes[] = [];
for (const { tipo, chave, bytes } of cenario.documentos) {
  const xml = Buffer.from(bytes).toString();
  const nota = /<NFe[ >].*<\/NFe>/s.exec(xml)?.[0];
  const protocolo = /<protNFe[ >].*<\/protNFe>/s.exec(xml)?.[0];
  if (tipo !== 'NFe' || !chave || !nota || !protocolo?.includes('<cStat>100<')) continue;
  partes.push({ chave, nota, protocolo: protocolo.replace(` xmlns="${NAMESPACE}"`, '') });
}
function proxima(): Partes {
  const next = partes.shift();
  assert.ok(next, 'the scenario has too few notes');
  return next;
}

function recibo(...protocolos: string[]): Buffer {
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><retConsReciNFe xmlns="${NAMESPACE}" versao="4.00"><tpAmb>1</tpAmb><cStat>104</cStat><xMotivo>Lote processado</xMotivo>${protocolos.join('')}</retConsReciNFe>`,
  );
}

describe('5.2 a note and its protocol that come in two files', () => {
  const dataFolder = makeDataFolder();
  let escritorio: Escritorio;
  let malote: Malote;

  before(async () => {
    escritorio = await createEscritorio(dataFolder, { crm: '000519', clientes: [cliente] });
    malote = await startMalote({
      dataFolder,
      // Uploads stay as they came: recipes of documents that are damaged here would be damaged with them.
      env: { MALOTE_LIMITE_MINUTO: '0', MALOTE_COMPACTAR_ENVIOS: '0' },
    });
  });
  after(async () => {
    await malote.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  const send = async (bytes: Uint8Array | string, extension: '.xml' | '.zip' = '.xml') => {
    const { token } = escritorio;
    const id = await upload(malote, { token, bytes: Buffer.from(bytes), extension });
    const { status, log } = await imported(malote, { token, id });
    const url = `${malote.url}/storage/arquivo/${id}/itens?Tamanho=100`;
    const { itens } = (await fetchJson(url, { token })).body;
    return { status, log, itens };
  };
  const danificar = (chave: string) =>
    withDeps(dataFolder, async ({ db }) => {
      const { id } = await db.read
        .selectFrom('documento')
        .select('id')
        .where('chave', '=', chave)
        .executeTakeFirstOrThrow();
      const versoes = db.read.selectFrom('versao').select('id').where('documento_id', '=', id);
      await db.write.updateTable('conteudo').set({ formato: 99 }).where('versao_id', 'in', versoes).execute();
    });
  const documento = async (chave: string) => {
    const { codigoCrm, token } = escritorio;
    const url = `${malote.url}/api/v1/${codigoCrm}/${cliente}/documentos/${chave}/chave?Xml=true`;
    return (await fetchJson(url, { token })).body;
  };

  it('the protocol authorises the note that waits for it, which gets a new NSU', async () => {
    const { chave, nota, protocolo } = proxima();
    assert.deepEqual((await send(nota)).itens[0].resultado, 'novo');
    const before = await documento(chave);
    assert.equal(before.status, 'Pendente');

    const answer = await send(recibo(protocolo));
    assert.deepEqual([answer.status, answer.log], ['Uploaded', '']);
    const [{ resultado, especie, chave: dela, mensagem }] = answer.itens;
    assert.deepEqual([resultado, especie, dela], ['atualizado', 'NFe', chave]);
    assert.match(mensagem, /protocolo foi juntado à nota/);

    const now = await documento(chave);
    assert.equal(now.status, 'Autorizada');
    assert.ok(now.nsu > before.nsu);
    assert.ok(now.xml.startsWith(`<nfeProc xmlns="${NAMESPACE}"`) && now.xml.includes(nota));
    assert.match(now.xml, /<protNFe.*<cStat>100<\/cStat>.*<\/protNFe><\/nfeProc>$/s);
  });

  it('a protocol that comes first is told as without its note, kept, and joined when that comes', async () => {
    const { chave, nota, protocolo } = proxima();
    const first = await send(recibo(protocolo));
    assert.equal(first.status, 'Com Erro');
    assert.match(
      first.log,
      /ficou guardado e será juntado à nota assim que ela chegar\. \[mensagem_sem_documento\]$/,
    );
    assert.equal(first.itens[0].chave, chave);
    assert.equal((await send(nota)).itens[0].resultado, 'novo');
    assert.equal((await documento(chave)).status, 'Autorizada');
  });

  it('ten protocols of one key wait for its note; one more is not kept, but counts for a note that is there', async () => {
    const { chave, nota, protocolo } = proxima();
    const forjados = Array.from({ length: 12 }, (_, n) =>
      protocolo.replace(/<digVal>[^<]*/, `<digVal>${Buffer.alloc(20, n).toString('base64')}`),
    );
    const { itens } = await send(recibo(...forjados));
    assert.match(itens[0].mensagem, /10 protocolos ficaram guardados/);
    assert.match(itens[0].mensagem, /2 protocolos são de notas que já têm protocolos demais à espera/);
    const guardados = await withDeps(dataFolder, ({ db }) =>
      db.read.selectFrom('protocolo_avulso').select('digest').where('chave', '=', chave).execute(),
    );
    assert.equal(guardados.length, 10);
    await send(nota);
    assert.equal((await documento(chave)).status, 'Pendente');
    const answer = await send(recibo(protocolo));
    assert.deepEqual([answer.status, answer.itens[0].resultado], ['Uploaded', 'atualizado']);
    assert.equal((await documento(chave)).status, 'Autorizada');
  });

  it('a protocol whose document is there with it is nothing new', async () => {
    const { nota, protocolo } = proxima();
    await send(nota);
    await send(recibo(protocolo));
    const again = await send(recibo(protocolo));
    assert.deepEqual([again.status, again.itens[0].codigo], ['Com Erro', 'mensagem_sem_documento']);
    assert.match(again.log, /A nota já está no Malote com este protocolo\./);
    // The note as it was sent does not take the place of the authorised one.
    assert.equal((await send(nota)).itens[0].resultado, 'duplicado');
  });

  it('the answer to a query that says cancelled cancels what was authorised', async () => {
    const { chave, nota, protocolo } = proxima();
    await send(nota);
    await send(recibo(protocolo, protocolo));
    assert.equal((await documento(chave)).status, 'Autorizada');
    await send(recibo(protocolo.replace('<cStat>100<', '<cStat>101<')));
    assert.equal((await documento(chave)).status, 'Cancelada');
    await send(recibo(protocolo));
    assert.equal((await documento(chave)).status, 'Cancelada');
  });

  it('a refusal, and a protocol of another content or environment, leave the note as it is', async () => {
    const { chave, nota, protocolo } = proxima();
    await send(nota);
    const others: [string, RegExp][] = [
      [protocolo.replace('<cStat>100<', '<cStat>539<'), /./],
      [
        protocolo.replace(/<digVal>[^<]*</, '<digVal>b3V0cm8gY29udGXDumRvIGFzcw==<'),
        /A nota que está no Malote não é a que o protocolo autoriza \(o DigestValue difere\)/,
      ],
      [protocolo.replace('<tpAmb>1<', '<tpAmb>2<'), /será juntado à nota assim que ela chegar/],
    ];
    for (const [other, told] of others) {
      const { status, itens } = await send(recibo(other));
      assert.deepEqual([status, itens[0].codigo], ['Com Erro', 'mensagem_sem_documento']);
      assert.match(itens[0].mensagem, told);
      assert.equal((await documento(chave)).status, 'Pendente');
    }
    await send(recibo(protocolo));
    assert.equal((await documento(chave)).status, 'Autorizada');
  });

  it('that meets a damaged note is kept, says so, and is joined when it comes again after the repair', async () => {
    const { chave, nota, protocolo } = proxima();
    await send(nota);
    await danificar(chave);
    const { status, itens } = await send(recibo(protocolo));
    assert.deepEqual([status, itens[0].codigo], ['Com Erro', 'mensagem_sem_documento']);
    assert.match(itens[0].mensagem, /está danificado.*malote verificar --reparar/);
    const env = { MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)) };
    assert.equal((await runJson(env, 'verificar', '--reparar')).value.totalDeReparos, 1);
    await send(recibo(protocolo));
    assert.equal((await documento(chave)).status, 'Autorizada');
  });

  for (const primeiro of ['the note', 'the protocol']) {
    it(`damaged on disk, it is put together again from both uploads; ${primeiro} came first`, async () => {
      const { chave, nota, protocolo } = proxima();
      const files = [nota, recibo(proxima().protocolo, protocolo)];
      for (const bytes of primeiro === 'the note' ? files : files.toReversed()) await send(bytes);
      const before = await documento(chave);
      assert.equal(before.status, 'Autorizada');
      await danificar(chave);
      const env = { MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)) };
      assert.equal((await runJson(env, 'verificar')).value.totalDeAchados, 2);
      const { code, value } = await runJson(env, 'verificar', '--reparar');
      assert.deepEqual([code, value.totalDeReparos], [0, 2], JSON.stringify(value.achados));
      assert.deepEqual((await documento(chave)).xml, before.xml);
    });
  }

  it('in one zip, with the answers in front and the notes behind, all are told as joined', async () => {
    const muitas = partes.splice(0, MUITAS);
    assert.equal(muitas.length, MUITAS);
    const lotes = Array.from({ length: MUITAS / 50 }, (_, at) => muitas.slice(at * 50, at * 50 + 50));
    const zip = await zipDe([
      ...lotes.map((lote, at) => ({
        nome: `${at}-pro-rec.xml`,
        bytes: recibo(...lote.map(({ protocolo }) => protocolo)),
      })),
      ...muitas.map(({ chave, nota }) => ({ nome: `${chave}-nfe.xml`, bytes: Buffer.from(nota) })),
    ]);
    const { status, log, itens } = await send(zip, '.zip');
    assert.deepEqual([status, log], ['Uploaded', '']);
    assert.deepEqual(
      itens.map(({ caminho, resultado }: { caminho: string; resultado: string }) => [caminho, resultado]),
      [
        ...lotes.map((_lote, at) => [`${at}-pro-rec.xml`, 'atualizado']),
        ...muitas.slice(0, 100 - lotes.length).map(({ chave }) => [`${chave}-nfe.xml`, 'novo']),
      ],
    );

    const { codigoCrm, token } = escritorio;
    const served = new Map<string, string>();
    for (let nsu = 0; ; ) {
      const url = `${malote.url}/api/v1/${codigoCrm}/${cliente}/documentos/${nsu}/novos?Tamanho=500`;
      const { documentos } = (await fetchJson(url, { token })).body;
      if (documentos.length === 0) break;
      for (const { chave, status } of documentos) served.set(chave, status);
      nsu = documentos.at(-1).nsu;
    }
    for (const { chave } of muitas) assert.equal(served.get(chave), 'Autorizada');
  });

  describe('an event whose request and answer come in two files', () => {
    const partido = () => {
      const { chave, nota, protocolo } = proxima();
      const nProt = /<nProt>(\d+)</.exec(protocolo)?.[1] ?? '';
      const cnpj = /<emit><C(?:NPJ|PF)>(\w+)</.exec(nota)?.[1] ?? '';
      const pedido = `<envEvento xmlns="${NAMESPACE}" versao="1.00"><idLote>1</idLote><evento xmlns="${NAMESPACE}" versao="1.00"><infEvento Id="ID110111${chave}01"><cOrgao>35</cOrgao><tpAmb>1</tpAmb><CNPJ>${cnpj}</CNPJ><chNFe>${chave}</chNFe><dhEvento>2026-03-20T10:00:00-03:00</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento><verEvento>1.00</verEvento><detEvento versao="1.00"><descEvento>Cancelamento</descEvento><nProt>${nProt}</nProt><xJust>Pedido desfeito pelo cliente</xJust></detEvento></infEvento></evento></envEvento>`;
      const resposta = (cStat = '135') =>
        `<retEnvEvento xmlns="${NAMESPACE}" versao="1.00"><idLote>1</idLote><tpAmb>1</tpAmb><cStat>128</cStat><xMotivo>Lote processado</xMotivo><retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><cStat>${cStat}</cStat><xMotivo>Evento registrado</xMotivo><chNFe>${chave}</chNFe><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento><dhRegEvento>2026-03-20T10:00:05-03:00</dhRegEvento><nProt>13526000000000123</nProt></infEvento></retEvento></retEnvEvento>`;
      return {
        chave,
        processada: `<nfeProc xmlns="${NAMESPACE}" versao="4.00">${nota}${protocolo}</nfeProc>`,
        pedido,
        resposta,
      };
    };

    it('cancels the note once the second of them is there, in any order', async () => {
      for (const order of [
        ['nota', 'pedido', 'resposta'],
        ['resposta', 'nota', 'pedido'],
        ['pedido', 'resposta', 'nota'],
      ]) {
        const { chave, processada, pedido, resposta } = partido();
        const files: Record<string, string> = { nota: processada, pedido, resposta: resposta() };
        const rows = [];
        for (const one of order) rows.push((await send(files[one] ?? '')).itens[0]);
        const halves = rows.filter((_row, at) => order[at] !== 'nota');
        assert.equal(halves[0].resultado, 'rejeitado');
        assert.match(halves[0].mensagem, /guard.* assim que el[ea] chegar/);
        assert.deepEqual([halves[1].resultado, halves[1].chave], ['evento', chave]);
        assert.match(halves[1].mensagem, /vieram separados e foram juntados/);
        assert.equal((await documento(chave)).status, 'Cancelada');
        // Whoever sends the same files every month is told that they are there.
        for (const one of ['pedido', 'resposta'])
          assert.equal((await send(files[one] ?? '')).itens[0].resultado, 'duplicado');
      }
    });

    it('in one zip, both are told as joined', async () => {
      const { chave, processada, pedido, resposta } = partido();
      const { status, itens } = await send(
        await zipDe([
          { nome: 'a-eve.xml', bytes: Buffer.from(resposta()) },
          { nome: 'b-ped-eve.xml', bytes: Buffer.from(pedido) },
          { nome: 'c-procNFe.xml', bytes: Buffer.from(processada) },
        ]),
        '.zip',
      );
      assert.equal(status, 'Uploaded');
      assert.deepEqual(
        itens.map(({ resultado }: { resultado: string }) => resultado),
        ['evento', 'evento', 'novo'],
      );
      assert.equal((await documento(chave)).status, 'Cancelada');
    });

    it('a half that waits is compared with its row', async () => {
      await send(partido().pedido);
      const env = { MALOTE_DATA: dataFolder, ...(await ambienteDoBanco(dataFolder)) };
      const found = async () => {
        const { achados } = (await runJson(env, 'verificar')).value;
        return achados.filter(
          ({ conferencia }: { conferencia: string }) => conferencia === 'metade_divergente',
        );
      };
      assert.deepEqual(await found(), []);
      await runSql(dataFolder, "update metade_de_evento set identidade = '110111/2'");
      const [one, ...others] = await found();
      assert.match(one.mensagem, /não diz o mesmo que a sua linha/);
      assert.deepEqual(others, []);
      await runSql(dataFolder, 'delete from metade_de_evento');
    });

    it('a refusal joins nothing', async () => {
      const { chave, processada, pedido, resposta } = partido();
      for (const one of [processada, pedido, resposta('573')]) await send(one);
      assert.equal((await documento(chave)).status, 'Autorizada');
    });

    it('takes the place of the bare answer to a query, which cancels marked', async () => {
      const { chave, processada, pedido, resposta } = partido();
      const consulta = `<retConsSitNFe xmlns="${NAMESPACE}" versao="4.00"><tpAmb>1</tpAmb><cStat>101</cStat><xMotivo>Cancelamento homologado</xMotivo><cUF>35</cUF><dhRecbto>2026-03-22T10:00:00-03:00</dhRecbto><chNFe>${chave}</chNFe></retConsSitNFe>`;
      await send(processada);
      assert.equal((await send(consulta)).itens[0].resultado, 'evento');
      const { status, prova } = await documento(chave);
      assert.deepEqual([status, prova], ['Cancelada', 'declarada']);
      await send(pedido);
      assert.equal((await send(resposta())).itens[0].resultado, 'atualizado');
      assert.equal((await send(consulta)).itens[0].resultado, 'duplicado');
    });
  });
});
