import { attribute, type XmlElement } from '../../xml/tree.ts';
import { type Component, inside, parts, reference } from './components.ts';
import { Unsupported } from './unsupported.ts';

/** What may stand in an element: one element, any element, or a group of these, so and so often. */
export type Particle =
  | { kind: 'element'; min: number; max: number; component: Component }
  | { kind: 'any'; min: number; max: number; skips: boolean; otherThan: string | null }
  | { kind: 'sequence' | 'choice'; min: number; max: number; parts: readonly Particle[] };

/** Reads `sequence`, `choice`, `element` or `any`. @throws Unsupported on `all` and `group` */
export function readParticle(component: Component): Particle {
  const { element } = component;
  const occurs = occurrence(element);
  switch (element.localName) {
    case 'element':
      return { kind: 'element', ...occurs, component };
    case 'any':
      return { kind: 'any', ...occurs, ...wildcard(component) };
    case 'sequence':
    case 'choice': {
      const inner = parts(element).map((part) => readParticle(inside(component, part)));
      return { kind: element.localName, ...occurs, parts: inner };
    }
    default:
      throw new Unsupported(`${element.localName} in a content model`);
  }
}

function occurrence(element: XmlElement): { min: number; max: number } {
  const min = count(attribute(element, 'minOccurs') ?? '1');
  const written = attribute(element, 'maxOccurs') ?? '1';
  const max = written.trim() === 'unbounded' ? Number.POSITIVE_INFINITY : count(written);
  if (max < Math.max(min, 1)) throw new Unsupported(`occurs ${min} to ${max} times`);
  return { min, max };
}

function count(text: string): number {
  if (!/^\s*\d{1,9}\s*$/.test(text)) throw new Unsupported(`occurs ${text} times`);
  return Number(text);
}

/** Which namespaces a wildcard takes, and whether what it takes is passed over without a look (`skip`). */
export function wildcard(component: Component): { skips: boolean; otherThan: string | null } {
  const { element, file } = component;
  const namespace = attribute(element, 'namespace') ?? '##any';
  if (namespace !== '##any' && namespace !== '##other') throw new Unsupported(`wildcard of ${namespace}`);
  return {
    skips: attribute(element, 'processContents') === 'skip',
    otherThan: namespace === '##other' ? file.namespace : null,
  };
}

/** Names a particle refers to elsewhere (`ref`), or null where it defines its element itself. */
export function referredElement(component: Component): { namespace: string; localName: string } | null {
  return reference(component, 'ref');
}
