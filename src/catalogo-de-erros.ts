/** Every error code that HTTP answers carry: `docs/erros.md`, the titles of problems and the tests read it here. */
import { ERROS_AUTORIZACAO } from './autorizacao/errors.ts';
import { ERROS_CONTAS } from './contas/errors.ts';
import { ERROS_EXPORTACAO } from './exportacao/errors.ts';
import { ERROS_DE_IMPORTACAO } from './importacao/errors.ts';
import { type CatalogoDeErros, ERROS_HTTP } from './platform/http/catalogo.ts';

/** Of the accounts area, whose routes are still to come; listed so that integrators can prepare. */
const ERROS_RESERVADOS = {
  certificado_invalido: {
    status: 422,
    titulo: 'Certificado inválido',
    significado: 'O certificado A1 não pôde ser aceito; `erros` diz por quê. Ainda sem uso nesta versão.',
    acao: 'Envie outro certificado, ou corrija a senha.',
  },
} as const satisfies CatalogoDeErros;

/** Where two areas answer the same code, the words of the export area cover both. */
export const CATALOGO_DE_ERROS: CatalogoDeErros = {
  ...ERROS_HTTP,
  ...ERROS_AUTORIZACAO,
  ...ERROS_CONTAS,
  ...ERROS_RESERVADOS,
  ...ERROS_DE_IMPORTACAO,
  ...ERROS_EXPORTACAO,
};
