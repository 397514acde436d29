/** Signed documents and cancellations of the kinds of which the common parts are read: models 62, 66, 75, 76 and 77. */
import { chaveCheckDigit } from '../../src/fiscal/chave.ts';
import { COMUNS } from '../../src/fiscal/comuns/nomes.ts';
import type { Chave } from '../../src/fiscal/tipos.ts';
import { digestOf, signatureXml } from '../../src/gerador/assinatura.ts';
import { certificadoDe } from '../../src/gerador/certificado.ts';
import type { Empresa } from '../../src/gerador/empresas.ts';
import { localIso } from '../../src/gerador/municipios.ts';
import { branch, idLeaf, leaf } from '../../src/gerador/xml.ts';

interface Conta {
  /** As `COMUNS` names it, such as `NFCom`. */
  nome: string;
  chave: Chave;
  /** The document with its authorisation, and before it had one. */
  documento: string;
  pendente: string;
  nProt: string;
  digest: string;
}

const namespaceDe = (nome: string) => `http://www.portalfiscal.inf.br/${nome.toLowerCase()}`;
const CODIGO = '2345678';

/** @param numero which of the five kinds it is follows from it too */
export function generateConta(input: {
  numero: number;
  emitente: Empresa;
  destinatario: Empresa;
  em: Date;
  sementeCertificados: string;
}): Conta {
  const { numero, emitente, destinatario, em } = input;
  const comum = COMUNS[numero % COMUNS.length];
  if (!comum) throw new Error('no such kind');
  const [nome] = comum.nomes;
  const chave = chaveDe(comum.modelo, input);
  const ns = namespaceDe(nome);
  const ide = branch(
    'ide',
    leaf('cUF', chave.slice(0, 2)) + leaf('tpAmb', 1) + leaf('mod', comum.modelo) + leaf('serie', 1),
    leaf('nNF', numero) + leaf('cNF', CODIGO) + leaf('cDV', chave.slice(43)),
    leaf('dhEmi', localIso(em, emitente.uf)),
  );
  const body =
    ide +
    branch('emit', idLeaf(emitente.id), leaf('xNome', emitente.nome)) +
    branch('dest', leaf('xNome', destinatario.nome), idLeaf(destinatario.id)) +
    branch('total', leaf('vNF', `${100 + numero}.90`));
  const id = `${nome}${chave}`;
  const digest = digestOf(`<inf${nome} xmlns="${ns}" Id="${id}" versao="1.00">${body}</inf${nome}>`);
  const assinatura = signatureXml(id, digest, certificadoDe(emitente, input.sementeCertificados, em), {
    autoFechado: false,
  });
  const pendente = `<${nome} xmlns="${ns}"><inf${nome} Id="${id}" versao="1.00">${body}</inf${nome}>${assinatura}</${nome}>`;
  const nProt = `3352600${String(numero).padStart(9, '0')}`;
  const prot = branch(
    'infProt',
    leaf('tpAmb', 1) + leaf(`ch${nome}`, chave) + leaf('dhRecbto', localIso(em, emitente.uf)),
    leaf('nProt', nProt) + leaf('digVal', digest) + leaf('cStat', 100) + leaf('xMotivo', 'Autorizado'),
  );
  const raiz = `${nome.charAt(0).toLowerCase()}${nome.slice(1)}Proc`;
  const documento = `<${raiz} xmlns="${ns}" versao="1.00">${pendente}<prot${nome} versao="1.00">${prot}</prot${nome}></${raiz}>`;
  return { nome, chave, documento, pendente, nProt, digest };
}

function chaveDe(modelo: string, { numero, emitente, em }: Parameters<typeof generateConta>[0]): Chave {
  const mes = localIso(em, emitente.uf);
  const body =
    emitente.endereco.municipio.codigo.slice(0, 2) +
    mes.slice(2, 4) +
    mes.slice(5, 7) +
    `${emitente.id}${modelo}001${String(numero).padStart(9, '0')}10${CODIGO}`;
  return (body + chaveCheckDigit(body)) as Chave;
}

export function generateCancelamentoDaConta(input: {
  conta: Pick<Conta, 'nome' | 'chave'>;
  autor: Empresa;
  em: Date;
  nProt: string;
  sementeCertificados: string;
}): string {
  const { conta, autor, em, nProt } = input;
  const { nome, chave } = conta;
  const ns = namespaceDe(nome);
  const quando = localIso(em, autor.uf);
  const id = `ID110111${chave}001`;
  const pedido =
    leaf('cOrgao', chave.slice(0, 2)) +
    leaf('tpAmb', 1) +
    idLeaf(autor.id) +
    leaf(`ch${nome}`, chave) +
    leaf('dhEvento', quando) +
    leaf('tpEvento', '110111') +
    leaf('nSeqEvento', 1) +
    `<detEvento versaoEvento="1.00">${branch(`evCanc${nome}`, leaf('descEvento', 'Cancelamento'), leaf('nProt', nProt), leaf('xJust', 'Emitida com valor errado'))}</detEvento>`;
  const digest = digestOf(`<infEvento xmlns="${ns}" Id="${id}">${pedido}</infEvento>`);
  const assinatura = signatureXml(id, digest, certificadoDe(autor, input.sementeCertificados, em), {
    autoFechado: false,
  });
  const resposta = branch(
    'infEvento',
    leaf('tpAmb', 1) + leaf('cStat', 135) + leaf('xMotivo', 'Evento registrado') + leaf(`ch${nome}`, chave),
    leaf('tpEvento', '110111') + leaf('nSeqEvento', 1) + leaf('dhRegEvento', quando),
    leaf('nProt', `9${nProt.slice(1)}`),
  );
  return (
    `<procEvento${nome} xmlns="${ns}" versao="1.00"><evento${nome} versao="1.00"><infEvento Id="${id}">${pedido}</infEvento>` +
    `${assinatura}</evento${nome}><retEvento${nome} versao="1.00">${resposta}</retEvento${nome}></procEvento${nome}>`
  );
}
