/** `npm run pdfs [-- --json] [-- --quantos 1000]`: draws real and generated documents of all kinds and reads them back. */
import { parseArgs } from 'node:util';
import { conferir } from './conferir.ts';
import { doAcervo, geradas, type ParaDesenhar } from './notas.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, quantos: { type: 'string', default: '1000' } },
});
const quantos = Number(values.quantos);

function* todos(): Generator<ParaDesenhar> {
  let restam = quantos;
  for (const origem of [doAcervo(), geradas('pdfs', quantos)])
    for (const um of origem) if (restam-- > 0) yield um;
}

const { faltas, ...contagem } = await conferir(todos());
for (const falta of faltas) console.error(falta);
if (values.json) console.log(JSON.stringify(contagem));
else
  console.log(
    `${contagem.desenhados} de ${contagem.total} desenhados em ${contagem.paginas} páginas; ${contagem.marcas_erradas} com marca errada, ` +
      `${contagem.textos_errados} com texto que falta; ${contagem.por_segundo_e_nucleo} por segundo e núcleo.`,
  );
process.exitCode = faltas.length > 0 ? 1 : 0;
