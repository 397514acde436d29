/** By what an office's documents were read, for who reads them again from their own bytes. */
import { familiasCom, type Reconhecedor } from '../../fiscal/familias.ts';
import { readEnsinado } from '../../fiscal/nfse/leiautes/validar-ensinado.ts';
import type { Leitor } from '../queries-leitura.ts';
import { findContadorDoArquivo, findConteudos } from './queries-leiautes.ts';

/** What is read; undefined: what everybody reads. */
export type Leitura = readonly Reconhecedor[] | undefined;

export class LeiturasDosEscritorios {
  readonly #porContador = new Map<number, readonly Leitura[]>();

  /**
   * The ways in which a document of an office may have been read: as everybody does, by its layouts together, and by each that
   * it ever had, since what one has read stays when it is replaced or taken away.
   */
  async de(db: Leitor, contadorId: number): Promise<readonly Leitura[]> {
    const known = this.#porContador.get(contadorId);
    if (known) return known;
    const leiautes = (await findConteudos(db, contadorId)).flatMap(({ conteudo, retirado_em }) => {
      const read = readEnsinado(conteudo);
      return read.ok ? [{ leiaute: read.leiaute, emVigor: retirado_em === null }] : [];
    });
    const emVigor = leiautes.filter((um) => um.emVigor).map(({ leiaute }) => leiaute);
    const leituras: readonly Leitura[] = [
      undefined,
      ...(emVigor.length > 0 ? [familiasCom(emVigor)] : []),
      ...leiautes.map(({ leiaute }) => familiasCom([leiaute])),
    ];
    this.#porContador.set(contadorId, leituras);
    return leituras;
  }

  /** The same of the office that an upload is of. */
  async doArquivo(db: Leitor, arquivoId: string): Promise<readonly Leitura[]> {
    const contadorId = await findContadorDoArquivo(db, arquivoId);
    return contadorId === null ? [undefined] : this.de(db, contadorId);
  }
}
