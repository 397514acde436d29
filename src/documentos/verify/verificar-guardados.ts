/**
 * The checks of what is kept beside documents: certificates, protocols and halves of events that wait, the authorities that answer for
 * signers, and what people have decided, which stands in the audit log as well.
 */
import { ACAO } from '../../auditoria/auditar.ts';
import { signerOf } from '../../fiscal/assinatura/certificate.ts';
import { SignatureFault } from '../../fiscal/assinatura/fault.ts';
import { signatarioDoCertificado } from '../../fiscal/assinatura/signatario.ts';
import type { Autoridades } from '../../fiscal/certificado/autoridades.ts';
import { readProtocoloAvulso } from '../../fiscal/envelopes/avulso.ts';
import { readMetade } from '../../fiscal/envelopes/metades.ts';
import { scanXml } from '../../fiscal/xml/scan.ts';
import { sha256De } from '../bytes/conteudo.ts';
import { readHash } from '../bytes/hash-guardado.ts';
import { escreverSignatario, LETRA_DE_DESCONHECIDA } from '../lean/signatario-guardado.ts';
import type { Leitor } from '../queries-leitura.ts';
import { nomeDaMetade } from '../store/metades.ts';
import { nomeDoGuardado, nomeDoProtocolo } from '../store/protocolos.ts';
import { type Achado, emPaginas, type Linha } from './achados.ts';
import * as queries from './queries-guardados.ts';

/** Rows of a page with a text or bytes of some kilobytes. */
const POR_PAGINA = 200;

type Certificado = Linha<typeof queries.findCertificados>;

/**
 * The text of each certificate is the one that it is known by, and what is written of its holder is what it says.
 * @param autoridades who answers for it now; null: its chain is not looked at
 */
export function verifyTextosDosCertificados(
  db: Leitor,
  { tamanho, autoridades }: { tamanho: number; autoridades: Autoridades | null },
): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: 0,
    tamanho: Math.min(tamanho, POR_PAGINA),
    keyOf: (row) => row.id,
    ler: queries.findCertificados,
    achar: (_trx, rows) => rows.flatMap((row) => findNoCertificado(row, autoridades)),
  });
}

function findNoCertificado(row: Certificado, autoridades: Autoridades | null): Achado[] {
  const achado = (codigo: string, mensagem: string): Achado[] => [
    {
      codigo,
      mensagem,
      alvo: `certificado ${row.id}`,
      ref: { contadorId: row.contador_id, certificadoId: row.id },
    },
  ];
  if (!ehOTexto(row))
    return achado('certificado_danificado', 'O texto do certificado não é o do seu SHA-256.');
  const { titular, signatario } = titularQueDevia(row, autoridades);
  if (row.titular !== titular || row.signatario !== signatario)
    return achado('certificado_divergente', 'O que está escrito do titular não é o que o certificado diz.');
  return [];
}

export function ehOTexto({ sha256, texto }: Pick<Certificado, 'sha256' | 'texto'>): boolean {
  return readHash(sha256) === sha256De(Buffer.from(texto, 'latin1'));
}

/** What is to be written of the holder; what nobody has read of a certificate so far stays unwritten. */
export function titularQueDevia(
  row: Pick<Certificado, 'texto' | 'titular' | 'signatario'>,
  autoridades: Autoridades | null,
): Pick<Certificado, 'titular' | 'signatario'> {
  const titular = row.titular === null ? null : (titularDe(row.texto) ?? row.titular);
  if (row.signatario === null || autoridades === null) return { titular, signatario: row.signatario };
  const signatario = signatarioDoCertificado(row.texto, autoridades);
  if (signatario === null) return { titular, signatario: row.signatario };
  // A chain that is found now was not found then: that is looked for again by others (`renovar-signatarios.ts`).
  const semCadeia = { ...signatario, cadeia: 'desconhecida', validadeDaCadeia: null } as const;
  const wasFound = !row.signatario.startsWith(LETRA_DE_DESCONHECIDA);
  const isFound = signatario.cadeia !== 'desconhecida';
  return { titular, signatario: escreverSignatario(wasFound || !isFound ? signatario : semCadeia) };
}

function titularDe(texto: string): string | null {
  try {
    return signerOf(texto.replace(/\s+/g, ''), Buffer.from(texto, 'latin1')).titular;
  } catch (error) {
    if (error instanceof SignatureFault) return null;
    throw error;
  }
}

