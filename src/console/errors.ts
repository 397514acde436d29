import { type CatalogoDeErros, errorsOf } from '../platform/http/catalogo.ts';

export const ERROS_CONSOLE = {
  sessao_ausente: {
    status: 401,
    titulo: 'Sessão ausente',
    significado:
      'Não há sessão do console: ninguém entrou, ou ela terminou (30 minutos sem uso, 12 horas no total).',
    acao: 'Entre de novo no console.',
  },
  csrf_invalido: {
    status: 403,
    titulo: 'Confirmação de origem inválida',
    significado: 'O cabeçalho X-CSRF-Token falta ou não é o da sessão (GET /console/api/sessao).',
    acao: 'Recarregue a página do console e repita.',
  },
  origem_recusada: {
    status: 403,
    titulo: 'Origem recusada',
    significado: 'A requisição que altera dados veio de uma página de outro endereço.',
    acao: 'Use o console pelo endereço do próprio servidor (MALOTE_URL_BASE quando há um proxy).',
  },
  papel_insuficiente: {
    status: 403,
    titulo: 'Papel insuficiente',
    significado: 'O papel do usuário não permite esta operação.',
    acao: 'Peça a um administrador do escritório.',
  },
  credenciais_invalidas: {
    status: 401,
    titulo: 'Credenciais inválidas',
    significado: 'O e-mail ou a senha não confere, ou o usuário está desativado; qual deles não é dito.',
    acao: 'Confira os dois, ou peça a um administrador que redefina a senha.',
  },
  entrada_externa_invalida: {
    status: 401,
    titulo: 'Entrada expirada',
    significado:
      'Não há volta de um provedor de identidade neste navegador, ela já foi usada ou passou de 5 minutos.',
    acao: 'Comece de novo pelo botão do provedor.',
  },
  copias_desligadas: {
    status: 409,
    titulo: 'Cópias desligadas',
    significado: 'O servidor não tem pasta para cópias de segurança (MALOTE_COPIA_PASTA).',
    acao: 'Defina a variável e reinicie o servidor, ou rode malote backup.',
  },
  sem_acesso_externo: {
    status: 403,
    titulo: 'Sem acesso',
    significado:
      'Quem o provedor de identidade apresentou não é usuário de nenhum escritório: entra só quem foi convidado, com o mesmo e-mail, e sempre com a mesma conta do provedor.',
    acao: 'Peça um convite a um administrador do escritório; se a conta do provedor mudou, peça-lhe um novo acesso.',
  },
  provedor_nao_encontrado: {
    status: 404,
    titulo: 'Provedor não encontrado',
    significado: 'MALOTE_ENTRAR_COM não tem provedor com esse id.',
    acao: 'Use um dos que GET /console/api/entrar/externo lista.',
  },
  codigo_totp_invalido: {
    status: 401,
    titulo: 'Código inválido',
    significado:
      'O código do segundo fator não confere, já foi usado, ou não é um código de recuperação válido.',
    acao: 'Espere o próximo código do aplicativo, ou use um código de recuperação.',
  },
  desafio_invalido: {
    status: 401,
    titulo: 'Entrada expirada',
    significado: 'Entre a senha e o código passaram mais de 5 minutos, ou a entrada já terminou.',
    acao: 'Comece de novo pelo e-mail e a senha.',
  },
  convite_invalido: {
    status: 404,
    titulo: 'Convite inválido',
    significado: 'O código do link não existe, já foi usado ou passou da validade.',
    acao: 'Peça outro link a um administrador do escritório (ou `malote usuario redefinir`).',
  },
  primeiro_uso_invalido: {
    status: 403,
    titulo: 'Código de primeiro uso inválido',
    significado:
      'O código não é o que o servidor mostrou ao iniciar, passou da validade, ou já há quem possa entrar.',
    acao: 'Reinicie o servidor para ver outro link, ou entre com um usuário que existe.',
  },
  totp_ja_ativo: {
    status: 409,
    titulo: 'Segundo fator já ativo',
    significado: 'O usuário já usa um segundo fator.',
    acao: 'Desative o atual antes de configurar outro.',
  },
  totp_inativo: {
    status: 409,
    titulo: 'Segundo fator inativo',
    significado: 'O usuário não tem um segundo fator configurado.',
    acao: 'Configure o segundo fator primeiro.',
  },
  sessao_nao_encontrada: {
    status: 404,
    titulo: 'Sessão não encontrada',
    significado: 'O usuário não tem uma sessão com esse número.',
    acao: 'Recarregue a lista de sessões.',
  },
  usuario_nao_encontrado: {
    status: 404,
    titulo: 'Usuário não encontrado',
    significado: 'O escritório não tem usuário com esse número.',
    acao: 'Recarregue a lista de usuários.',
  },
  usuario_ja_cadastrado: {
    status: 409,
    titulo: 'Usuário já cadastrado',
    significado: 'O escritório já tem um usuário com esse e-mail.',
    acao: 'Altere o usuário que existe, ou use outro e-mail.',
  },
  ultimo_administrador: {
    status: 409,
    titulo: 'Último administrador',
    significado: 'O escritório ficaria sem administrador que possa entrar.',
    acao: 'Torne outra pessoa administradora antes.',
  },
  certificado_nao_encontrado: {
    status: 404,
    titulo: 'Certificado não encontrado',
    significado: 'O cliente não tem certificado guardado.',
    acao: 'Envie um certificado.',
  },
  csv_invalido: {
    status: 400,
    titulo: 'CSV inválido',
    significado: 'O arquivo não é uma lista de clientes que se possa ler; a mensagem diz por quê.',
    acao: 'Use uma linha por cliente, com as colunas cnpj, nome e email.',
  },
  oauth_compartilhado: {
    status: 409,
    titulo: 'Cliente OAuth compartilhado',
    significado: 'O cliente OAuth serve a vários escritórios; um só não troca o segredo nem o revoga.',
    acao: 'Peça a quem administra o servidor (`malote oauth`).',
  },
  somente_da_instalacao: {
    status: 403,
    titulo: 'Somente da instalação',
    significado: 'A operação vale para todos os escritórios e cabe ao que foi criado primeiro.',
    acao: 'Peça a quem administra o servidor, ou use a linha de comando.',
  },
  pacote_de_esquemas_invalido: {
    status: 422,
    titulo: 'Pacote de esquemas inválido',
    significado: 'O arquivo não é um pacote de esquemas XSD que se possa usar; nada foi instalado.',
    acao: 'Envie o .zip como a SEFAZ o publica.',
  },
  tentativas_demais: {
    status: 429,
    titulo: 'Tentativas demais',
    significado: 'Houve tentativas erradas demais; o acesso não fica bloqueado, só espera.',
    acao: 'Espere os segundos de Retry-After e tente de novo.',
  },
} as const satisfies CatalogoDeErros;

