/** Messages as Outlook saves them (`.msg`): their attachments. @fonte [MS-OXMSG] §2.2.2; [MS-OXPROPS] */
import { mensagemSemAnexo, recipienteDanificado } from '../unpack-faults.ts';
import { CFB_SIGNATURE, Cfb, CfbFault, type Objeto } from './cfb.ts';
import type { Bolsa, Parte } from './tipos.ts';

const ATTACHMENT = /^__attach_version1\.0_/;
/** PidTagAttachDataBinary; as an object it is a message. */
const DATA = '__substg1.0_37010102';
const MESSAGE = '__substg1.0_3701000D';
/** Long and short file name, display name; in UTF-16 or in a code page. */
const NAMES = ['3707', '3704', '3001'];
/** Messages in messages. */
const LEVELS = 3;

/** How the names of all streams of a message begin, as they stand in the file. */
const MARK = Buffer.from('__substg1.0_', 'utf16le');

export function looksLikeMsg(bytes: Buffer): boolean {
  return bytes.subarray(0, CFB_SIGNATURE.length).equals(CFB_SIGNATURE) && bytes.includes(MARK);
}

/** The attachments, also those of messages that are attached to it. */
export function* readMsg(bytes: Buffer, bolsa: Bolsa): Generator<Parte> {
  try {
    const file = new Cfb(bytes);
    let found = 0;
    for (const parte of attachmentsIn(file, { folder: file.root, level: 1 }, bolsa)) {
      found++;
      yield parte;
    }
    if (found === 0) yield { nome: '', resultado: 'ignorado', falha: mensagemSemAnexo() };
  } catch (error) {
    if (!(error instanceof CfbFault)) throw error;
    yield { nome: '', resultado: 'rejeitado', falha: recipienteDanificado('mensagem do Outlook (.msg)') };
  }
}

function* attachmentsIn(
  file: Cfb,
  { folder, level }: { folder: Objeto; level: number },
  bolsa: Bolsa,
): Generator<Parte> {
  for (const attachment of folder.filhos) {
    if (!attachment.ehPasta || !ATTACHMENT.test(attachment.nome)) continue;
    bolsa.takeEntries(1);
    const data = attachment.filhos.find(({ nome, ehPasta }) => nome === DATA && !ehPasta);
    const message = attachment.filhos.find(({ nome, ehPasta }) => nome === MESSAGE && ehPasta);
    if (data) {
      const content = file.read(data);
      bolsa.charge(content.length);
      yield { nome: nameOf(file, attachment), bytes: content };
    } else if (message && level < LEVELS) {
      yield* attachmentsIn(file, { folder: message, level: level + 1 }, bolsa);
    }
  }
}

function nameOf(file: Cfb, attachment: Objeto): string {
  for (const property of NAMES) {
    const found = attachment.filhos.find(({ nome }) => nome.startsWith(`__substg1.0_${property}001`));
    if (!found || found.size > 1_024) continue;
    const bytes = file.read(found);
    const text = found.nome.endsWith('F')
      ? bytes.toString('utf16le')
      : new TextDecoder('windows-1252').decode(bytes);
    const name = text.replace(/\0+$/, '');
    if (name !== '') return name;
  }
  return 'anexo';
}
