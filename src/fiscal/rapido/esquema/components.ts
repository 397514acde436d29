import { decodeXml } from '../../xml/decode.ts';
import { scanXml } from '../../xml/scan.ts';
import { attribute, type XmlElement, type XmlTree } from '../../xml/tree.ts';
import { Unsupported } from './unsupported.ts';

export const XSD = 'http://www.w3.org/2001/XMLSchema';

/** A namespace and a local name as one text, for maps. */
export function qualified(namespace: string, localName: string): string {
  return `${namespace} ${localName}`;
}

/** An element of a schema file, with what the file says for all that stands in it. */
export interface Component {
  element: XmlElement;
  file: SchemaFile;
}

interface SchemaFile {
  /** Namespace of the components in it: the file's own, or that of the file that includes it (chameleon include). */
  namespace: string;
  /** Whether an unprefixed name outside of any default namespace means `namespace`. */
  isChameleon: boolean;
  qualifiedElements: boolean;
  qualifiedAttributes: boolean;
}

/** The global definitions of a schema: all files that the main one includes or imports. */
export interface Components {
  types: ReadonlyMap<string, Component>;
  elements: ReadonlyMap<string, Component>;
}

/** Children that say nothing about documents. */
const SILENT: ReadonlySet<string> = new Set(['annotation', 'notation']);

/** Children of a schema element that count, all of them in the namespace of schemas. */
export function parts(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => {
    if (child.namespace !== XSD) throw new Unsupported(`${child.localName} in a schema`);
    return !SILENT.has(child.localName);
  });
}

/**
 * Reads the files of a package that judge documents of one root.
 *
 * @param files file name → bytes; `main` is one of the names
 * @throws Unsupported when a file is missing or has what is not known here
 */
export function readComponents(files: ReadonlyMap<string, Uint8Array>, main: string): Components {
  const reader = new PackageReader(files);
  reader.read(main, null);
  return reader;
}

class PackageReader implements Components {
  readonly types = new Map<string, Component>();
  readonly elements = new Map<string, Component>();
  readonly #files: ReadonlyMap<string, Uint8Array>;
  readonly #done = new Set<string>();
  /** Namespace → the file that was imported for it: libxml2 passes over a second one. */
  readonly #imported = new Map<string, string>();

  constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.#files = files;
  }

  /** @param includedBy namespace of the file that includes this one; null for the main file and imports */
  read(name: string, includedBy: string | null): void {
    const { root } = this.#parse(name);
    if (root.localName !== 'schema' || root.namespace !== XSD) throw new Unsupported(`${name} is no schema`);
    const own = attribute(root, 'targetNamespace');
    const isChameleon = own === null && includedBy !== null;
    if (own !== null && includedBy !== null && own !== includedBy)
      throw new Unsupported(`${name} is of ${own}`);
    const namespace = own ?? includedBy ?? '';
    const key = qualified(namespace, name);
    if (this.#done.has(key)) return;
    this.#done.add(key);
    refuseDefaults(root);
    const file: SchemaFile = {
      namespace,
      isChameleon,
      qualifiedElements: attribute(root, 'elementFormDefault') === 'qualified',
      qualifiedAttributes: attribute(root, 'attributeFormDefault') === 'qualified',
    };
    for (const element of parts(root)) this.#component({ element, file });
  }

  #component(component: Component): void {
    const { element, file } = component;
    switch (element.localName) {
      case 'include':
        this.read(locationOf(element), file.namespace);
        break;
      case 'import':
        this.#import(element);
        break;
      case 'element':
        define(this.elements, component);
        break;
      case 'simpleType':
      case 'complexType':
        define(this.types, component);
        break;
      default:
      // Global attributes and groups: nobody may refer to them, see `content-model.ts`.
    }
  }

  #import(element: XmlElement): void {
    const namespace = attribute(element, 'namespace') ?? '';
    const location = locationOf(element);
    const known = this.#imported.get(namespace);
    if (known !== undefined && known !== location) throw new Unsupported(`two imports of ${namespace}`);
    this.#imported.set(namespace, location);
    this.read(location, null);
  }

  #parse(name: string): XmlTree {
    const bytes = this.#files.get(name);
    if (!bytes) throw new Unsupported(`${name} is missing`);
    const decoded = decodeXml(bytes);
    if ('rejeicao' in decoded || decoded.avisos.length > 0) throw new Unsupported(`${name} cannot be read`);
    const scan = scanXml(decoded.bytes);
    if (!scan.ok) throw new Unsupported(`${name}: ${scan.rejeicao.mensagem}`);
    return scan.tree;
  }
}

/** Settings of a file that change the meaning of what stands in it. */
function refuseDefaults(schema: XmlElement): void {
  for (const name of ['blockDefault', 'finalDefault'])
    if (attribute(schema, name) !== null) throw new Unsupported(name);
}

function locationOf(element: XmlElement): string {
  const location = attribute(element, 'schemaLocation');
  if (location === null) throw new Unsupported(`${element.localName} without schemaLocation`);
  return decodeURIComponent(location.slice(location.lastIndexOf('/') + 1));
}

function define(map: Map<string, Component>, component: Component): void {
  const name = attribute(component.element, 'name') ?? '';
  const key = qualified(component.file.namespace, name);
  if (name === '' || map.has(key)) throw new Unsupported(`${key} is defined twice`);
  map.set(key, component);
}

/** What a name in an attribute of a schema (`type`, `ref`, `base`) means. */
function resolveName({ element, file }: Component, name: string): { namespace: string; localName: string } {
  const [prefix, localName] = name.includes(':') ? (name.split(':', 2) as [string, string]) : ['', name];
  for (let at: XmlElement | null = element; at; at = at.parent) {
    const found = at.declarations.find((declaration) => declaration.prefix === prefix);
    if (found) return { namespace: found.uri, localName };
  }
  if (prefix !== '') throw new Unsupported(`prefix ${prefix}`);
  return { namespace: file.isChameleon ? file.namespace : '', localName };
}

/** The same file's component for an element inside another. */
export function inside(component: Component, element: XmlElement): Component {
  return { element, file: component.file };
}

/** An attribute of a schema element that names another component; null when it is not there. */
export function reference(
  component: Component,
  name: string,
): { namespace: string; localName: string } | null {
  const value = attribute(component.element, name);
  return value === null ? null : resolveName(component, value.trim());
}
