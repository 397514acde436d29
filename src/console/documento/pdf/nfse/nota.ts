/** A national NFS-e as its sheet reads it. */
import { cutTexto } from '../../../../fiscal/limites-de-texto.ts';
import { child, descend, type XmlElement, type XmlTree } from '../../../../fiscal/xml/tree.ts';
import { descricaoDoCodigo } from '../../codigos.ts';
import { Textos } from '../base/textos.ts';

export class NotaNacional extends Textos {
  readonly inf: XmlElement;
  /** `infDPS`, what the issuer declared; null where the note has none. */
  readonly dps: XmlElement | null;
  readonly #cidades: ReadonlyMap<string, string>;

  constructor(tree: XmlTree, inf: XmlElement) {
    super(tree);
    this.inf = inf;
    this.dps = descend(inf, 'DPS', 'infDPS');
    // The note names the cities in which it happens; of others it has the code alone.
    this.#cidades = new Map([
      [this.em(this.dps, 'cLocEmi'), this.em(inf, 'xLocEmi')],
      [this.em(this.dps, 'serv', 'locPrest', 'cLocPrestacao'), this.em(inf, 'xLocPrestacao')],
      [this.em(inf, 'cLocIncid'), this.em(inf, 'xLocIncid')],
      [this.em(inf, 'IBSCBS', 'cLocalidadeIncid'), this.em(inf, 'IBSCBS', 'xLocalidadeIncid')],
    ]);
  }

  /** Text at the end of a path below `infNFSe`. */
  de(...nomes: string[]): string {
    return this.em(this.inf, ...nomes);
  }

  /** The same below `infDPS`. */
  daDps(...nomes: string[]): string {
    return this.em(this.dps, ...nomes);
  }

  get chave(): string {
    return cutTexto((this.inf.attributeValue('Id') ?? '').replace(/^NFS/, ''), 60);
  }

  /** A code with what it means. */
  codigo(nome: string, valor: string): string {
    if (valor === '') return '';
    const palavra = descricaoDoCodigo(nome, valor, 'infDPS');
    return palavra ?? valor;
  }

  /** City and state of a code of IBGE, by the name that the note has for it. */
  cidade(codigo: string): string {
    if (codigo === '') return '';
    const uf = descricaoDoCodigo('cUF', codigo.slice(0, 2), '') ?? '';
    return [this.#cidades.get(codigo) || `código IBGE ${codigo}`, uf].filter(Boolean).join(' / ');
  }
}

/** The note of a tree; null when it is in another layout. */
export function notaNacionalDe(tree: XmlTree): NotaNacional | null {
  const nfse = tree.root.localName === 'NFSe' ? tree.root : child(tree.root, 'NFSe');
  const inf = child(nfse, 'infNFSe');
  return inf ? new NotaNacional(tree, inf) : null;
}