const erro = errorsOf(ERROS_CONSOLE);

/** @fonte draft-broyer-http-cookie-auth: a scheme that no browser asks a password for */
const CHALLENGE = 'Cookie realm="malote", form-action="/console/entrar"';

export const sessaoAusente = () =>
  erro('sessao_ausente', 'Entre no console para continuar.', { headers: { 'www-authenticate': CHALLENGE } });

export const csrfInvalido = () =>
  erro('csrf_invalido', 'O cabeçalho X-CSRF-Token falta ou não é o desta sessão. Recarregue a página.');

export const origemRecusada = () =>
  erro('origem_recusada', 'A requisição veio de uma página de outro endereço e não foi atendida.');

export const papelInsuficiente = () =>
  erro('papel_insuficiente', 'O seu papel não permite esta operação. Peça a um administrador do escritório.');

export const credenciaisInvalidas = () =>
  erro('credenciais_invalidas', 'O e-mail ou a senha não confere.', {
    headers: { 'www-authenticate': CHALLENGE },
  });

export const entradaExternaInvalida = () =>
  erro('entrada_externa_invalida', 'A entrada pelo provedor expirou ou já foi usada. Comece de novo.', {
    headers: { 'www-authenticate': CHALLENGE },
  });

export const semAcessoExterno = (email: string) =>
  erro(
    'sem_acesso_externo',
    `${email} não tem acesso a este console, ou entra por outra conta. Peça um convite, ou um novo acesso, a um administrador do escritório.`,
  );

export const provedorNaoEncontrado = () =>
  erro('provedor_nao_encontrado', 'Este servidor não conhece esse provedor de identidade.');

export const copiasDesligadas = () =>
  erro(
    'copias_desligadas',
    'Este servidor não tem pasta para cópias de segurança: defina MALOTE_COPIA_PASTA e reinicie-o.',
  );

export const codigoTotpInvalido = () =>
  erro('codigo_totp_invalido', 'O código não confere ou já foi usado.', {
    headers: { 'www-authenticate': CHALLENGE },
  });

export const desafioInvalido = () =>
  erro('desafio_invalido', 'Passou tempo demais desde a senha. Comece de novo.', {
    headers: { 'www-authenticate': CHALLENGE },
  });

export const conviteInvalido = () =>
  erro('convite_invalido', 'Este link já foi usado, expirou ou não existe. Peça outro a um administrador.');

export const primeiroUsoInvalido = () =>
  erro(
    'primeiro_uso_invalido',
    'O código de primeiro uso não vale (mais). O servidor mostra outro ao iniciar, enquanto ninguém pode entrar.',
  );

export const totpJaAtivo = () => erro('totp_ja_ativo', 'O segundo fator já está ativo.');

export const totpInativo = () => erro('totp_inativo', 'Não há segundo fator configurado.');

export const sessaoNaoEncontrada = () =>
  erro('sessao_nao_encontrada', 'Não há sessão com esse número entre as suas.');

export const tentativasDemais = (seconds: number) =>
  erro('tentativas_demais', `Tentativas demais. Tente de novo em ${seconds} s.`, {
    headers: { 'retry-after': String(seconds) },
  });

/** One-time codes wait; a recovery code does not. */
export const codigosDemais = (seconds: number) =>
  erro(
    'tentativas_demais',
    `Códigos errados demais. Tente de novo em ${seconds} s, ou entre com um código de recuperação.`,
    { headers: { 'retry-after': String(seconds) } },
  );

export const usuarioNaoEncontrado = (id: number) =>
  erro('usuario_nao_encontrado', `O escritório não tem usuário com o número ${id}.`);

export const usuarioJaCadastrado = (email: string) =>
  erro('usuario_ja_cadastrado', `O escritório já tem um usuário com o e-mail ${email}.`);

export const ultimoAdministrador = () =>
  erro(
    'ultimo_administrador',
    'É o último administrador que pode entrar: torne outra pessoa administradora antes.',
  );

export const certificadoNaoEncontrado = () =>
  erro('certificado_nao_encontrado', 'Este cliente não tem certificado guardado.');

export const csvInvalido = (mensagem: string) => erro('csv_invalido', mensagem);

export const oauthCompartilhado = (clientId: string) =>
  erro(
    'oauth_compartilhado',
    `${clientId} serve a vários escritórios: só quem administra o servidor o altera.`,
  );

export const somenteDaInstalacao = () =>
  erro(
    'somente_da_instalacao',
    'Isto vale para todos os escritórios deste servidor e cabe ao que foi criado primeiro.',
  );

export const pacoteDeEsquemasInvalido = (mensagem: string) => erro('pacote_de_esquemas_invalido', mensagem);
