import assert from 'node:assert/strict';
import { it } from 'node:test';
import { indentarXml } from './indentar-xml.ts';

it('lays XML out by line and keeps text beside its element', () => {
  const xml =
    '<?xml version="1.0"?><a x="1"><b>um &lt; dois</b><c/><d><e>3</e></d><!-- nota --><f><![CDATA[<g>]]></f></a>';
  assert.equal(
    indentarXml(xml),
    `<?xml version="1.0"?>
<a x="1">
  <b>um &lt; dois</b>
  <c/>
  <d>
    <e>3</e>
  </d>
  <!-- nota -->
  <f><![CDATA[<g>]]></f>
</a>`,
  );
});

it('shows what is broken as it is', () => {
  assert.equal(indentarXml('sem marcas'), 'sem marcas');
  assert.equal(indentarXml('</a></b>'), '</a>\n</b>');
});