/** Each authority that was installed is the one that it is known by. */
export async function* verifyAutoridades(db: Leitor): AsyncGenerator<Achado> {
  for (const { id, sha256, der } of await queries.findAutoridades(db)) {
    if (readHash(sha256) === sha256De(der)) continue;
    yield {
      codigo: 'autoridade_danificada',
      mensagem: 'A autoridade certificadora não é a do seu SHA-256: instale-a de novo (malote icp instalar).',
      alvo: `autoridade ${id}`,
    };
  }
}

/** Protocols that wait for their note say what their rows say. */
export function verifyProtocolos(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: { contador_id: 0, chave: '', ambiente: 0, digest: '', status: '' },
    tamanho: Math.min(tamanho, POR_PAGINA),
    keyOf: ({ contador_id, chave, ambiente, digest, status }) => ({
      ...{ contador_id, chave, ambiente, digest, status },
    }),
    ler: queries.findProtocolos,
    achar: (_trx, rows) =>
      rows.filter(naoDizOMesmo).map(({ contador_id: contadorId, chave }) => ({
        codigo: 'protocolo_divergente',
        mensagem:
          'O protocolo que espera pela nota não diz o mesmo que a sua linha. Envie de novo o arquivo em que veio.',
        alvo: `protocolo da chave ${chave}`,
        ref: { contadorId, chave },
      })),
  });
}

function naoDizOMesmo(row: Linha<typeof queries.findProtocolos>): boolean {
  const scan = scanXml(Buffer.from(row.bytes));
  const lido = scan.ok ? readProtocoloAvulso(scan.tree, scan.tree.root) : null;
  return lido === null || nomeDoProtocolo(lido) !== nomeDoGuardado(row);
}

/** Halves of events that wait for the other one say what their rows say, and came in an item that is there. */
export function verifyMetades(db: Leitor, tamanho: number): AsyncGenerator<Achado> {
  return emPaginas(db, {
    inicio: { contador_id: 0, chave: '', ambiente: 0, identidade: '', lado: '', digest: '' },
    tamanho: Math.min(tamanho, POR_PAGINA),
    keyOf: ({ bytes: _bytes, itens: _itens, ...key }) => key,
    ler: queries.findMetades,
    achar: (_trx, rows) =>
      rows.filter(ehOutraMetade).map(({ contador_id: contadorId, chave }) => ({
        codigo: 'metade_divergente',
        mensagem:
          'O pedido ou a resposta de evento que espera pela outra metade não diz o mesmo que a sua linha. Envie de novo o arquivo em que veio.',
        alvo: `metade de um evento da chave ${chave}`,
        ref: { contadorId, chave },
      })),
  });
}

function ehOutraMetade(row: Linha<typeof queries.findMetades>): boolean {
  const scan = scanXml(Buffer.from(row.bytes));
  const lida = scan.ok ? readMetade(scan.tree, scan.tree.root) : null;
  if (lida === null || Number(row.itens) === 0) return true;
  return nomeDaMetade({ ...lida, digest: sha256De(Buffer.from(row.bytes)) }) !== nomeDaMetade(row);
}

/** Of each mark that only a person sets, the act that the audit log has of it. */
const ATO_DA_MARCA = {
  afastado: ACAO.cancelamentoDesconsiderado,
  afastada: ACAO.cancelamentoDesconsiderado,
  escolhida: ACAO.versaoEscolhida,
} as const;

/** What was set aside or chosen was so by somebody. */
export async function* verifyDecisoes(db: Leitor): AsyncGenerator<Achado> {
  const atos = new Set(
    (await queries.findAtos(db, Object.values(ATO_DA_MARCA))).map(({ acao, alvo }) => `${acao} ${alvo}`),
  );
  for (const { documento_id: documentoId, versao_id: versaoId, marca } of await queries.findMarcas(db)) {
    if (atos.has(`${ATO_DA_MARCA[marca]} documento/${documentoId}`)) continue;
    yield {
      codigo: 'decisao_sem_registro',
      mensagem: `Consta que alguém decidiu algo do documento (${marca}), e a auditoria não o diz.`,
      alvo: `documento ${documentoId}`,
      ref: { documentoId, ...(versaoId === null ? {} : { versaoId }) },
    };
  }
}
