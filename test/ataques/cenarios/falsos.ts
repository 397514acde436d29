/** Forgeries of every kind, before and after what they imitate: the genuine one is served, and nothing changes without a mark. */
import type { Ataque } from '../ataque.ts';
import type { Campo } from '../campo.ts';
import type { Entrada } from '../envios.ts';
import { type Caso, FALSIFICACOES, type Genuino, mesaDe } from '../falsificacoes.ts';

const IMPORTADO_EM_MS = 120_000;
const DESDE = '2020-01-01';
const FRACA = 'declarada';

/** A record of the export area, as far as it is looked at. */
interface Registro {
  chave: string;
  status: string;
  url_download: string;
  prova?: string;
  evento: { codigo: string; sequencia: number; prova?: string; url_download?: string } | null;
}

interface Rodada {
  tipo: string;
  /** pt-BR: which came first. */
  ordem: string;
  caso: Caso;
}

/** What was seen of the forgeries of one kind. */
class Balanco {
  substituidas = 0;
  /** Records without the key that tells how well they are proven. */
  semProva = 0;
  readonly #faltas = new Map<string, number>();

  falta(rodada: Rodada, what: string): void {
    const key = `${rodada.tipo} (${rodada.ordem}): ${what}`;
    this.#faltas.set(key, (this.#faltas.get(key) ?? 0) + 1);
  }

  get faltas(): string[] {
    const told = [...this.#faltas].map(([key, count]) => (count > 1 ? `${key} (${count} vezes)` : key));
    return this.semProva > 0 ? [`${this.semProva} registros não trazem prova`, ...told] : told;
  }
}

class Leitor {
  readonly #campo: Campo;
  readonly #base: string;
  #feed: Registro[] = [];
  #inutilizadas: Registro[] = [];

  constructor(campo: Campo) {
    this.#campo = campo;
    this.#base = `/api/v1/${campo.atacante.codigoCrm}/${campo.atacante.cliente.id}`;
  }

  /** Reads what cannot be asked for by key. */
  async ler(): Promise<void> {
    this.#feed = await this.#paginas(`${this.#base}/documentos/0/novos?Tamanho=500`);
    this.#inutilizadas = await this.#paginas(
      `${this.#base}/nfe?DataInicial=${DESDE}&Status=Inutilizadas&Tamanho=500`,
    );
  }

  async #paginas(path: string): Promise<Registro[]> {
    const all: Registro[] = [];
    for (let pagina = 1; ; pagina++) {
      const answer = await this.#campo.envios.pedir(`${path}&Pagina=${pagina}`);
      if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status ?? 'no answer'}`);
      const { documentos, paginas } = JSON.parse(answer.text);
      all.push(...documentos);
      if (pagina >= paginas) return all;
    }
  }

  /** The newest entry about it. */
  async registro({ chave, evento }: Pick<Genuino, 'chave' | 'evento'>): Promise<Registro | null> {
    if (evento !== null) {
      const same = (one: Registro) =>
        one.chave === chave &&
        one.evento?.codigo === evento.codigo &&
        one.evento.sequencia === evento.sequencia;
      return this.#feed.findLast(same) ?? null;
    }
    const inutilizada = this.#inutilizadas.find((one) => one.chave === chave);
    if (inutilizada) return inutilizada;
    const answer = await this.#campo.envios.pedir(`${this.#base}/documentos/${chave}/chave`);
    return answer?.status === 200 ? JSON.parse(answer.text) : null;
  }

  /** Events of a key that are none of these; that its document is shown anew is no event. */
  outrosEventos(chave: string, known: readonly Genuino[]): Registro[] {
    const isKnown = (one: Registro) =>
      known.some(
        ({ chave: own, evento }) =>
          own === one.chave &&
          evento?.codigo === one.evento?.codigo &&
          evento?.sequencia === one.evento?.sequencia,
      );
    return this.#feed.filter(
      (one) =>
        one.chave === chave && one.evento !== null && one.evento.codigo !== 'correcao' && !isKnown(one),
    );
  }

  async bytes(registro: Registro): Promise<Buffer> {
    const answer = await fetch(registro.evento?.url_download ?? registro.url_download);
    return Buffer.from(await answer.arrayBuffer());
  }
}

