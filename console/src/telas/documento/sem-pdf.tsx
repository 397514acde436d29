import { Alert } from '@mantine/core';
import { useSearchParams } from 'wouter';

/** Where the service leads who opened a PDF that could not be drawn. */
export function SemPdf() {
  const [parametros] = useSearchParams();
  if (parametros.get('aviso') !== 'pdf_indisponivel') return null;
  return (
    <Alert
      color="orange"
      title="O PDF deste documento não pôde ser feito"
      role="alert"
      className="sem-impressao"
    >
      O desenho falhou, e nada foi posto no lugar dele. O XML está guardado e completo: baixe-o em “XML”.
    </Alert>
  );
}
