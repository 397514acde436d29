/** Every error code that HTTP answers carry: `docs/erros.md`, the titles of problems and the tests read it here. */
import { ERROS_AUTORIZACAO } from './autorizacao/errors.ts';
import { ERROS_CAPTURA } from './captura/errors.ts';
import { ERROS_DE_MANIFESTACAO } from './captura/manifestacao/errors.ts';
import { ERROS_CONSOLE } from './console/errors.ts';
import { ERROS_DE_DOCUMENTOS } from './console/errors-documentos.ts';
import { ERROS_CONTAS } from './contas/errors.ts';
import { ERROS_LEIAUTES } from './documentos/leiautes/errors.ts';
import { ERROS_EXPORTACAO } from './exportacao/errors.ts';
import { ERROS_DE_IMPORTACAO } from './importacao/errors.ts';
import { type CatalogoDeErros, ERROS_HTTP } from './platform/http/catalogo.ts';
import { ERROS_RETENCAO } from './retencao/errors.ts';

/** Where two areas answer the same code, the words of the export area cover both. */
export const CATALOGO_DE_ERROS: CatalogoDeErros = {
  ...ERROS_HTTP,
  ...ERROS_AUTORIZACAO,
  ...ERROS_CONTAS,
  ...ERROS_DE_IMPORTACAO,
  ...ERROS_EXPORTACAO,
  ...ERROS_CONSOLE,
  ...ERROS_DE_DOCUMENTOS,
  ...ERROS_RETENCAO,
  ...ERROS_DE_MANIFESTACAO,
  ...ERROS_CAPTURA,
  ...ERROS_LEIAUTES,
};
