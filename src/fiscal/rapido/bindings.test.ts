import assert from 'node:assert/strict';
import { it } from 'node:test';
import { XML_LIMITS } from '../xml/scan.ts';
import { MAX_BINDINGS } from './bindings.ts';
import { MAX_NAME_BYTES } from './names.ts';
import { MAX_URI_BYTES } from './start-tag.ts';

it('the fast tier takes no namespaces that the strict one refuses for their length', () => {
  assert.ok(MAX_BINDINGS * (MAX_URI_BYTES + MAX_NAME_BYTES) <= XML_LIMITS.namespaces);
});
