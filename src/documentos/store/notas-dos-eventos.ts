/**
 * The documents that events speak of, as far as they tell who may write them: of events with one code and number the one of who
 * may is served, whichever came first, and whether it came before its document or after.
 */
import { provaCom } from '../../fiscal/prova.ts';
import { FALHA_DE_PROVA, PAPEL, type Prova } from '../../fiscal/tipos.ts';
import { writeProva } from '../lean/prova-guardada.ts';
import type * as queries from '../queries.ts';
import type { RegistroSemItens } from '../tipos.ts';
import type { Versao } from './decidir.ts';
import { tomadorDe } from './identidade.ts';
import { ehDeQuemNaoPode, type NotaDoEvento } from './status-mostrado.ts';

/** As `candidatos.ts` has it. */
interface Decidido {
  trocado: { registro: RegistroSemItens } | null;
  novo: boolean;
  gravar: readonly { peca: { registro: RegistroSemItens }; versao: Pick<Versao, 'servida'> }[];
}

type EventoLido = Extract<RegistroSemItens, { classe: 'evento' }>;
type DocumentoLido = Extract<RegistroSemItens, { classe: 'documento' }>;

export class NotasDasChaves {
  readonly #notas = new Map<string, NotaDoEvento>();
  /** Those that this batch brings, or of which it changes who is in them. */
  readonly #mudadas = new Set<string>();

  constructor(daChave: readonly queries.DaMesmaChave[]) {
    for (const linha of daChave) if (linha.classe === 'documento') this.#notas.set(nomeDe(linha), linha);
  }

  /** What is served now that the documents of the batch were decided. */
  note(candidatos: ReadonlyMap<string, Decidido>): void {
    for (const { trocado, novo, gravar } of candidatos.values()) {
      const peca = trocado ?? (novo ? gravar.find(({ versao }) => versao.servida)?.peca : null);
      if (peca?.registro.classe !== 'documento') continue;
      this.#notas.set(nomeDe(peca.registro), comoNota(peca.registro));
      this.#mudadas.add(nomeDe(peca.registro));
    }
  }

  /** A new version, proven as far as its document lets it be. */
  julgada(versao: Versao, registro: RegistroSemItens): Versao {
    return registro.classe === 'evento' && this.ehDeOutro(registro, versao.prova) ? semPoder(versao) : versao;
  }

  /** A kept one; only of the served one its row tells who wrote it. */
  guardada(versao: Versao, linha: queries.DaMesmaChave): Versao {
    const nota = this.#notas.get(nomeDe(linha));
    const deOutro = linha.classe === 'evento' && versao.servida && nota && ehDeQuemNaoPode(linha, nota);
    return deOutro ? semPoder(versao) : versao;
  }

  ehDeOutro(registro: EventoLido, prova: Prova): boolean {
    const nota = this.#notas.get(nomeDe(registro));
    const { codigo, efeito, autor, destinatario } = registro;
    const escrito = { evento_codigo: codigo, evento_efeito: efeito, autor, destinatario };
    return nota !== undefined && ehDeQuemNaoPode({ ...escrito, prova: writeProva(prova) }, nota);
  }

  /** Events that were there, and turn out to be of somebody else. */
  alheios(daChave: readonly queries.DaMesmaChave[]): queries.DaMesmaChave[] {
    return daChave.filter((linha) => {
      const nota = this.#mudadas.has(nomeDe(linha)) ? this.#notas.get(nomeDe(linha)) : undefined;
      return linha.classe === 'evento' && nota !== undefined && ehDeQuemNaoPode(linha, nota);
    });
  }
}

function nomeDe({ ambiente, chave }: { ambiente: number; chave: string }): string {
  return `${ambiente}/${chave}`;
}

function comoNota(registro: DocumentoLido): NotaDoEvento {
  const { chave, modelo, participantes } = registro;
  const os = (papel: string) =>
    participantes.filter((um) => um.papel === papel).map(({ cpfCnpj }) => cpfCnpj);
  return {
    chave,
    modelo,
    emitente: os(PAPEL.emitente)[0] ?? null,
    destinatario: os(PAPEL.destinatario)[0] ?? null,
    tomador: tomadorDe(registro),
    transportadores: os(PAPEL.transportador),
  };
}

function semPoder(versao: Versao): Versao {
  const falhas = [...versao.falhas, FALHA_DE_PROVA.autorSemPoder];
  return { ...versao, falhas, prova: provaCom(falhas) };
}
