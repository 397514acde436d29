/** The wire form of capture: snake case, instants with their offset. */
import type { EstadoDaCaptura } from './estado.ts';
import type { LinhaDeChave } from './queries.ts';

/** The wire form of an instant. */
export function instante(em: number | null): string | null {
  return em === null ? null : new Date(em).toISOString();
}

export function presentEstado(estado: EstadoDaCaptura) {
  const { certificado } = estado;
  return {
    servico: estado.servico,
    ligada: estado.ligada,
    passiva: estado.passiva,
    mudada_em: instante(estado.mudadaEm),
    mudada_por: estado.mudadaPor,
    certificado:
      'falta' in certificado
        ? { situacao: certificado.falta, titular: null, valido_ate: null }
        : { situacao: 'ok', titular: certificado.titular, valido_ate: instante(certificado.validoAte) },
    espera: estado.espera,
    proxima_em: instante(estado.proximaEm),
    bloqueada_ate: instante(estado.bloqueadaAte),
    parada: estado.parada,
    ult_nsu: estado.ultNsu,
    max_nsu: estado.maxNsu,
    primeira_em: instante(estado.primeiraEm),
    ultima_em: instante(estado.ultimaEm),
    ultima_ok_em: instante(estado.ultimaOkEm),
    ultimo_documento_em: instante(estado.ultimoDocumentoEm),
    ultima_resposta: estado.ultimaResposta,
    ultimo_motivo: estado.ultimoMotivo,
    erros_seguidos: estado.errosSeguidos,
    outro_programa_em: instante(estado.outroProgramaEm),
    bloqueios: estado.bloqueios,
    documentos: estado.documentos,
    consultas_na_hora: estado.consultasNaHora,
    lacunas: estado.lacunas,
  };
}

/** In words for who asked (pt-BR). */
export function mensagemDoPedido({ agora, estado }: { agora: boolean; estado: EstadoDaCaptura }): string {
  if (agora) return 'A consulta sai em instantes.';
  if (estado.passiva) return 'A captura está passiva: outro programa consulta este CNPJ, e o Malote não.';
  if (estado.proximaEm === null) return 'A captura está parada: veja a última resposta do serviço.';
  const hora = new Date(estado.proximaEm).toLocaleTimeString('pt-BR', {
    timeZone: 'America/Sao_Paulo',
    hour: '2-digit',
    minute: '2-digit',
  });
  return `O serviço só pode ser consultado a partir das ${hora}; a consulta sai então.`;
}

export function presentChave(row: LinhaDeChave) {
  const { chave, servico, estado, resposta } = row;
  return {
    chave,
    servico,
    estado,
    pedida_em: instante(row.pedida_em),
    tentada_em: instante(row.tentada_em),
    resposta,
  };
}
