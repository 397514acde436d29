import type { Resposta } from '../../api/rotas.ts';

/** A cell that a spreadsheet takes as text, not as a formula, and that holds separators and quotes. */
function celula(value: string | number): string {
  const text = String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[;"\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The gaps as CSV, with the columns that the trade's tools use. */
function lacunasComoCsv({ cliente, lacunas }: Resposta<'GET /faltantes'>): string {
  const cabecalho =
    'CNPJ;Nome;Modelo;Série;Número inicial;Número final;Quantidade;Mês;Motivo;Justificativa;UF';
  const linhas = lacunas.map((lacuna) =>
    [
      cliente.cpfCnpj,
      cliente.nome,
      lacuna.modelo,
      lacuna.serie,
      lacuna.numero,
      lacuna.numeroFinal,
      lacuna.quantidade,
      lacuna.mes ?? '',
      lacuna.explicacao,
      lacuna.justificativa?.motivo ?? '',
      lacuna.uf ?? '',
    ]
      .map(celula)
      .join(';'),
  );
  return `\ufeff${[cabecalho, ...linhas].join('\r\n')}\r\n`;
}

export function downloadCsv(faltantes: Resposta<'GET /faltantes'>): void {
  const url = URL.createObjectURL(new Blob([lacunasComoCsv(faltantes)], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `faltantes-${faltantes.cliente.cpfCnpj}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}