async function julgar(leitor: Leitor, rodada: Rodada, balanco: Balanco): Promise<void> {
  const { genuinos, inventados = [] } = rodada.caso;
  for (const genuino of genuinos) await judgeGenuino(leitor, { rodada, genuino, balanco });
  for (const chave of inventados) {
    const registro = await leitor.registro({ chave, evento: null });
    if (registro && registro.prova !== FRACA)
      balanco.falta(rodada, `o inventado é ${registro.status}, sem marca`);
  }
  for (const { chave, evento } of genuinos) {
    if (evento !== null) continue;
    const outros = leitor.outrosEventos(chave, genuinos);
    if (outros.some((one) => one.evento?.prova !== FRACA))
      balanco.falta(rodada, 'o evento falso não tem marca');
  }
}

async function judgeGenuino(
  leitor: Leitor,
  input: { rodada: Rodada; genuino: Genuino; balanco: Balanco },
): Promise<void> {
  const { rodada, genuino, balanco } = input;
  const registro = await leitor.registro(genuino);
  const que = genuino.evento ? 'o evento legítimo' : 'o documento legítimo';
  if (!registro) {
    balanco.substituidas += 1;
    return balanco.falta(rodada, `${que} não está lá`);
  }
  if (!(await leitor.bytes(registro)).equals(Buffer.from(genuino.bytes))) {
    balanco.substituidas += 1;
    balanco.falta(rodada, `em lugar do que é legítimo serve-se outro (${que})`);
  }
  if (!genuino.situacoes.includes(registro.status) && registro.prova !== FRACA) {
    balanco.substituidas += 1;
    balanco.falta(rodada, `de ${genuino.situacoes[0]} passou a ${registro.status}, sem marca`);
  }
  if (registro.prova === undefined) balanco.semProva += 1;
}

const antes = (n: number) => n % 2 === 0;

function rodadas(campo: Campo): Rodada[] {
  const cada = campo.quanto(1, 20);
  const all: Rodada[] = [];
  for (const [tipo, fazer] of Object.entries(FALSIFICACOES)) {
    for (let n = 0; n < cada * 2; n++) {
      const ordem = antes(n) ? 'o falso antes' : 'o falso depois';
      all.push({ tipo, ordem, caso: fazer(mesaDe(campo.atacante, all.length + 1)) });
    }
  }
  return all;
}

/** One zip, or none where there is nothing. */
async function enviar(campo: Campo, conteudos: readonly Uint8Array[]): Promise<void> {
  const entradas = conteudos.map((bytes, n): Entrada => ({ nome: `${n}.xml`, bytes }));
  const aceito = await campo.envios.sendZip(entradas);
  if (aceito) await campo.envios.terminou(aceito, IMPORTADO_EM_MS);
}

export const falsos: Ataque = {
  nome: 'falsos',
  titulo: 'cópias, protocolos, eventos e inutilizações forjados, antes e depois do que é legítimo',
  motores: ['sqlite', 'postgres'],
  motoresCurtos: ['sqlite'],
  async preparar(campo) {
    const all = rodadas(campo);
    const [primeiro, depois] = [all.filter((_, n) => antes(n)), all.filter((_, n) => !antes(n))];
    const genuinos = (some: Rodada[]) => some.flatMap(({ caso }) => caso.genuinos.map(({ bytes }) => bytes));
    const forjados = (some: Rodada[]) => some.flatMap(({ caso }) => caso.falsos);
    return async () => {
      await enviar(campo, [...forjados(primeiro), ...genuinos(depois)]);
      await enviar(campo, [...genuinos(primeiro), ...forjados(depois)]);
      const leitor = new Leitor(campo);
      await leitor.ler();
      const balanco = new Balanco();
      for (const rodada of all) await julgar(leitor, rodada, balanco);
      return {
        feito: `${all.length} falsificações de ${Object.keys(FALSIFICACOES).length} tipos, metade antes e metade depois do que imitam`,
        medido: `${balanco.substituidas} documentos legítimos substituídos ou mudados sem marca`,
        faltas: balanco.faltas,
        substituidas: balanco.substituidas,
      };
    };
  },
};
