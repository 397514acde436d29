/** The acts of the audit log in words for people. */
import { ACAO, type Acao } from '../../auditoria/auditar.ts';

const PALAVRAS: Readonly<Record<Acao, string>> = {
  'importacao.falhas_vistas': 'Falhas de importação vistas',
  'importacao.falhas_resolvidas': 'Falhas de importação resolvidas',
  'importacao.falhas_reabertas': 'Falhas de importação reabertas',
  'cliente.criado': 'Cliente cadastrado',
  'cliente.atualizado': 'Cadastro de cliente alterado',
  'certificado.guardado': 'Certificado guardado',
  'certificado.substituido': 'Certificado substituído',
  'certificado.recusado': 'Certificado recusado',
  'certificado.nao_abre': 'Certificado guardado que não abre',
  'certificado.retirado': 'Certificado retirado',
  'token.criado': 'Token de integração criado',
  'token.revogado': 'Token de integração revogado',
  'token.alterado': 'Token de integração alterado',
  'oauth.criado': 'Aplicação OAuth criada',
  'oauth.alterado': 'Aplicação OAuth alterada',
  'oauth.revogado': 'Aplicação OAuth revogada',
  'chave_de_assinatura.criada': 'Chave de assinatura criada',
  'chave_de_endereco.criada': 'Chave de endereços criada',
  'chave_mestra.nova': 'Chave mestra nova',
  'chave_mestra.girada': 'Chave mestra trocada',
  'chave_mestra.perdida': 'Chave mestra perdida',
  'retencao.prazo_alterado': 'Prazo de guarda alterado',
  'retencao.guarda_criada': 'Guarda legal criada',
  'retencao.guarda_levantada': 'Guarda legal levantada',
  'retencao.exclusao_pedida': 'Exclusão pedida',
  'retencao.exclusao_preparada': 'Exclusão preparada',
  'retencao.exclusao_confirmada': 'Exclusão confirmada',
  'retencao.exclusao_cancelada': 'Exclusão cancelada',
  'retencao.exclusao_concluida': 'Exclusão concluída',
  'retencao.exclusao_falhou': 'Exclusão falhou',
  'retencao.exclusao_retomada': 'Exclusão retomada depois de falhar',
  'retencao.pacote_baixado': 'Pacote de exclusão baixado',
  'importacao.arquivo_recuperado': 'Arquivo sem registro importado de novo',
  'escritorio.criado': 'Escritório criado',
  'usuario.criado': 'Usuário criado',
  'usuario.alterado': 'Usuário alterado',
  'usuario.removido': 'Usuário removido',
  'usuario.convidado': 'Usuário convidado',
  'senha.definida': 'Senha definida',
  'usuario.identidade_ligada': 'Conta de um provedor ligada ao usuário',
  'usuario.identidade_desligada': 'Conta de um provedor desligada do usuário',
  'totp.ativado': 'Segundo fator ativado',
  'totp.removido': 'Segundo fator removido',
  'totp.codigos_renovados': 'Códigos de recuperação renovados',
  'sessao.aberta': 'Entrou no console',
  'sessao.recusada': 'Entrada recusada',
  'sessao.encerrada': 'Sessão encerrada',
  'copia.feita': 'Cópia de segurança feita',
  'copia.pedida': 'Cópia de segurança pedida no console',
  'esquemas.instalados': 'Esquemas instalados',
  'cancelamento.desconsiderado': 'Cancelamento sem prova desconsiderado',
  'cancelamento.reconsiderado': 'Cancelamento sem prova voltou a valer',
  'versao.escolhida': 'Versão de documento escolhida',
  'captura.ligada': 'Captura ligada',
  'captura.desligada': 'Captura desligada',
  'captura.passiva': 'Captura posta como passiva',
  'captura.retomada': 'Captura parada retomada',
  'leiaute.ensinado': 'Leiaute ensinado',
  'leiaute.instalado': 'Leiaute instalado',
  'leiaute.retirado': 'Leiaute retirado',
  'leiaute.dispensado': 'Notas sem leiaute dispensadas',
  'autoridades.instaladas': 'Autoridades certificadoras instaladas',
  'auditoria.conferida': 'Auditoria conferida',
  'manifestacao.pedida': 'Manifestação pedida',
  'manifestacao.registrada': 'Manifestação registrada pela SEFAZ',
  'manifestacao.recusada': 'Manifestação recusada pela SEFAZ',
  'manifestacao.regra': 'Ciência automática ligada ou desligada',
};

/** What an act is called; one that an older version wrote down and nobody knows any more stays as it is. */
export function palavrasDe(acao: string): string {
  return Object.hasOwn(PALAVRAS, acao) ? PALAVRAS[acao as Acao] : acao;
}

/** Acts whose words hold a text, whatever its case and accents. */
export function atosCom(text: string): Acao[] {
  const wanted = plain(text);
  return Object.values(ACAO).filter((acao) => plain(PALAVRAS[acao]).includes(wanted));
}

export const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
